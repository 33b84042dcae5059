"""Fifteen minutes of mixed load at 70 % of capacity: errors, response times, memory, open files, disk.

Capacity is measured first, by as many callers as keep every worker busy; callers ask for their jobs as often as
`fettle-client` does. `FETTLE_BENCH_SOAK_S` sets the seconds of load (default 900). Other users of the machine show in
every figure: the load at both ends is told.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import httpx

from benchmarks.calls import disk_bytes, part_of_150_faces
from benchmarks.processes import Sample, sample
from benchmarks.service import SMALL, order, serving, wait
from benchmarks.table import Table
from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.client.flows import POLL_S
from fettle.geometry.csg import build

SOAK_S = float(os.environ.get("FETTLE_BENCH_SOAK_S", "900"))
CAPACITY_JOBS = 48
SHARE = 0.7
CALLS_A_SECOND = 5.0
"""Cheap calls beside the analyses and their polls."""
SAMPLE_S = 1.0
IDLE_S = 10.0
"""After which the connections of callers who wait for nothing are closed."""
SLOWER = 1.2
"""What p99 of the last third may be of the first."""
GROWN = 1.05
"""What memory and open files of the last third may be of the first."""
LATER = timedelta(days=30)
"""When everything that was made here is past its time."""


class Soak:
    """Callers, and what they noticed: (second, ms) by kind of call, and what was answered otherwise than expected."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.parts = [build(SMALL), build(SMALL), build(part_of_150_faces())]
        self.numbers = count()
        self.start = time.monotonic()
        self.times: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.job_ids: list[str] = []

    def analyze(self) -> None:
        """One job from its submission to its result."""
        number = next(self.numbers)
        began = time.monotonic()
        job_id = order(self.client, self.parts[number % len(self.parts)] + b"/* %d */" % number, number)
        job = wait(self.client, job_id, POLL_S)
        if job["status"] != "done":
            self.errors[f"job: {job['error']}"] += 1
        self.times["analysis"].append((began - self.start, (time.monotonic() - began) * 1000))
        self.job_ids.append(job_id)

    def call(self, chance: random.Random) -> None:
        """One cheap call of a kind that dashboards and integrations make."""
        job_id = self.job_ids[-1]
        path, headers, expected = chance.choice(
            [
                ("/materials", {}, 200),
                ("/materials", {"X-API-Key": "none"}, 401),
                (f"/dfm/jobs/{job_id}", {}, 200),
                (f"/dfm/jobs/{job_id}/result", {}, 200),
                ("/dfm/jobs?limit=20", {}, 200),
                ("/quotes/none", {}, 404),
                ("/webhooks", {}, 200),
            ]
        )
        self.ask(path, headers, expected)

    def ask(self, path: str, headers: dict[str, str], expected: int) -> None:
        began = time.monotonic()
        answer = self.client.get(path, headers=headers)
        self.times["cheap call"].append((began - self.start, answer.elapsed.total_seconds() * 1000))
        if answer.status_code != expected:
            self.errors[f"{answer.status_code} for {path.split('job_', maxsplit=1)[0]}"] += 1


def capacity(soak: Soak, workers: int) -> float:
    """Analyses a second with every worker busy."""
    began = time.monotonic()
    with ThreadPoolExecutor(4 * workers) as pool:
        for done in [pool.submit(soak.analyze) for _ in range(CAPACITY_JOBS)]:
            done.result()
    return CAPACITY_JOBS / (time.monotonic() - began)


def keep_calling(
    soak: Soak, rate: float, what: Callable[[], None], pool: ThreadPoolExecutor, chance: random.Random
) -> None:
    """Calls at random moments, `rate` a second on average, whether or not earlier ones were answered."""

    def guarded() -> None:
        try:
            what()
        except httpx.HTTPError as error:
            soak.errors[repr(error)] += 1

    while time.monotonic() - soak.start < SOAK_S:
        time.sleep(chance.expovariate(rate))
        pool.submit(guarded)


