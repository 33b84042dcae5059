"""Two nodes that share PostgreSQL and an object store and nothing else, one of which is killed whole."""

from __future__ import annotations

import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from fettle.app.access import accounts, keys
from fettle.app.access.plans import Meter
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.store import jobs
from fettle.geometry.csg import build
from tests.patience import fetch, until
from tests.web import drill
from tests.web.conftest import free_port

EMAIL = "owner@example.com"
WORKERS = 2
"""Of each node."""
CALLERS = 8
"""Who order at the same time, so that jobs wait."""
QUICK = {"box": [20, 15, 10]}
SLOW = {
    "cut": [
        {"box": [90, 60, 12]},
        *(
            {"move": {"of": {"cylinder": {"d": 6, "h": 30}}, "by": [10 + 10 * column, 10 + 10 * row, -9]}}
            for column in range(8)
            for row in range(5)
        ),
    ]
}
"""Keeps a worker busy while others wait."""


@dataclass(frozen=True)
class Node:
    """One `fettle serve` with a data folder of its own."""

    url: str
    process: subprocess.Popen[bytes]

    def workers(self) -> set[str]:
        return set(drill.workers_of(self.process.pid))


@dataclass(frozen=True)
class Outcome:
    """What a killed node left: jobs that waited or ran anywhere, jobs it had in work itself, seconds until these were
    back in the queue and until all of them ran elsewhere, which waits for a free worker too, attempts -> jobs."""

    unfinished: int
    held: int
    requeued_s: float
    taken_over_s: float
    attempts: Counter[int]


class Nodes:
    """Starts nodes, kills them, and looks at their common state from outside."""

    def __init__(self, shared: Settings, folder: Path) -> None:
        self.folder = folder
        self.shared = shared
        self.operator: Service = open_service(shared.model_copy(update={"data_dir": folder / "operator"}))
        self.owner = accounts.find_or_create(self.operator.store, EMAIL, "enterprise")
        self.quick, self.slow = build(QUICK), build(SLOW)
        self.headers = {"X-API-Key": keys.create(self.operator.store, self.owner, "drill", "svc_live_")}

    @contextmanager
    def running(self, name: str) -> Iterator[Node]:
        """A node whose workers have given a sign of life."""
        settings = self.shared.model_copy(update={"data_dir": self.folder / name})
        port = free_port()
        arguments = ["serve", "--port", str(port), "--workers", str(WORKERS)]
        with drill.started(arguments, drill.environment_of(settings), self.folder / f"{name}.output") as process:
            node = Node(f"http://127.0.0.1:{port}", process)
            until(lambda: len(node.workers() & drill.living(self.operator)) == WORKERS, f"the workers of {name} live")
            yield node

    def order(self, node: Node, number: int, part: bytes) -> str:
        """Submit a file and an angle of its own, so that nothing stored answers it; the job id."""
        data = {"alpha_warn": str(1 + number / 10_000), "max_edge": "20"}
        sent = {"files": {"file": ("part.step", part + b"/* %d */" % number)}, "data": data, "headers": self.headers}
        return str(fetch(f"{node.url}/api/v1/dfm/analyze", "POST", **sent).raise_for_status().json()["job_id"])

    def held_by(self, workers: set[str]) -> set[str]:
        """Jobs that these workers have in work, by the jobs' rows or by the queue."""
        query = sa.select(jobs.c.id).where(jobs.c.status == "running", jobs.c.worker.in_(workers))
        with self.operator.store.read() as connection:
            rows = set(connection.scalars(query))
        return rows | self.queued_at(workers)

    def queued_at(self, workers: set[str]) -> set[str]:
        """Jobs that these workers have in work, by the queue."""
        return {order.job_id for order in self.operator.queue.unfinished() if order.worker in workers}

    def begun(self, ordered: set[str], workers: set[str]) -> set[str]:
        """Jobs of these that others have in work, or that have ended."""
        query = sa.select(jobs.c.id).where(jobs.c.id.in_(ordered), jobs.c.status != "queued")
        others = sa.or_(jobs.c.worker.is_(None), jobs.c.worker.not_in(workers))
        with self.operator.store.read() as connection:
            return set(connection.scalars(query.where(others)))

    def caught_at_work(self, victim: Node, workers: set[str]) -> bool:
        """Whether the victim has begun a job at a moment at which it stands still. It stays so if it has: else the job
        might end between this look and the kill."""
        drill.send(signal.SIGSTOP, victim.process.pid)
        if drill.untried(self.operator) & workers:
            return True
        drill.send(signal.SIGCONT, victim.process.pid)
        return False

    def kill(self, victim: Node, other: Node, first_order: int, count: int) -> Outcome:
        """Order `count` jobs at both nodes, kill one in the middle of its own, and wait for every end. The first are
        slow, one for each worker, so that the others still wait.

        Fails unless each job is done, was written down as done once, counts once and has a result of its own that the
        other node shows.
        """
        metered = self.operator.meters.read(self.owner, Meter.ANALYZE).used
        doors = (victim, other)
        workers = victim.workers()
        numbers = range(first_order, first_order + count)
        ordered = {self.order(victim, number, self.slow) for number in numbers[: 2 * WORKERS]}
        with ThreadPoolExecutor(CALLERS) as pool:
            quick = pool.map(lambda number: self.order(doors[number % 2], number, self.quick), numbers[2 * WORKERS :])
            ordered |= set(quick)
        until(lambda: self.caught_at_work(victim, workers) or self.all_ended(ordered), "the victim is at work")
        unfinished = count - self.statuses(ordered)["done"]
        assert drill.crash(victim.process.pid)
        killed = time.monotonic()
        held = self.held_by(workers)
        until(lambda: not self.queued_at(workers), f"{held} are back in the queue")
        requeued_s = time.monotonic() - killed
        until(lambda: held <= self.begun(held, workers), f"{held} were taken over")
        taken_over_s = time.monotonic() - killed
        until(lambda: self.all_ended(ordered), "all have ended")
        assert self.failures(ordered) == {}
        results = {one: self.result(other, one) for one in ordered}
        ends = drill.ends(self.operator)
        assert {one: ends.get(one, 0) for one in ordered} == dict.fromkeys(ordered, 1)
        assert self.operator.meters.read(self.owner, Meter.ANALYZE).used - metered == count
        assert len({body[-80:] for body in results.values()}) == count
        attempts = drill.attempts(self.operator)
        return Outcome(unfinished, len(held), requeued_s, taken_over_s, Counter(attempts[one] for one in ordered))

    def result(self, node: Node, job_id: str) -> bytes:
        return fetch(f"{node.url}/api/v1/dfm/jobs/{job_id}/result", headers=self.headers).raise_for_status().content

    def failures(self, ordered: set[str]) -> dict[str, list[str]]:
        """Logs of the jobs that ended in an error."""
        failed = sa.select(jobs.c.id).where(jobs.c.id.in_(ordered), jobs.c.status == "error")
        with self.operator.store.read() as connection:
            ids = list(connection.scalars(failed))
        return {one: list(self.operator.jobs.read(self.owner, one).log) for one in ids}

    def all_ended(self, ordered: set[str]) -> bool:
        found = self.statuses(ordered)
        return found["done"] + found["error"] == len(ordered)

    def statuses(self, ordered: set[str]) -> Counter[str]:
        query = sa.select(jobs.c.status).where(jobs.c.id.in_(ordered))
        with self.operator.store.read() as connection:
            return Counter(connection.scalars(query))
