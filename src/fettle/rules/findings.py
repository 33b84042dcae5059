"""Findings of one rule, with their messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fettle.results import Cause, Finding
from fettle.rules.causes import advice_of, cause_of
from fettle.rules.decisions import Column, Decision
from fettle.rules.registry import SELECTORS
from fettle.rules.spec import Level, Op, Rule
from fettle.rules.template import Template, parse_template


# not frozen, and so several times faster to make: every rule has one
@dataclass(slots=True, eq=False)
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
        texts = (column.notes,) if decision.level is Level.PASS else (column.notes, column.advices)
        added = [one for one in texts if any(one)]
        sentences: dict[float | None, list[str]] = {}
        found: list[Finding] = []
        for subject, borderline in zip(decision.subjects, decision.near(), strict=True):
            value, fids = column.values[subject], column.fids[subject]
            around_fid = sentences.get(value)
            if around_fid is None:
                around_fid = sentences[value] = template.around_fid(value, threshold, self.n_inspected)
            fid = fids[0] if fids else None
            message = (fid or "-").join(around_fid)
            for one in added:
                if one[subject]:
                    message += f" {one[subject]}."
            place = column.positions[subject]
            found.append(Finding(fid, fids, severity, metric, value, threshold, op, message, place, borderline))
        return found

    def causes(self, ordered: Iterable[tuple[Finding, Decision]]) -> tuple[Cause, ...]:
        """The findings, given the worst first and without what passes, as causes: one for each metric of a tier."""
        groups: dict[tuple[int, str], tuple[Decision, list[Finding]]] = {}
        for finding, decision in ordered:
            groups.setdefault((decision.number, finding.metric), (decision, []))[1].append(finding)
        return tuple(self._cause(*group) for group in groups.values())

    def _cause(self, decision: Decision, found: list[Finding]) -> Cause:
        """`decision`: that on the first of the findings, whose advice speaks for all."""
        column, worst, advice = decision.step.column if decision.step else self.column, found[0], None
        template = advice_of(self._template(decision, column))
        if template is not None:
            advice = template.render(worst.fid or "-", worst.value, worst.threshold, self.n_inspected)
        return cause_of(self.rule.key, found, column.metric.unit, advice)

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