def times_of(soak: Soak) -> Table:
    rows = []
    for kind, times in soak.times.items():
        thirds = [
            sorted(ms for at, ms in times if part * SOAK_S / 3 <= at < (part + 1) * SOAK_S / 3) for part in range(3)
        ]
        p50s, p99s = ([third[int(share * len(third))] for third in thirds] for share in (0.5, 0.99))
        shown = ", ".join(f"{p50:.0f}/{p99:.0f}" for p50, p99 in zip(p50s, p99s, strict=True))
        rows.append((kind, str(len(times)), shown, f"{p99s[-1] / p99s[0]:.2f}"))
    note = f"Otherwise answered than expected: {sum(soak.errors.values())} {dict(soak.errors) or ''}".rstrip() + "."
    columns = ("what", "number", "p50/p99 of the thirds, ms", f"p99, last to first (allowed: {SLOWER})")
    return Table("", columns, tuple(rows), (note,))


def processes_of(samples: list[list[Sample]]) -> Table:
    """Memory and open files in the first and the last third, for every process that lived through. Of memory the peaks:
    a job's memory is given back when it ends, and how often a sample falls into a job follows the load. Of files the
    mean: the most of 300 moments is one where several jobs happened to overlap, and a file that is never closed raises
    every later moment."""
    through = set.intersection(*({one.process for one in seen} for seen in samples))
    third, rows = max(1, len(samples) // 3), []
    for process in sorted(through, key=lambda one: (one.title, one.pid)):
        seen = [next(one for one in moment if one.process == process) for moment in samples]
        figures: tuple[tuple[str, list[float], Callable[[list[float]], float]], ...] = (
            ("MB at most", [one.megabytes for one in seen], max),
            ("open files, mean", [float(one.files) for one in seen], statistics.fmean),
        )
        for what, values, summed in figures:
            first, last = summed(values[:third]), summed(values[-third:])
            rows.append((f"{process.title}: {what}", f"{first:.1f}", f"{last:.1f}", f"{last / first:.3f}"))
    return Table("", ("process", "first third", "last third", f"last to first (allowed: {GROWN})"), tuple(rows))


def sockets_left(before: list[Sample], after: list[Sample]) -> int:
    """Of all processes, while nobody calls."""
    held = {one.process: one.sockets for one in before}
    return sum(one.sockets - held[one.process] for one in after if one.process in held)


def tables() -> Iterator[Table]:
    workers, load = os.cpu_count() or 1, os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name, serving(Path(name), workers) as (client, api):
        soak = Soak(client)
        operator = open_service(Settings(data_dir=Path(name)))
        soak.analyze()
        operator.sweep(datetime.now(UTC) + LATER)
        level = disk_bytes(Path(name))
        rate = SHARE * capacity(soak, workers)
        made, filled = len(soak.job_ids), disk_bytes(Path(name))
        time.sleep(IDLE_S)
        idle = sample(api)
        soak.times.clear()
        soak.start = time.monotonic()
        samples: list[list[Sample]] = []
        chance = random.Random(22)
        with ThreadPoolExecutor(200) as pool:
            loads = [(rate, soak.analyze), (CALLS_A_SECOND, lambda: soak.call(chance))]
            callers = [
                threading.Thread(target=keep_calling, args=(soak, often, what, pool, random.Random(number)))
                for number, (often, what) in enumerate(loads)
            ]
            for caller in callers:
                caller.start()
            while any(caller.is_alive() for caller in callers):
                time.sleep(SAMPLE_S)
                samples.append(sample(api))
        time.sleep(IDLE_S)
        sockets = sockets_left(idle, sample(api))
        peak, made = disk_bytes(Path(name)), len(soak.job_ids) - made
        removed = operator.sweep(datetime.now(UTC) + LATER)
        after = disk_bytes(Path(name))
        operator.close()
    yield times_of(soak)
    yield processes_of(samples)
    figures = {
        "seconds of load": f"{SOAK_S:.0f}",
        f"analyses a minute, {SHARE:.0%} of capacity": f"{rate * 60:.0f}",
        "load of the machine before and after": f"{load:.1f}, {os.getloadavg()[0]:.1f}",
        "sockets left over": str(sockets),
        "disk before, MB": f"{level / 1e6:.1f}",
        "disk at the end, MB": f"{peak / 1e6:.0f}",
        "of that an analysis, MB": f"{(peak - filled) / made / 1e6:.2f}",
        "disk after the sweep, MB": f"{after / 1e6:.1f}",
        "things swept": str(sum(one.count for one in removed)),
    }
    yield Table("", ("what", "figure"), tuple(figures.items()))
