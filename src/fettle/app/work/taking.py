"""The thread of a worker that takes jobs from the queue: as soon as a notice says that one waits, and every `POLL_S`.

DBOS's own thread only polls, so a job would wait for half a poll on average. This one runs the same loop of DBOS, and
ends its pause early.
"""

from __future__ import annotations

import threading

from dbos import DBOS
from dbos._queue import queue_worker_thread  # not public: the version of DBOS is bounded in pyproject.toml

from fettle.app.state.listener import Listener
from fettle.app.state.notices import Topic
from fettle.app.state.store import Store
from fettle.app.work.queue import POLL_S, QUEUE


class Pause(threading.Event):
    """Stands for "stop" in the loop of DBOS, which waits for it between two looks; `end` lets it look at once."""

    def __init__(self) -> None:
        super().__init__()
        self._over = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end of the pause; whether the loop is to stop."""
        self._over.wait(timeout)
        self._over.clear()
        return self.is_set()

    def end(self) -> None:
        self._over.set()


def take_jobs(dbos: DBOS, store: Store) -> None:
    """Take jobs of the queue, one at a time, until the process ends."""
    jobs = DBOS.register_queue(QUEUE, worker_concurrency=1, polling_interval_sec=POLL_S, on_conflict="always_update")
    pause = Pause()
    Listener(store, Topic.QUEUED, lambda _job_id: pause.end()).start()
    threading.Thread(target=queue_worker_thread, args=(pause, dbos, jobs), name="queue", daemon=True).start()
