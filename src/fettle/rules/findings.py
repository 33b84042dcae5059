"""Findings: verdicts with their messages, as JSON data."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.rules.registry import SELECTORS
from fettle.rules.spec import Op, Rule
from fettle.rules.template import Template, parse_template
from fettle.rules.verdict import Column, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Writer:
    """Builds the findings of one rule; `column`: the rule's own metric, used where no comparison was made."""

    rule: Rule
    n_subjects: int
    column: Column
    n_inspected: int

    def findings(self, verdict: Verdict) -> list[dict[str, object]]:
        """Findings of the verdict's subjects, as JSON data of the API."""
        column = verdict.step.column if verdict.step else self.column
        threshold = verdict.step.threshold if verdict.step else None
        template = self._template(verdict, column)
        severity, metric, op = verdict.level.word, column.metric.name, verdict.op.value if verdict.op else None
        near = verdict.near().tolist()
        sentences: dict[float | None, list[str]] = {}
        written: list[dict[str, object]] = []
        for subject, borderline in zip(verdict.subjects.tolist(), near, strict=True):
            value, fids, note = column.listed[subject], column.fids[subject], column.notes[subject]
            if value not in sentences:
                sentences[value] = template.around_fid(value, threshold, self.n_inspected)
            message = (fids[0] if fids else "-").join(sentences[value])
            written.append(
                {
                    "fid": fids[0] if fids else None,
                    "related_fids": fids,
                    "severity": severity,
                    "metric": metric,
                    "value": value,
                    "threshold": threshold,
                    "op": op,
                    "message": f"{message} {note}." if note else message,
                    "position": column.positions[subject],
                    "borderline": borderline,
                }
            )
        return written

    def nothing(self) -> str:
        """Message of a rule that inspected nothing, with the reason."""
        if self.rule.selector is None:
            return f"Not checked: the part has no reading of {self.rule.metric}."
        plural = SELECTORS[self.rule.selector].plural
        if not self.n_subjects:
            return f"Nothing to check: the part has no {plural}."
        return f"Not checked: none of the {self.n_subjects} {plural} has a reading of {self.rule.metric}."

    def _template(self, verdict: Verdict, column: Column) -> Template:
        if verdict.tier is not None and verdict.tier.message is not None:
            return verdict.tier.message
        return self.rule.messages.get(verdict.level) or _default(column, verdict.op, self.rule.selector is not None)


def _default(column: Column, op: Op | None, on_a_face: bool) -> Template:
    """Message for a level for which the rule has none."""
    unit = "" if column.metric.unit in {"count", "ratio"} else f" {column.metric.unit}"
    start = f"Face {{fid}}: {column.metric.name}" if on_a_face else column.metric.name
    relation = f", {op.phrase} {{threshold}}{unit}" if op else ""
    return parse_template(f"{start} is {{metric}}{unit}{relation}.")
