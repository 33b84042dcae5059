"""A worker that is woken by notices alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from fettle.app.access import accounts
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.options import JobOptions
from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.app.state.notices import Topic
from fettle.app.state.store import Store
from fettle.app.state.uploads import Incoming
from fettle.app.work.queue import POLL_S
from fettle.app.work.taking import length_of_pause_s
from fettle.geometry.csg import build
from tests.patience import PATIENCE_S, until

NEVER_POLLS = "from fettle.app.work import queue; queue.POLL_S = 1e6;from fettle.app.worker import main; main()"


@contextmanager
def worker(settings: Settings) -> Iterator[None]:
    """A worker that does not look into the queue by itself within the patience of a test."""
    said = {"FETTLE_DATA_DIR": str(settings.data_dir), "FETTLE_DATABASE_URL": settings.database_url}
    fork_server, shared = sandbox.share(CHILD_MODULE)
    process = subprocess.Popen(
        [sys.executable, "-c", NEVER_POLLS, "woken"],
        env={**os.environ, **said, **shared},
        pass_fds=[fork_server],
        stdin=subprocess.PIPE,
    )
    try:
        yield
    finally:
        process.kill()  # asked to stop, it would finish its job
        process.wait(PATIENCE_S)
        assert process.stdin is not None
        process.stdin.close()


def listens(store: Store) -> bool:
    """Whether anybody hears of jobs that wait."""
    if store.is_sqlite:
        return any((store.notice_folder / Topic.QUEUED).glob("[!.]*"))
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = :query"
    with store.read() as connection:
        return bool(connection.scalar(sa.text(query), {"query": f"LISTEN {Topic.QUEUED}"}))


def test_a_worker_takes_a_job_by_its_notice(settings: Settings) -> None:
    service = open_service(settings)
    account = accounts.find_or_create(service.store, "owner@example.com")
    with worker(settings), Incoming("block.step", settings.upload_limit_bytes) as incoming:
        until(lambda: listens(service.store), "the worker listens")
        incoming.write(build({"box": [10, 10, 10]}))
        job_id = service.jobs.submit(account, incoming.finish(), JobOptions()).job_id
        until(lambda: service.jobs.read(account, job_id).status != "queued", "the worker has taken the job")
    service.close()


def test_pauses_are_short_while_there_is_something_to_do_and_a_second_at_rest() -> None:
    assert length_of_pause_s(POLL_S, silence_s=0.0) == 0.25
    assert length_of_pause_s(POLL_S, silence_s=60.0) == 1.0
