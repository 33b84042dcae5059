"""The queue's tables."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from fettle.app.settings import Settings
from fettle.app.state.notices import Topic
from fettle.app.state.store import Store
from fettle.app.work import queue
from fettle.app.work.queue import JobQueue
from tests.app.test_notices import hearing, next_of
from tests.counts import FULL
from tests.patience import PATIENCE_S

ROUNDS = 20 if FULL else 1


def test_processes_that_start_together_on_an_empty_database_are_all_ready(postgres_cluster: str) -> None:
    """Six at the same moment. Those that waited for the lock in one statement, with its snapshot, stopped the one that
    had it: building an index concurrently waits for older snapshots."""
    command = [sys.executable, "-m", "tests.app.start_together", postgres_cluster, str(ROUNDS)]
    limit_s = ROUNDS * 60 + PATIENCE_S
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == ROUNDS


def test_a_job_is_the_only_one_until_another_waits_and_once_that_has_ended(settings: Settings) -> None:
    store = Store(settings.database)
    jobs = JobQueue(store)
    with store.write() as connection:
        jobs.enqueue(connection, "job_1", 1)
    (first,) = jobs.unfinished()
    assert jobs.is_only(first.id)
    with store.write() as connection:
        jobs.enqueue(connection, "job_2", 1)
    assert not jobs.is_only(first.id)
    (second,) = [order for order in jobs.unfinished() if order.id != first.id]
    jobs._client.cancel_workflow(second.id)
    assert jobs.is_only(first.id)
    jobs.close()
    store.close()


def test_workers_hear_of_a_job_that_is_put_back_into_the_queue_as_of_a_new_one(settings: Settings) -> None:
    store = Store(settings.database)
    jobs = JobQueue(store)
    with store.write() as connection:
        jobs.enqueue(connection, "job_1", 1)
    (order,) = jobs.unfinished()
    with hearing(store, Topic.QUEUED) as heard:
        jobs.requeue(order.id)
        with store.write() as connection:
            jobs.enqueue(connection, "job_2", 1)
        assert next_of(heard) == "job_1"
    jobs.close()
    store.close()


def test_everything_that_ended_is_forgotten_however_many_pages_it_fills(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "PAGE", 3)
    store = Store(settings.database)
    jobs = JobQueue(store)
    with store.write() as connection:
        for number in range(8):
            jobs.enqueue(connection, f"job_{number}", 1)
    for order in jobs.unfinished()[1:]:
        jobs._client.cancel_workflow(order.id)
    later = datetime.now(UTC) + timedelta(days=1)
    assert jobs.ended(later) == 7
    assert jobs.forget(later) == 7
    assert (jobs.ended(later), len(jobs.unfinished())) == (0, 1)
    jobs.close()
    store.close()
