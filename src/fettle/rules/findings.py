"""Findings of one rule, with their messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fettle.results import Finding
from fettle.rules.causes import DecidedFinding, advice_of
from fettle.rules.decisions import Column, Decision
from fettle.rules.registry import SELECTORS
from fettle.rules.spec import Level, Op, Rule
from fettle.rules.template import Template, parse_template


@dataclass(frozen=True, slots=True, eq=False)
class Writer:
    """Builds the findings of one rule; `column`: the rule's own metric, used where no comparison was made."""

    rule: Rule
    n_subjects: int
    column: Column
    n_inspected: int

    def findings(self, decision: Decision) -> list[Finding]:
        """The findings on the decision's subjects."""
        column = decision.step.column if decision.step else self.column
        threshold = decision.step.threshold if decision.step else None
        template = self._template(decision, column)
        severity, metric, op = decision.level.word, column.metric.name, decision.op.word if decision.op else None
        added = (column.notes,) if decision.level is Level.PASS else (column.notes, column.advices)
        sentences: dict[float | None, list[str]] = {}
        found: list[Finding] = []
        for subject, borderline in zip(decision.subjects, decision.near(), strict=True):
            value, fids = column.values[subject], column.fids[subject]
            if value not in sentences:
                sentences[value] = template.around_fid(value, threshold, self.n_inspected)
            message = (fids[0] if fids else "-").join(sentences[value])
            for texts in added:
                if texts[subject]:
                    message += f" {texts[subject]}."
            found.append(
                Finding(
                    fids[0] if fids else None,
                    fids,
                    severity,
                    metric,
                    value,
                    threshold,
                    op,
                    message,
                    column.positions[subject],
                    borderline,
                )
            )
        return found

    def decided(self, ordered: Iterable[tuple[Finding, Decision]]) -> Iterator[DecidedFinding]:
        """The findings with what decided each; the first of a decision has its advice, which speaks for all."""
        advised = set[int]()
        for finding, decision in ordered:
            column, advice = decision.step.column if decision.step else self.column, None
            if id(decision) not in advised:
                advised.add(id(decision))
                advice = self._advice(finding, self._template(decision, column))
            yield DecidedFinding(finding, decision.number, column.metric.unit, advice)

    def _advice(self, finding: Finding, message: Template) -> str | None:
        template = advice_of(message)
        if template is None:
            return None
        return template.render(finding.fid or "-", finding.value, finding.threshold, self.n_inspected)

    def nothing(self) -> str:
        """Message of a rule that inspected nothing, with the reason."""
        if self.rule.selector is None:
            return f"Not checked: the part has no reading of {self.rule.metric}."
        plural = SELECTORS[self.rule.selector].plural
        if not self.n_subjects:
            return f"Nothing to check: the part has no {plural}."
        return f"Not checked: none of the {self.n_subjects} {plural} has a reading of {self.rule.metric}."

    def _template(self, decision: Decision, column: Column) -> Template:
        if decision.tier is not None and decision.tier.message is not None:
            return decision.tier.message
        on_a_face = self.rule.selector is not None
        if decision.level is Level.PASS and column is not self.column and self._is_unread(decision):
            # the rule's own words speak of a metric that has no reading
            return _default(column, decision.op, on_a_face, f" Not known: {self.rule.metric}.")
        return self.rule.messages.get(decision.level) or _default(column, decision.op, on_a_face)

    def _is_unread(self, decision: Decision) -> bool:
        """Whether the rule's own metric has no reading of any of the decision's subjects."""
        return all(self.column.values[subject] is None for subject in decision.subjects)


def _default(column: Column, op: Op | None, on_a_face: bool, more: str = "") -> Template:
    """Message for a level for which the rule has none; `more`: what is said after it."""
    unit = "" if column.metric.unit in {"count", "ratio"} else f" {column.metric.unit}"
    start = f"Face {{fid}}: {column.metric.name}" if on_a_face else column.metric.name
    relation = f", {op.phrase} {{threshold}}{unit}" if op else ""
    return parse_template(f"{start} is {{metric}}{unit}{relation}.{more}")
