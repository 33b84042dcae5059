"""From values to verdicts: tiers are tried top down, and the first that holds decides."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.rules.registry import Measured, Metric
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
    """One metric over all subjects: `values` (n,), nan without a reading, and what was measured there.

    `listed` holds the same values as plain numbers, for those who look at one at a time.
    """

    metric: Metric
    values: NDArray[np.float64]
    listed: list[float]
    measured: tuple[Measured | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A tier ready to be tried under the configuration at hand; `threshold` is nan where it compares nothing."""

    tier: Tier
    column: Column
    threshold: float

    def holds(self) -> NDArray[np.bool_]:
        """Where the tier holds, shape (n,); a comparison holds nowhere without a reading."""
        if self.tier.op is None:
            return np.ones(len(self.column.values), dtype=bool)
        holds: NDArray[np.bool_] = COMPARE[self.tier.op](self.column.values, self.threshold)
        return holds & ~np.isnan(self.column.values)


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What a rule says of one subject. `op` always tells a truth: value op threshold. Where no comparison held, it is
    the opposite of the last one tried; `step` is None where the rule compares nothing at all."""

    subject: int
    level: Level
    tier: Tier | None
    step: Step | None
    op: Op | None

    @property
    def excess(self) -> float:
        """How far beyond the threshold in the direction of the comparison; the larger, the worse."""
        if self.step is None:
            return 0.0
        difference = self.step.column.listed[self.subject] - self.step.threshold
        return -difference if self.op in {Op.LT, Op.LE} else difference


def decide(steps: list[Step], inspected: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Number of the first tier that holds for each subject, shape (n,); -1 where none does."""
    decided = np.full(len(inspected), -1, dtype=np.intp)
    for number, step in enumerate(steps):
        decided[(decided < 0) & inspected & step.holds()] = number
    return decided


def explain(steps: list[Step], subject: int, number: int) -> Verdict:
    """The verdict on a subject whose deciding tier has that number (-1: none, it passes)."""
    tier = steps[number].tier if number >= 0 else None
    if tier is not None and tier.op is not None:
        return Verdict(subject, tier.level, tier, steps[number], tier.op)
    level = tier.level if tier else Level.PASS
    tried = steps[:number] if number >= 0 else steps
    for step in reversed(tried):
        if step.tier.op is not None and not math.isnan(step.column.listed[subject]):
            return Verdict(subject, level, tier, step, OPPOSITE[step.tier.op])
    return Verdict(subject, level, tier, None, None)


def tightest(steps: list[Step], inspected: NDArray[np.bool_]) -> int:
    """The subject that came nearest the threshold of the last comparison with a reading."""
    for step in reversed(steps):
        if step.tier.op is not None and not np.isnan(step.column.values).all():
            return int(np.nanargmin(np.abs(step.column.values - step.threshold)))
    return int(np.flatnonzero(inspected)[0])
