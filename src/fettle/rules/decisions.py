"""From values to severities: tiers are tried top down, and the first that holds decides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.measure.readings import Triple
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
    """One metric over all subjects: `values` (n,), nan without a reading; and per subject what findings show: value or
    None, face ids, position in mm, a note, and advice; `read` (n,): which have a reading. Computed once for all rules
    and configurations."""

    metric: Metric
    values: NDArray[np.float64]
    listed: list[float | None]
    fids: list[tuple[str, ...]]
    positions: list[Triple | None]
    notes: list[str]
    advices: list[str]
    read: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TierColumn:
    """A tier with the threshold of one configuration, which is nan where it compares nothing."""

    tier: Tier
    column: Column
    threshold: float

    def holds(self) -> NDArray[np.bool_]:
        """Mask (n,) of the subjects for which the tier holds; a comparison without a reading does not."""
        if self.tier.op is None:
            return np.ones(len(self.column.values), dtype=bool)
        holds: NDArray[np.bool_] = COMPARE[self.tier.op](self.column.values, self.threshold)
        return holds & self.column.read


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The severity of those `subjects` (k,) that one tier decides by one comparison; where no tier held, `tier` is None
    and `number` -1. Invariant: `value op threshold` holds. Where no comparison held, `op` is the opposite of the last
    one tried; `step` is None where the rule compares nothing at all."""

    subjects: NDArray[np.intp]
    number: int
    tier: Tier | None
    step: TierColumn | None
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
        """Where the value is nearer to the threshold than the resolution of its metric, shape (k,)."""
        if self.step is None or self.step.column.metric.resolution <= 0:
            return np.zeros(len(self.subjects), dtype=bool)
        near: NDArray[np.bool_] = np.abs(self.excess()) <= self.step.column.metric.resolution
        return near


def decide(steps: list[TierColumn], inspected: NDArray[np.bool_]) -> list[Decision]:
    """Decides on every subject inspected, `inspected` of shape (n,)."""
    decisions = []
    undecided = inspected.copy()
    for number, step in enumerate(steps):
        held = undecided & step.holds()
        undecided &= ~held
        if step.tier.op is not None:
            decisions.append(Decision(held.nonzero()[0], number, step.tier, step, step.tier.op))
        else:
            decisions += _by_last_comparison(steps[:number], held, number, step.tier)
    decisions += _by_last_comparison(steps, undecided, -1, None)
    return [decision for decision in decisions if len(decision.subjects)]


def _by_last_comparison(
    tried: list[TierColumn], subjects: NDArray[np.bool_], number: int, tier: Tier | None
) -> list[Decision]:
    """Decisions where no comparison held: each subject gets the last one tried that had a reading."""
    decisions: list[Decision] = []
    left = subjects.copy()
    for step in reversed(tried):
        if not left.any():
            return decisions
        if step.tier.op is not None:
            compared = left & step.column.read
            left &= ~compared
            decisions.append(Decision(compared.nonzero()[0], number, tier, step, OPPOSITE[step.tier.op]))
    return [*decisions, Decision(left.nonzero()[0], number, tier, None, None)]


def reading_order(decisions: list[Decision]) -> NDArray[np.intp]:
    """Order of all subjects of all decisions, concatenated: the worst first, and of what passes the nearest to its
    limit."""
    level, number, ease, subject = (
        np.concatenate(parts)
        for parts in zip(
            *(
                (
                    np.full(len(decision.subjects), -decision.level.value),
                    np.full(len(decision.subjects), decision.number),
                    decision.excess() if decision.level is Level.PASS else -decision.excess(),
                    decision.subjects,
                )
                for decision in decisions
            ),
            strict=True,
        )
    )
    return np.lexsort((subject, ease, number, level))
