"""Workers and kernel children killed by -9 on an overloaded machine: nothing lost, stuck or done twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from fettle.app import accounts
from fettle.app.accounts import Account
from fettle.app.options import JobOptions
from fettle.app.plans import Meter
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.store import job_lines
from fettle.app.uploads import Incoming

pytestmark = pytest.mark.slow

JOBS = 60
KILLS = 10
PATIENCE_S = 240.0


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    opened = open_service(settings)
    yield opened
    opened.close()


@pytest.fixture
def owner(service: Service) -> Account:
    return accounts.sign_up(service.store, "owner@example.com", "a long password", "pro")


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


@contextmanager
def workers(settings: Settings, count: int) -> Iterator[subprocess.Popen[bytes]]:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "FETTLE_DATA_DIR": str(settings.data_dir),
        "FETTLE_DATABASE_URL": settings.database_url,
        "FETTLE_HEARTBEAT_S": str(settings.heartbeat_s),
        "FETTLE_DEAD_AFTER_S": str(settings.dead_after_s),
        "FETTLE_JOB_ATTEMPTS": str(settings.job_attempts),
        "FETTLE_LOG_LEVEL": "error",
    }
    command = [sys.executable, "-c", "from fettle.cli import main; main()", "worker", "--concurrency", str(count)]
    with subprocess.Popen(command, env=environment) as process:
        yield process
        process.terminate()
        process.wait(60)


def submit(service: Service, owner: Account, part: bytes, number: int) -> str:
    """Every job asks for another angle, so that none is answered from what another one computed."""
    with Incoming("part.step", 10**7) as incoming:
        incoming.write(part)
        options = JobOptions(alpha_warn_deg=1 + number / 100, max_edge_mm=20.0)
        return service.jobs.submit(owner, incoming.finish(), options).job_id


def statuses(service: Service, owner: Account, ids: list[str]) -> dict[str, str]:
    return {job_id: service.jobs.read(owner, job_id)["status"] for job_id in ids}


def wait_for(service: Service, owner: Account, ids: list[str], enough: int, deadline: float) -> dict[str, str]:
    while True:
        now = statuses(service, owner, ids)
        if sum(status in ("done", "error") for status in now.values()) >= enough or time.monotonic() > deadline:
            return now
        time.sleep(0.3)


def test_sixty_jobs_survive_ten_kills(service: Service, owner: Account, settings: Settings, corpus: Path) -> None:
    chance = random.Random(6)
    part = (corpus / "units" / "tet.step").read_bytes()
    ids = [submit(service, owner, part, number) for number in range(JOBS)]
    deadline = time.monotonic() + PATIENCE_S
    killed: Counter[str] = Counter()
    hogs = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        with workers(settings, 2) as supervisor:
            for kill in range(KILLS):
                wait_for(service, owner, ids, (kill + 1) * JOBS // (KILLS + 2), deadline)
                killed[_kill_one(supervisor.pid, chance, worker=kill % 3 == 2)] += 1
            ended = wait_for(service, owner, ids, JOBS, deadline)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    assert Counter(ended.values()) == {"done": JOBS}
    assert killed["worker"] >= 3
    assert killed["kernel child"] + killed["fork server"] >= 5
    with service.store.read() as connection:
        ends = sa.select(sa.func.count()).where(job_lines.c.line.like("%The analysis is done.%"))
        assert connection.execute(ends).scalar_one() == JOBS, "each job ends once"
    assert service.meters.read(owner, Meter.ANALYZE).used == JOBS
    assert service.dispatch.unfinished() == []
    hashes = {service.jobs.result(owner, job_id).body[-80:] for job_id in ids}
    assert len(hashes) == JOBS


def _kill_one(supervisor: int, chance: random.Random, *, worker: bool) -> str:
    """Kill a worker, or the most deeply nested process of one: a kernel child if there is one, else its fork server."""
    patience = time.monotonic() + 30
    while time.monotonic() < patience:
        found = children(supervisor)
        if found:
            pid = chance.choice(found)
            kind = "worker"
            if not worker:
                servers = children(pid)
                kernels = [kernel for server in servers for kernel in children(server)]
                if not kernels:
                    time.sleep(0.02)
                    continue
                pid, kind = kernels[0], "kernel child"
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            return kind
        time.sleep(0.05)
    return "nobody"
