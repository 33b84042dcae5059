"""The thread of a worker that takes jobs from the queue: as soon as a notice says that one waits, and every `POLL_S`.

DBOS's own thread only polls, so a job would wait for half a poll on average. This one runs the same loop of DBOS, and
ends its pause early. Where nothing has happened for a while it pauses for longer: a look costs some ten milliseconds
of processor time, and an idle service has a worker for every core.
"""

from __future__ import annotations

import threading
import time

from dbos import DBOS
from dbos._queue import queue_worker_thread  # not public: the version of DBOS is bounded in pyproject.toml

from fettle.app.state.listener import Listener
from fettle.app.state.notices import Topic
from fettle.app.state.store import Store, connect_ahead
from fettle.app.work.queue import POLL_S, QUEUE

LIVELY_S = 5.0
"""After a notice or the end of a job: that long the pauses are short."""
IDLE_PAUSES = 4
"""Short pauses that make a long one."""
QUEUE_THREADS = 6
"""Threads of DBOS that may use its tables at once: its schedules and time limits, our loop, a job that ends, the next
one that begins, and one to spare."""


def length_of_pause_s(short_s: float, silence_s: float) -> float:
    """Seconds between two looks, where nothing was heard and no job has ended for `silence_s`."""
    return short_s if silence_s < LIVELY_S else short_s * IDLE_PAUSES


class Pause(threading.Event):
    """Stands for "stop" in the loop of DBOS, which waits for it between two looks; `end` lets it look at once."""

    def __init__(self) -> None:
        super().__init__()
        self._over = threading.Event()
        self._ended = time.monotonic()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of the pause; whether the loop is to stop."""
        silence_s = time.monotonic() - self._ended
        self._over.wait(None if timeout is None else length_of_pause_s(timeout, silence_s))
        self._over.clear()
        return self.is_set()

    def end(self) -> None:
        self._ended = time.monotonic()
        self._over.set()


def take_jobs(dbos: DBOS, store: Store, pause: Pause) -> None:
    """Take jobs of the queue, one at a time, until the process ends."""
    connect_ahead(dbos._sys_db.engine, QUEUE_THREADS)
    jobs = DBOS.register_queue(QUEUE, worker_concurrency=1, polling_interval_sec=POLL_S, on_conflict="always_update")
    Listener(store, Topic.QUEUED, lambda _job_id: pause.end()).start()
    threading.Thread(target=queue_worker_thread, args=(pause, dbos, jobs), name="queue", daemon=True).start()
