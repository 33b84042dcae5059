"""Backup under load, everything wiped, restore: nothing that was accepted before the backup is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from fettle.app.access import accounts
from fettle.app.access.meters import Meters
from fettle.app.access.plans import Meter, load_plans
from fettle.geometry.csg import build
from tests import postgres
from tests.counts import FULL, some
from tests.patience import PATIENCE_S, until
from tests.web.conftest import Running, running, step, wait_for
from tests.web.drill import command_line, crash, descendants

pytestmark = pytest.mark.slow

BEFORE = 12 if FULL else 5
"""Jobs that are accepted before the backup begins; two of them have ended by then."""
OWNER = "owner@example.com"


def fettle(folder: Path, database_url: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the operator on this state."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    environment |= {"FETTLE_DATA_DIR": str(folder / "data"), "FETTLE_DATABASE_URL": database_url}
    command = [sys.executable, "-c", "from fettle.cli import main; main()", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


class Load:
    """A caller that sends part after part, each with another angle, so that none is answered from a cache."""

    def __init__(self, client: httpx.Client, part: bytes) -> None:
        self.accepted: list[str] = []
        self._client, self._part = client, part
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self._stop.is_set():
            data = {"alpha_warn": str(1 + len(self.accepted) / 1000), "max_edge": "20"}
            answer = self._client.post("/dfm/analyze", files=step(self._part), data=data)
            assert answer.status_code == 202, answer.text
            self.accepted.append(answer.json()["job_id"])
            self._stop.wait(0.3)

    @contextmanager
    def going(self) -> Iterator[None]:
        self._thread.start()
        yield
        self._stop.set()
        self._thread.join()


@pytest.fixture(params=some(["postgresql", "sqlite"], every=2))
def cluster(request: pytest.FixtureRequest) -> str:
    """The PostgreSQL cluster to make databases in; empty for SQLite."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("postgres_cluster"))


@contextmanager
def new_database(cluster: str) -> Iterator[str]:
    """A database that is gone afterwards; empty for SQLite, whose file is in the data folder."""
    if not cluster:
        yield ""
        return
    with postgres.database(cluster) as url:
        yield url


def answers(client: httpx.Client, job_ids: list[str]) -> dict[str, Any]:
    """The results without their addresses, which begin with the port of this run."""
    found = {job_id: client.get(f"/dfm/jobs/{job_id}/result").json() for job_id in job_ids}
    return {job_id: {**result, "artifacts": None} for job_id, result in found.items()}


def ended(client: httpx.Client, job_ids: list[str]) -> list[str]:
    return [job_id for job_id in job_ids if client.get(f"/dfm/jobs/{job_id}").json()["status"] == "done"]


def used(service: Running) -> int:
    return Meters(service.store, load_plans()).read(accounts.find(service.store, OWNER), Meter.ANALYZE).used


def test_what_was_accepted_before_a_backup_survives_the_loss_of_everything(cluster: str, tmp_path: Path) -> None:
    part, archive = build({"box": [20, 15, 10]}), tmp_path / "fettle.tar"
    with new_database(cluster) as url, running(tmp_path / "one", worker=True, database_url=url) as service:
        key = service.key("pro", OWNER)
        with service.client(key) as client:
            load = Load(client, part)
            with load.going():
                until(lambda: len(load.accepted) >= BEFORE, "jobs are accepted")
                until(lambda: len(ended(client, load.accepted[:BEFORE])) >= 2, "some are done", poll_s=0.5)
                before = list(load.accepted)
                done = answers(client, ended(client, before))
                saved = fettle(tmp_path / "one", url, "backup", str(archive))
            assert saved.returncode == 0, saved.stderr
            assert len(load.accepted) > len(before), "nobody waited for the backup"
        programs = [service.process.pid, *descendants(service.process.pid)]
        crash(service.process.pid)
        # a worker that still writes would bring back what is wiped
        until(lambda: not any(command_line(pid) for pid in programs), "every process of the service is gone")
    shutil.rmtree(tmp_path / "one")

    with new_database(cluster) as url:
        restored = fettle(tmp_path / "two", url, "restore", str(archive))
        assert restored.returncode == 0, restored.stderr
        with running(tmp_path / "two", worker=True, database_url=url) as service, service.client(key) as client:
            listed = client.get("/dfm/jobs", params={"limit": 100}).json()["jobs"]
            assert set(before) <= {job["job_id"] for job in listed}
            assert answers(client, list(done)) == done
            assert {wait_for(client, job_id)["status"] for job_id in before} == {"done"}
            results = answers(client, before)
            assert len({json.dumps(result, sort_keys=True) for result in results.values()}) == len(before)
            assert used(service) == len(listed), "each is counted once"
