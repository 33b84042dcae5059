"""Starts several processes at the same moment on a new PostgreSQL database: `python -m tests.app.start_together URL N`.

Each brings the tables to the newest step as every process of a service does at its start. Prints the seconds until all
were ready, one line a round; ends with 1 if a round was not ready in time.
"""

from __future__ import annotations

import sys
import time
from multiprocessing import get_context

from fettle.app.settings import Settings
from fettle.app.state.migrations import steps, upgrade  # noqa: F401 - alembic is loaded before the processes part
from fettle.app.state.store import Store
from fettle.app.work.queue import migrate_queue
from tests import postgres

PROCESSES = 6
READY_S = 60.0


def open_tables(url: str) -> None:
    store = Store(Settings(database_url=url).database)
    upgrade(store)
    migrate_queue(store)
    store.close()


def start_together(cluster_url: str) -> float:
    """Seconds until all of them were ready."""
    fork = get_context("fork")
    with postgres.database(cluster_url) as url:
        started = time.monotonic()
        processes = [fork.Process(target=open_tables, args=(url,)) for _ in range(PROCESSES)]
        for process in processes:
            process.start()
        for process in processes:
            process.join(max(0.0, started + READY_S - time.monotonic()))
        seconds = time.monotonic() - started
        late = [process for process in processes if process.exitcode != 0]
        for process in late:
            process.kill()
            process.join()
        if late:
            sys.exit(f"{len(late)} of {PROCESSES} processes were not ready after {READY_S:.0f} s")
    return seconds


if __name__ == "__main__":
    for _ in range(int(sys.argv[2])):
        print(f"{start_together(sys.argv[1]):.1f}", flush=True)
