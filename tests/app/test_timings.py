"""Times of jobs as histograms in the database: what lies in which bucket is counted by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from fettle.app.state.store import Store
from fettle.app.work.timings import BOUNDS_S, Timing, observe, read_timings


def test_values_are_counted_up_to_each_bound(store: Store) -> None:
    with store.write() as connection:
        observe(connection, [(Timing.STAGE, "read", seconds) for seconds in (0.01, 0.05, 0.3, 0.5, 1000.0)])
        observe(connection, [(Timing.STAGE, "read", 0.02), (Timing.JOB, "done", 3.0)])
    job, stage = read_timings(store)
    assert (job.timing, job.label, job.sum_s) == (Timing.JOB, "done", pytest.approx(3.0))
    assert job.cumulative[BOUNDS_S.index(2.5)] == 0
    assert job.cumulative[BOUNDS_S.index(5.0)] == 1
    assert dict(zip(BOUNDS_S, stage.cumulative, strict=False)) == {
        0.05: 3, 0.1: 3, 0.25: 3, 0.5: 5, 1.0: 5, 2.5: 5, 5.0: 5, 10.0: 5, 30.0: 5, 60.0: 5, 120.0: 5, 300.0: 5,
    }  # fmt: skip
    assert stage.cumulative[-1] == 6
    assert stage.sum_s == pytest.approx(1000.88)


def test_workers_that_add_together_lose_nothing_and_do_not_block_each_other(store: Store) -> None:
    values = [(Timing.STAGE, "read", 0.2), (Timing.JOB, "done", 2.0), (Timing.WAIT, "", 0.01)]

    def add(number: int) -> None:
        with store.write() as connection:
            observe(connection, values if number % 2 else values[::-1])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))
    assert {(found.timing, found.cumulative[-1]) for found in read_timings(store)} == {
        (Timing.STAGE, 40), (Timing.JOB, 40), (Timing.WAIT, 40),
    }  # fmt: skip
