"""A worker that is asked to stop while it cannot say so to anybody."""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa

from fettle.app.access import accounts
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.options import JobOptions
from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.app.state.uploads import Incoming
from fettle.geometry.csg import build
from fettle.startup import command
from tests import postgres
from tests.forwarding import forwarding
from tests.patience import until
from tests.web.conftest import free_port

HOLES = [
    {"move": {"of": {"cylinder": {"d": 4, "h": 30}}, "by": [6 * x + 5, 6 * y + 5, -5]}}
    for x in range(12)
    for y in range(12)
]
PART = {"cut": [{"box": [76, 76, 20]}, *HOLES]}


@pytest.mark.parametrize(("away", "status", "ends_with"), [(True, "running", 1), (False, "queued", 0)])
def test_an_orphan_ends_in_the_middle_of_a_job(
    postgres_cluster: str, postgres_template: str, tmp_path: Path, away: bool, status: str, ends_with: int
) -> None:
    """It puts its job back into the queue. Where its database is away nobody hears of it, and the job is taken over
    once the heartbeats are missed, as after a kill."""
    with postgres.database(postgres_cluster, postgres_template) as url:
        settings = Settings(data_dir=tmp_path, database_url=url)
        service = open_service(settings)
        account = accounts.find_or_create(service.store, "owner@example.com")
        address, port = sa.make_url(url), free_port()
        through = address.set(port=port).render_as_string(hide_password=False)
        said = {"FETTLE_DATA_DIR": str(tmp_path), "FETTLE_DATABASE_URL": through}
        with ExitStack() as reached:
            reached.enter_context(forwarding(port, int(address.port or 0)))
            fork_server, shared = sandbox.share(CHILD_MODULE)
            worker = subprocess.Popen(
                command("fettle.app.worker", "alone"),
                env={**os.environ, **said, **shared},
                pass_fds=[fork_server],
                stdin=subprocess.PIPE,
            )
            with Incoming("plate.step", settings.upload_limit_bytes) as incoming:
                incoming.write(build(PART))
                job_id = service.jobs.submit(account, incoming.finish(), JobOptions()).job_id
            until(lambda: service.jobs.read(account, job_id).status == "running", "the worker has taken the job")
            if away:
                reached.close()
            assert worker.stdin is not None
            worker.stdin.close()
            try:
                ended = until(lambda: worker.poll() is not None and [worker.returncode], "the worker has ended")
            finally:
                worker.kill()
                worker.wait()
        assert (ended, service.jobs.read(account, job_id).status) == ([ends_with], status)
        service.close()
