"""Verdicts from metric values: tiers are tried top down, the first that holds decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.rules.registry import Metric
from fettle.rules.spec import Level, Op, Tier

COMPARE = {
    Op.LT: np.less,
    Op.LE: np.less_equal,
    Op.GT: np.greater,
    Op.GE: np.greater_equal,
    Op.EQ: np.equal,
    Op.NE: np.not_equal,
}
OPPOSITE = {Op.LT: Op.GE, Op.GE: Op.LT, Op.GT: Op.LE, Op.LE: Op.GT, Op.EQ: Op.NE, Op.NE: Op.EQ}


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One metric over all subjects: values (n,), nan for no reading; and as JSON data of each subject its value or
    None, face ids, position and note, which all configurations share."""

    metric: Metric
    values: NDArray[np.float64]
    listed: list[float | None]
    fids: list[list[str]]
    positions: list[list[float] | None]
    notes: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A tier with the values and the threshold of one configuration; `threshold` is nan if it compares nothing."""

    tier: Tier
    column: Column
    threshold: float

    def holds(self) -> NDArray[np.bool_]:
        """Mask (n,) of the subjects for which the tier holds; a comparison without a reading does not."""
        if self.tier.op is None:
            return np.ones(len(self.column.values), dtype=bool)
        holds: NDArray[np.bool_] = COMPARE[self.tier.op](self.column.values, self.threshold)
        return holds & ~np.isnan(self.column.values)


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Verdict on the subjects (k,) that one tier decides by one comparison; if no tier holds, `tier` is None and
    `number` -1.

    Invariant: `value op threshold` holds. If no comparison holds, `op` is the opposite of the last one tried; `step` is
    None if the rule compares nothing.
    """

    subjects: NDArray[np.intp]
    number: int
    tier: Tier | None
    step: Step | None
    op: Op | None

    @property
    def level(self) -> Level:
        return self.tier.level if self.tier else Level.PASS

    def excess(self) -> NDArray[np.float64]:
        """Distance (k,) beyond the threshold in the direction of the comparison; the larger, the worse."""
        if self.step is None:
            return np.zeros(len(self.subjects))
        difference = self.step.column.values[self.subjects] - self.step.threshold
        return -difference if self.op in {Op.LT, Op.LE} else difference

    def near(self) -> NDArray[np.bool_]:
        """Mask (k,) of the values nearer to the threshold than the metric's resolution."""
        if self.step is None or self.step.column.metric.resolution <= 0:
            return np.zeros(len(self.subjects), dtype=bool)
        near: NDArray[np.bool_] = np.abs(self.excess()) <= self.step.column.metric.resolution
        return near


def decide(steps: list[Step], inspected: NDArray[np.bool_]) -> list[Verdict]:
    """Verdicts on all inspected subjects; inspected (n,): mask of the subjects."""
    verdicts = []
    undecided = inspected.copy()
    for number, step in enumerate(steps):
        held = undecided & step.holds()
        undecided &= ~held
        if step.tier.op is not None:
            verdicts.append(Verdict(np.flatnonzero(held), number, step.tier, step, step.tier.op))
        else:
            verdicts += _by_last_comparison(steps[:number], held, number, step.tier)
    verdicts += _by_last_comparison(steps, undecided, -1, None)
    return [verdict for verdict in verdicts if len(verdict.subjects)]


def _by_last_comparison(
    tried: list[Step], subjects: NDArray[np.bool_], number: int, tier: Tier | None
) -> list[Verdict]:
    """Verdicts where no comparison holds: each subject gets the last one tried for which it has a reading."""
    verdicts = []
    left = subjects.copy()
    for step in reversed(tried):
        if step.tier.op is not None:
            told = left & ~np.isnan(step.column.values)
            left &= ~told
            verdicts.append(Verdict(np.flatnonzero(told), number, tier, step, OPPOSITE[step.tier.op]))
    return [*verdicts, Verdict(np.flatnonzero(left), number, tier, None, None)]


def reading_order(verdicts: list[Verdict]) -> NDArray[np.intp]:
    """Order of the concatenated subjects of all verdicts: worst first, and of those that pass the nearest to its limit
    first."""
    level, number, ease, subject = (
        np.concatenate(parts)
        for parts in zip(
            *(
                (
                    np.full(len(verdict.subjects), -verdict.level.value),
                    np.full(len(verdict.subjects), verdict.number),
                    verdict.excess() if verdict.level is Level.PASS else -verdict.excess(),
                    verdict.subjects,
                )
                for verdict in verdicts
            ),
            strict=True,
        )
    )
    return np.lexsort((subject, ease, number, level))
