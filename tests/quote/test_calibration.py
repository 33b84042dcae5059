"""Calibration: made-up factors found again, bands that hold what they say, and no job judged by itself."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean

import pytest

from fettle.errors import BadRequest
from fettle.quote.calibration import (
    MAXIMUM_JOBS,
    CalibrationBasis,
    PastJob,
    TooFewJobs,
    band_of,
    calibrate,
    center_of,
    held_back_coverage,
    left_out_residuals,
)

FACTOR = 1.37
MINUTES = CalibrationBasis.MINUTES


def jobs_with(ratios: list[float], key: str = "cnc:3-axis") -> list[PastJob]:
    chance = random.Random(len(ratios))
    computed = [math.exp(chance.uniform(1, 6)) for _ in ratios]
    return [
        PastJob(f"job {number}", key, MINUTES, minutes * ratio, minutes)
        for number, (minutes, ratio) in enumerate(zip(computed, ratios, strict=True))
    ]


def noisy(seed: int, count: int, spread: float) -> list[float]:
    chance = random.Random(seed)
    return [FACTOR * math.exp(chance.gauss(0, spread)) for _ in range(count)]


@pytest.mark.parametrize("seed", range(20))
def test_thirty_noisy_jobs_give_the_made_up_factor_within_3_percent(seed: int) -> None:
    (found,) = calibrate(jobs_with(noisy(seed, 30, 0.05)))
    assert found.factor == pytest.approx(FACTOR, rel=0.03)
    assert found.jobs == 30


@pytest.mark.parametrize("seed", range(20))
def test_three_jobs_of_thirty_that_went_wrong_do_not_move_it(seed: int) -> None:
    wrong = [5 * FACTOR, 8 * FACTOR, 3 * FACTOR]
    (found,) = calibrate(jobs_with([*noisy(seed, 27, 0.05), *wrong]))
    assert found.factor == pytest.approx(FACTOR, rel=0.03)


NOISES: dict[str, Callable[[random.Random], float]] = {
    "normal": lambda chance: chance.gauss(0, 0.25),
    "uniform": lambda chance: chance.uniform(-0.4, 0.4),
    "long tail": lambda chance: chance.expovariate(3),
}


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("count", [10, 18, 30, 100])
def test_a_nominal_80_percent_covers_75_to_85_percent_of_held_back_jobs(noise: str, count: int) -> None:
    chance, draw = random.Random(count), NOISES[noise]
    inside = []
    for _ in range(3000 // count):
        low, high = band_of([draw(chance) for _ in range(count)])
        inside += [low <= draw(chance) <= high for _ in range(100)]
    assert 0.75 <= fmean(inside) <= 0.85


def test_the_band_is_told_as_factors_of_the_factor() -> None:
    ratios = noisy(5, 30, 0.25)
    (found,) = calibrate(jobs_with(ratios))
    ends = [math.exp(end) for end in band_of([math.log(ratio) for ratio in ratios])]
    assert [found.low * found.factor, found.high * found.factor] == pytest.approx(ends)


def test_a_job_is_judged_by_the_others_alone() -> None:
    ratios = [math.log(ratio) for ratio in noisy(3, 12, 0.1)]
    for at in range(len(ratios)):
        moved = [*ratios]
        moved[at] += 1.0
        before, after = left_out_residuals(ratios)[at], left_out_residuals(moved)[at]
        assert after - before == pytest.approx(1.0, abs=1e-12)  # its own factor did not follow it
    outermost = [*ratios, 9.0]
    assert held_back_coverage(outermost) < 1.0
    assert band_of(outermost[:-1])[1] < 9.0


def test_errors_of_a_constant_ratio_are_exact() -> None:
    """Twice the computed time on every job: half was computed, an error of 50 %; calibrated there is none."""
    (found,) = calibrate(jobs_with([2.0] * 10))
    assert (found.factor, found.low, found.high, found.covered) == pytest.approx((2, 1, 1, 1))
    assert found.error == pytest.approx(0, abs=1e-12)
    assert found.error_before == pytest.approx(0.5)


def test_nine_jobs_are_too_few() -> None:
    with pytest.raises(TooFewJobs, match=r"at least 10 jobs.*cnc:3-axis \(minutes\): 9"):
        calibrate(jobs_with([1.2] * 9))
    with pytest.raises(TooFewJobs, match="none"):
        calibrate([])


def test_every_process_has_its_own_factor_and_those_with_few_jobs_none() -> None:
    jobs = [*jobs_with([1.5] * 10, "turning:bar"), *jobs_with([0.8] * 11), *jobs_with([3.0] * 3, "casting:sand")]
    found = calibrate(jobs)
    assert [(one.key, one.jobs, round(one.factor, 9)) for one in found] == [
        ("cnc:3-axis", 11, 0.8),
        ("turning:bar", 10, 1.5),
    ]


@pytest.mark.parametrize("actual", [0.0, -3.0, math.nan, math.inf])
def test_an_impossible_amount_is_refused_with_its_job(actual: float) -> None:
    jobs = jobs_with([1.0] * 10)
    with pytest.raises(BadRequest, match="job 4: actual minutes of cnc:3-axis"):
        calibrate([*jobs[:4], replace(jobs[4], actual=actual), *jobs[5:]])


def test_more_jobs_than_can_be_fitted_are_refused() -> None:
    with pytest.raises(BadRequest, match=f"at most the latest {MAXIMUM_JOBS}"):
        calibrate(jobs_with([1.0] * (MAXIMUM_JOBS + 1)))


def test_the_center_of_values_without_outliers_is_near_their_mean_and_of_equal_ones_exact() -> None:
    assert center_of([0.1] * 9 + [7.0]) == 0.1
    assert center_of([-1.0, -0.5, 0.0, 0.5, 1.0]) == pytest.approx(0.0, abs=1e-12)
