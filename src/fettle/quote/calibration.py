"""Factors that a shop's own past jobs put on computed times or prices, each with the band that they earned.

One factor for each machine or process: a robust center of log(actual / computed), so that a job that went wrong does
not move it. Its error and its band come from jobs that it did not see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, median

from fettle.errors import BadRequest

MINIMUM_JOBS = 10
"""With fewer, the 10 % and 90 % quantiles lie outside of what was seen: no band of 80 % can be told."""

MAXIMUM_JOBS = 500
"""Of one key. By then the factor is certain to a twentieth of the spread, and the work grows with the square."""

COVERAGE = 0.80
"""Share of new jobs that the band is to hold."""

CUTOFF = 4.685
"""Robust standard deviations beyond which a job does not count: 95 % efficient on normal noise (Holland, Welsch)."""

_MAD_TO_SIGMA = 1.4826  # of a normal distribution
_CONVERGED = 1e-10
_MOST_STEPS = 50


class TooFewJobs(BadRequest):
    code = "too_few_jobs"


class CalibrationBasis(StrEnum):
    """What the past jobs say."""

    MINUTES = "minutes"
    PRICE = "price"


@dataclass(frozen=True, slots=True)
class PastJob:
    """A job that was made: what it took, and what the model says for it. `key`: a process (`cnc:3-axis`) or one
    machine of its rate card (`cnc:3-axis/mill`); both amounts in minutes, or both in money, of the whole order."""

    name: str
    key: str
    basis: CalibrationBasis
    actual: float
    computed: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The factor of a machine or process, and what it is worth on jobs that it did not see.

    `low`, `high`: actual / (factor * computed) of `COVERAGE` of new jobs; `covered`: share of held-back jobs that fell
    into the band of the others; `error`: mean of |calibrated / actual - 1|, each job by the factor of the others;
    `error_before`: the same without a factor.
    """

    key: str
    basis: CalibrationBasis
    jobs: int
    factor: float
    low: float
    high: float
    covered: float
    error: float
    error_before: float


def calibrate(jobs: Iterable[PastJob]) -> tuple[Calibration, ...]:
    """A calibration for each key and basis, in the order of their names; TooFewJobs where none has enough."""
    groups: dict[tuple[str, CalibrationBasis], list[PastJob]] = {}
    for job in jobs:
        groups.setdefault((job.key, job.basis), []).append(job)
    enough = sorted(found for found in groups if len(groups[found]) >= MINIMUM_JOBS)
    if not enough:
        counted = ", ".join(f"{key} ({basis}): {len(groups[key, basis])}" for key, basis in sorted(groups))
        raise TooFewJobs(
            f"A factor needs at least {MINIMUM_JOBS} jobs of one machine or process; there are {counted or 'none'}."
        )
    return tuple(_calibrate(key, basis, groups[key, basis]) for key, basis in enough)


def _calibrate(key: str, basis: CalibrationBasis, jobs: Sequence[PastJob]) -> Calibration:
    if len(jobs) > MAXIMUM_JOBS:
        raise BadRequest(f"{key} ({basis}) has {len(jobs)} jobs; give at most the latest {MAXIMUM_JOBS}.")
    for job in jobs:
        for what, value in (("actual", job.actual), ("computed", job.computed)):
            if not (math.isfinite(value) and value > 0):
                raise BadRequest(f"{job.name}: {what} {basis} of {key} is {value:g}; it must be above 0.")
    ratios = [math.log(job.actual / job.computed) for job in jobs]
    center, (low, high) = center_of(ratios), band_of(ratios)
    alone = left_out_residuals(ratios)
    return Calibration(
        key=key,
        basis=basis,
        jobs=len(jobs),
        factor=math.exp(center),
        low=math.exp(low - center),
        high=math.exp(high - center),
        covered=held_back_coverage(ratios),
        error=fmean(abs(math.expm1(-residual)) for residual in alone),
        error_before=fmean(abs(math.expm1(-ratio)) for ratio in ratios),
    )


def band_of(ratios: Sequence[float]) -> tuple[float, float]:
    """Lower and upper end of the log ratios that holds `COVERAGE` of new ones.

    The values at the ranks p (n + 1): a new one falls below with probability p, whatever the distribution.
    """
    ordered = sorted(ratios)
    tail = (1 - COVERAGE) / 2
    return _at_rank(ordered, tail), _at_rank(ordered, 1 - tail)


def left_out_residuals(ratios: Sequence[float]) -> list[float]:
    """Deviation of each log ratio from the center of all others."""
    return [ratio - center_of([*ratios[:at], *ratios[at + 1 :]]) for at, ratio in enumerate(ratios)]


def held_back_coverage(ratios: Sequence[float]) -> float:
    """Share of log ratios inside the band of all others."""
    inside = 0
    for at, ratio in enumerate(ratios):
        low, high = band_of([*ratios[:at], *ratios[at + 1 :]])
        inside += low <= ratio <= high
    return inside / len(ratios)


def center_of(values: Sequence[float]) -> float:
    """Tukey's biweight estimate of location, from the median and the median absolute deviation of the values.

    A value counts less the farther it lies from the center, and nothing beyond `CUTOFF` robust standard deviations.
    """
    center = median(values)
    cutoff = CUTOFF * _MAD_TO_SIGMA * median(abs(value - center) for value in values)
    if cutoff == 0:
        return center
    for _ in range(_MOST_STEPS):
        weights = [max(0.0, 1 - ((value - center) / cutoff) ** 2) ** 2 for value in values]
        step = math.fsum(w * (v - center) for w, v in zip(weights, values, strict=True)) / math.fsum(weights)
        center += step
        if abs(step) <= _CONVERGED:
            break
    return center


def _at_rank(ordered: Sequence[float], share: float) -> float:
    """Value at rank share (n + 1) of sorted values, at most the outermost."""
    rank = min(max(share * (len(ordered) + 1) - 1, 0.0), len(ordered) - 1.0)
    below = int(rank)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (rank - below) * (ordered[above] - ordered[below])
