"""Verdicts put into words and JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fettle.measure.reading import Triple
from fettle.rules.registry import SELECTORS, Measured
from fettle.rules.spec import Op, Rule
from fettle.rules.template import Template, parse_template
from fettle.rules.verdict import Column, Verdict
from fettle.rules.view import Subject, View

PLACE_DECIMALS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Writer:
    """Writes the findings of one rule. `column` is the rule's own metric, for rules that compare nothing."""

    view: View
    rule: Rule
    subjects: tuple[Subject, ...]
    column: Column
    n_inspected: int

    def finding(self, verdict: Verdict) -> dict[str, object]:
        """One finding in the API's shape."""
        column = verdict.step.column if verdict.step else self.column
        measured = column.measured[verdict.subject]
        value: float | None = column.listed[verdict.subject]
        threshold = verdict.step.threshold if verdict.step else None
        faces = self.faces(verdict)
        fids = self.view.fids(faces)
        near = column.metric.resolution
        if value is None or math.isnan(value):
            value = None
        message = self._template(verdict, column).render(fids[0] if fids else "-", value, threshold, self.n_inspected)
        return {
            "fid": fids[0] if fids else None,
            "related_fids": fids,
            "severity": verdict.level.word,
            "metric": column.metric.name,
            "value": value,
            "threshold": threshold,
            "op": verdict.op.value if verdict.op else None,
            "message": f"{message} {measured.note}." if measured and measured.note else message,
            "position": self._place(measured, faces),
            "borderline": value is not None and threshold is not None and near > 0 and abs(value - threshold) <= near,
        }

    def faces(self, verdict: Verdict) -> tuple[int, ...]:
        """Faces to point at: those the metric names, else the subject's own."""
        column = verdict.step.column if verdict.step else self.column
        measured = column.measured[verdict.subject]
        return measured.faces if measured and measured.faces else self.subjects[verdict.subject].faces

    def nothing(self) -> str:
        """Why nothing was inspected."""
        if self.rule.selector is None:
            return f"Not checked: the part has no reading of {self.rule.metric}."
        plural = SELECTORS[self.rule.selector].plural
        if not self.subjects:
            return f"Nothing to check: the part has no {plural}."
        return f"Not checked: none of the {len(self.subjects)} {plural} has a reading of {self.rule.metric}."

    def _template(self, verdict: Verdict, column: Column) -> Template:
        if verdict.tier is not None and verdict.tier.message is not None:
            return verdict.tier.message
        return self.rule.messages.get(verdict.level) or _default(column, verdict.op, self.rule.selector is not None)

    def _place(self, measured: Measured | None, faces: tuple[int, ...]) -> list[float] | None:
        if measured and measured.position:
            return _written(measured.position)
        if not faces:
            return None
        return _written(self.view.point_of(faces[0]))


def _default(column: Column, op: Op | None, on_a_face: bool) -> Template:
    """The sentence for a level that the rule has no message for."""
    unit = "" if column.metric.unit in {"count", "ratio"} else f" {column.metric.unit}"
    start = f"Face {{fid}}: {column.metric.name}" if on_a_face else column.metric.name
    relation = f", {op.phrase} {{threshold}}{unit}" if op else ""
    return parse_template(f"{start} is {{metric}}{unit}{relation}.")


def _written(position: Triple) -> list[float]:
    """Rounded, and never minus zero."""
    x, y, z = position
    return [round(x, PLACE_DECIMALS) + 0.0, round(y, PLACE_DECIMALS) + 0.0, round(z, PLACE_DECIMALS) + 0.0]
