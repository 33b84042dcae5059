"""How long jobs wait and take, by outcome and stage: histograms in the database, which every worker adds to.

Workers have no address of their own; whichever API process is asked for metrics reads the numbers of all of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.state.operation_tables import job_timings
from fettle.app.state.store import Store, insert_into

BOUNDS_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
BEYOND_S = 1e9
"""Stands for the bucket without a bound."""


class Timing(StrEnum):
    """What is timed; the label is the outcome of a job, or the name of a stage."""

    WAIT = "wait"
    JOB = "job"
    STAGE = "stage"


@dataclass(frozen=True, slots=True)
class HistogramReading:
    """`cumulative`: number of values up to each of `BOUNDS_S`, and last of all."""

    timing: Timing
    label: str
    cumulative: tuple[int, ...]
    sum_s: float


def observe(connection: Connection, values: Iterable[tuple[Timing, str, float]]) -> None:
    """Add values in the caller's transaction, in a fixed order: two workers then never wait for each other in turn."""
    found: dict[tuple[str, str, float], list[float]] = defaultdict(list)
    for timing, label, seconds in values:
        number = bisect_left(BOUNDS_S, seconds)
        found[timing.value, label, BOUNDS_S[number] if number < len(BOUNDS_S) else BEYOND_S].append(seconds)
    rows = [
        {"metric": metric, "label": label, "bucket_s": bucket_s, "count": len(taken), "sum_s": sum(taken)}
        for (metric, label, bucket_s), taken in sorted(found.items())
    ]
    insert = insert_into(connection, job_timings)
    adding = {name: job_timings.c[name] + insert.excluded[name] for name in ("count", "sum_s")}
    key = [job_timings.c.metric, job_timings.c.label, job_timings.c.bucket_s]
    connection.execute(insert.on_conflict_do_update(index_elements=key, set_=adding), rows)


def read_timings(store: Store) -> list[HistogramReading]:
    """Every histogram."""
    with store.read() as connection:
        rows = connection.execute(sa.select(job_timings)).mappings().all()
    found: dict[tuple[str, str], dict[float, tuple[int, float]]] = defaultdict(dict)
    for row in rows:
        found[row["metric"], row["label"]][row["bucket_s"]] = (row["count"], row["sum_s"])
    readings = []
    for (metric, label), buckets in sorted(found.items()):
        counts = [buckets.get(bound, (0, 0.0))[0] for bound in (*BOUNDS_S, BEYOND_S)]
        cumulative = tuple(sum(counts[: number + 1]) for number in range(len(counts)))
        readings.append(
            HistogramReading(Timing(metric), label, cumulative, sum(taken for _, taken in buckets.values()))
        )
    return readings
