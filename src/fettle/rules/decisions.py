"""From values to severities: tiers are tried top down, and the first that holds decides.

Subjects are lists, not arrays: a rule has a dozen of them more often than a thousand, and calls on short arrays cost
more than all the comparisons.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field

from fettle.measure.readings import Triple
from fettle.rules.registry import Metric
from fettle.rules.spec import Level, Op, Tier

COMPARE = {
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
}
LOWER = frozenset({Op.LT, Op.LE})
"""Comparisons that hold below the threshold."""
OPPOSITE = {Op.LT: Op.GE, Op.GE: Op.LT, Op.GT: Op.LE, Op.LE: Op.GT, Op.EQ: Op.NE, Op.NE: Op.EQ}


# not frozen, and so several times faster to make: a part has dozens
@dataclass(slots=True, eq=False)
class Column:
    """One metric over all subjects, per subject: value, None without a reading; and what findings show: face ids,
    position in mm, a note, and advice. `read`: numbers of the subjects with a reading. Computed once for all rules and
    configurations."""

    metric: Metric
    values: list[float | None]
    fids: list[tuple[str, ...]]
    positions: list[Triple | None]
    notes: list[str]
    advices: list[str]
    read: list[int]


# not frozen either, as the next
@dataclass(slots=True, eq=False)
class TierColumn:
    """A tier with the threshold of one configuration, which is nan where it compares nothing."""

    tier: Tier
    column: Column
    threshold: float

    def split(self, subjects: Sequence[int], op: Op) -> tuple[list[int], list[int]]:
        """The subjects for which the comparison holds, and the others; without a reading it does not."""
        values, compare, threshold = self.column.values, COMPARE[op], self.threshold
        held: list[int] = []
        left: list[int] = []
        for subject in subjects:
            value = values[subject]
            (held if value is not None and compare(value, threshold) else left).append(subject)
        return held, left


@dataclass(slots=True, eq=False)
class Decision:
    """The severity of those `subjects`, in rising order, that one tier decides by one comparison; where no tier held,
    `tier` is None and `number` -1. Invariant: `value op threshold` holds. Where no comparison held, `op` is the
    opposite of the last one tried; `step` is None where the rule compares nothing at all. `excess`: distance of each
    subject beyond the threshold in the direction of the comparison; the larger, the worse."""

    subjects: list[int]
    number: int
    tier: Tier | None
    step: TierColumn | None
    op: Op | None
    level: Level = field(init=False)
    excess: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.level = Level.PASS if self.tier is None else self.tier.level
        if self.step is None:
            self.excess = [0.0] * len(self.subjects)
            return
        threshold = self.step.threshold
        compared = [value for value in map(self.step.column.values.__getitem__, self.subjects) if value is not None]
        if self.op in LOWER:
            self.excess = [threshold - value for value in compared]
        else:
            self.excess = [value - threshold for value in compared]

    def near(self) -> list[bool]:
        """Whether the value of each subject is nearer to the threshold than the resolution of its metric."""
        resolution = 0.0 if self.step is None else self.step.column.metric.resolution
        if resolution <= 0.0:
            return [False] * len(self.subjects)
        return [abs(excess) <= resolution for excess in self.excess]


def decide(steps: list[TierColumn], inspected: list[int]) -> list[Decision]:
    """Decides on every subject inspected, given in rising order."""
    decisions = []
    undecided = inspected
    for number, step in enumerate(steps):
        if step.tier.op is not None:
            held, undecided = step.split(undecided, step.tier.op)
            if held:
                decisions.append(Decision(held, number, step.tier, step, step.tier.op))
        else:
            decisions += _by_last_comparison(steps[:number], undecided, number, step.tier)
            undecided = []
    return decisions + _by_last_comparison(steps, undecided, -1, None)


def _by_last_comparison(tried: list[TierColumn], subjects: list[int], number: int, tier: Tier | None) -> list[Decision]:
    """Decisions where no comparison held: each subject gets the last one tried that had a reading."""
    decisions: list[Decision] = []
    left = subjects
    for step in reversed(tried):
        if not left:
            return decisions
        if step.tier.op is not None:
            values = step.column.values
            compared = [subject for subject in left if values[subject] is not None]
            if compared:
                left = [subject for subject in left if values[subject] is None]
                decisions.append(Decision(compared, number, tier, step, OPPOSITE[step.tier.op]))
    return [*decisions, Decision(left, number, tier, None, None)] if left else decisions


def reading_order(decisions: list[Decision]) -> list[int]:
    """Order of all subjects of all decisions, concatenated: the worst first, and of what passes the nearest to its
    limit."""
    subjects: list[int] = []
    ease: list[float] = []
    ranks: dict[tuple[int, int], list[int]] = {}
    for decision in decisions:
        places = range(len(subjects), len(subjects) + len(decision.subjects))
        ranks.setdefault((-decision.level.value, decision.number), []).extend(places)
        subjects += decision.subjects
        ease += decision.excess if decision.level is Level.PASS else [-one for one in decision.excess]
    order: list[int] = []
    for rank in sorted(ranks):
        by_number = sorted(ranks[rank], key=subjects.__getitem__)
        order += sorted(by_number, key=ease.__getitem__)
    return order
