"""The job queue: DBOS workflows in our own database.

DBOS keeps its tables beside ours, so a workflow is enqueued in the transaction that writes the job's row. It gives
every workflow to one worker at a time. That a worker died is for us to notice: see `heartbeat`.
"""

from __future__ import annotations

import fcntl
import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dbos import DBOS, DBOSClient, DBOSConfig
from sqlalchemy import Connection, make_url, text

from fettle.app.state.notices import Topic, tell
from fettle.app.state.store import Store

APPLICATION = "fettle"
QUEUE = "analyses"
WORKFLOW = "run_job"
POLL_S = 0.25
"""How often a worker looks into the queue where no notice wakes it, while there is something to do."""
UNUSED_S = 60.0
"""How often DBOS looks for what we do not use: messages and events of workflows."""
VERSION = "1"
"""Of the workflow's arguments. DBOS runs only workflows of its own version, and ours must survive an upgrade."""

WAITING, RUNNING = "ENQUEUED", "PENDING"
PAGE = 200
MIGRATION_LOCK = 7_236_512
LOCK_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """One workflow: run number `run` of a job, and the worker that holds it (None while it waits)."""

    id: str
    job_id: str
    run: int
    worker: str | None


class JobQueue:
    """Enqueues and lists workflows. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        quiet_log()
        self._store = store
        self._client = DBOSClient(system_database_url=store.url, application_name=APPLICATION)

    def enqueue(self, connection: Connection, job_id: str, run: int) -> None:
        """Enqueue one run of a job, if and when the caller's transaction commits."""
        self._client.enqueue_in_transaction(
            connection,
            {
                "workflow_name": WORKFLOW,
                "queue_name": QUEUE,
                "workflow_id": f"{job_id}:{run}:{secrets.token_hex(4)}",
                "app_version": VERSION,
            },
            job_id,
            run,
        )
        tell(connection, Topic.QUEUED, job_id)

    def unfinished(self) -> list[QueuedJob]:
        """Every workflow that waits or runs."""
        orders: list[QueuedJob] = []
        page = PAGE
        while page == PAGE:
            found = self._client.list_workflows(
                status=[WAITING, RUNNING],
                name=WORKFLOW,
                limit=PAGE,
                offset=len(orders),
                load_input=False,
                load_output=False,
            )
            page = len(found)
            for workflow in found:
                job_id, run, _ = workflow.workflow_id.split(":")
                worker = workflow.executor_id if workflow.status == RUNNING else None
                orders.append(QueuedJob(workflow.workflow_id, job_id, int(run), worker))
        return orders

    def is_only(self, workflow_id: str) -> bool:
        """Whether no other workflow waits or runs."""
        found = self._client.list_workflows(
            status=[WAITING, RUNNING], name=WORKFLOW, limit=2, load_input=False, load_output=False
        )
        return all(workflow.workflow_id == workflow_id for workflow in found)

    def requeue(self, workflow_id: str) -> None:
        """Put a workflow back into the queue for another worker, which is woken as by a new one."""
        self._client.resume_workflow(workflow_id, queue_name=QUEUE)
        job_id, _, _ = workflow_id.split(":")
        with self._store.write() as connection:
            tell(connection, Topic.QUEUED, job_id)

    def ended(self, before: datetime) -> int:
        """How many workflows `forget` would delete."""
        count = 0
        while found := self._ended(before, offset=count):
            count += len(found)
        return count

    def forget(self, before: datetime) -> int:
        """Delete workflows that ended before that time, page by page; returns how many."""
        count = 0
        while found := self._ended(before):
            self._client.delete_workflows(found)
            count += len(found)
        return count

    def _ended(self, before: datetime, offset: int = 0) -> list[str]:
        """A page of them."""
        found = self._client.list_workflows(
            completed_before=before.isoformat(),
            name=WORKFLOW,
            limit=PAGE,
            offset=offset,
            load_input=False,
            load_output=False,
        )
        return [workflow.workflow_id for workflow in found]

    def close(self) -> None:
        self._client.destroy()


def migrate_queue(store: Store) -> None:
    """Bring DBOS's tables to its newest step, one process at a time."""
    quiet_log()
    with _alone(store):
        DBOS.migrate(store.url)


def worker_config(store: Store, worker: str) -> DBOSConfig:
    """DBOS settings of a worker process of this name."""
    return {
        "name": APPLICATION,
        "system_database_url": store.url,
        "application_version": VERSION,
        "executor_id": worker,
        "run_migrations": False,
        "notification_listener_polling_interval_sec": UNUSED_S,
        "notification_coalesce_sec": UNUSED_S,
        "log_level": "WARNING",
    }


def quiet_log() -> None:
    """Send DBOS's log, which it writes to stderr by itself, where ours goes."""
    log = logging.getLogger("dbos")
    for handler in list(log.handlers):
        log.removeHandler(handler)
    log.addHandler(logging.NullHandler())
    log.propagate = True
    log.setLevel(logging.WARNING)


@contextmanager
def _alone(store: Store) -> Iterator[None]:
    """Hold a lock of the database, or of a file beside it, so that no other process migrates meanwhile.

    On PostgreSQL the lock is the session's, no transaction is open, and whoever waits asks again and again: DBOS builds
    indexes concurrently, which waits for every older snapshot to end, and a statement that waits for the lock holds one
    for as long. The two would wait for each other for ever, and PostgreSQL does not see it.
    """
    if not store.is_sqlite:
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            ask = text("SELECT pg_try_advisory_lock(:number)")
            while not connection.scalar(ask, {"number": MIGRATION_LOCK}):
                time.sleep(LOCK_POLL_S)
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:number)"), {"number": MIGRATION_LOCK})
        return
    path = Path(str(make_url(store.url).database))
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
