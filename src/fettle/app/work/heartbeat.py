"""Heartbeats of the workers, and what happens to the jobs of one that has stopped.

Every worker writes its row every few seconds and looks at the others'. Nobody compares clocks of two machines: a worker
is dead when its row has not changed for a while by the *observer's* clock. The first living worker by name requeues the
jobs of dead ones. A worker wrongly taken for dead costs a second run of a job, never a wrong result: see `attempts`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from fettle.app.settings import Settings
from fettle.app.state.store import Store, insert_into, jobs, workers
from fettle.app.work.job_states import UNFINISHED
from fettle.app.work.queue import JobQueue
from fettle.app.work.worker_registry import delete_workers

log = logging.getLogger(__name__)

SWEEP_S = 600.0


@dataclass(slots=True)
class LivingWorkers:
    """Which workers are alive, by one observer's monotonic clock."""

    dead_after_s: float
    seen: dict[str, tuple[datetime, float]] = field(default_factory=dict)

    def count(self, beats: dict[str, datetime], now: float) -> tuple[set[str], set[str]]:
        """Compare the rows with those seen before; returns the living and the dead workers."""
        self.seen = {
            worker: self.seen[worker] if worker in self.seen and self.seen[worker][0] == beat else (beat, now)
            for worker, beat in beats.items()
        }
        dead = {worker for worker, (_, since) in self.seen.items() if now - since > self.dead_after_s}
        return set(beats) - dead, dead


class Heartbeat:
    """A thread of a worker: writes its heartbeat; in the first living worker it also requeues lost jobs."""

    def __init__(
        self, settings: Settings, store: Store, queue: JobQueue, sweep: Callable[[], object], worker: str
    ) -> None:
        self._settings = settings
        self._store = store
        self._queue = queue
        self._sweep = sweep
        self._worker = worker
        self._started_at = datetime.now(UTC)
        self._living = LivingWorkers(settings.dead_after_s)
        self._next_sweep = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Write the first heartbeat, so that the jobs this worker takes belong to a living worker."""
        self._beat()
        self._thread.start()

    def stop(self) -> None:
        """Delete this worker's row, which releases its jobs at once."""
        self._stop.set()
        self._thread.join()
        delete_workers(self._store, {self._worker})

    def _run(self) -> None:
        while not self._stop.wait(self._settings.heartbeat_s):
            try:
                self._beat()
                self._take_over_from_dead()
            except Exception:
                # A database that is away for a moment: the next beat tries again, and if none comes through we are
                # rightly counted as dead.
                log.exception("worker %s missed a heartbeat", self._worker)

    def _beat(self) -> None:
        now = datetime.now(UTC)
        with self._store.write() as connection:
            row = {"id": self._worker, "started_at": self._started_at, "beat_at": now}
            connection.execute(
                insert_into(connection, workers)
                .values(row)
                .on_conflict_do_update(index_elements=[workers.c.id], set_={"beat_at": now})
            )

    def _take_over_from_dead(self) -> None:
        with self._store.read() as connection:
            beats = {row.id: row.beat_at for row in connection.execute(sa.select(workers.c.id, workers.c.beat_at))}
        living, dead = self._living.count(beats, time.monotonic())
        if min(living, default=None) != self._worker:
            return
        delete_workers(self._store, dead)
        requeue_orphans(self._store, self._queue, living)
        if time.monotonic() >= self._next_sweep:
            self._next_sweep = time.monotonic() + SWEEP_S
            self._sweep()


def requeue_orphans(store: Store, queue: JobQueue, living: set[str]) -> None:
    """Requeue the jobs of workers that are not alive, and enqueue again a job that is in no queue."""
    orders = queue.unfinished()
    for order in orders:
        if order.worker is not None and order.worker not in living:
            log.warning("worker %s is dead; its job %s goes to another", order.worker, order.job_id)
            queue.requeue(order.id)
    ordered = {(order.job_id, order.run) for order in orders}
    query = sa.select(jobs.c.id, jobs.c.run).where(jobs.c.status.in_(UNFINISHED))
    with store.read() as connection:
        lost = [row for row in connection.execute(query) if (row.id, row.run) not in ordered]
    for row in lost:
        _enqueue_again(store, queue, row.id, row.run)


def _enqueue_again(store: Store, queue: JobQueue, job_id: str, run: int) -> None:
    """The two lists were not read in one moment, so look again while nobody can submit or finish that job."""
    with store.write() as connection:
        ours = sa.and_(jobs.c.id == job_id, jobs.c.run == run, jobs.c.status.in_(UNFINISHED))
        if connection.execute(sa.select(jobs.c.id).where(ours).with_for_update()).one_or_none() is None:
            return
        if any((order.job_id, order.run) == (job_id, run) for order in queue.unfinished()):
            return
        log.warning("job %s was in no queue; enqueued again", job_id)
        queue.enqueue(connection, job_id, run)
