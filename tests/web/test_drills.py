"""Races, kills by -9 and crashes of the whole service: nothing lost, stuck, metered twice or done twice."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from fettle.app.access import accounts, keys
from fettle.app.access.accounts import Account
from fettle.app.access.plans import Meter
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.geometry.csg import build
from tests import postgres
from tests.conftest import Bucket
from tests.counts import FULL, some
from tests.patience import PATIENCE_S, until
from tests.web import drill
from tests.web.conftest import free_port
from tests.web.nodes import Nodes

pytestmark = pytest.mark.slow

REQUESTS = 240 if FULL else 60
CAP = 30 if FULL else 9
INCLUDED = 100
"""Analyses of the free plan: all but `CAP` are used up before the race."""
PROCESSES = 4
WORKER, KERNEL = "worker", "kernel child"
ROUNDS = ((KERNEL, KERNEL, KERNEL), (WORKER, WORKER, KERNEL)) if FULL else ((KERNEL, WORKER),)
"""What is killed, one after the other, while a service works; at the end of each round all of it."""
KILLS = sum(map(len, ROUNDS))
SHARED = 12
DEAD_AFTER_S = 15.0
"""Silence of fifteen heartbeats: what is tested is that all of it ends, not how fast an overloaded machine is."""

RACE = """
import sys, httpx
from concurrent.futures import ThreadPoolExecutor
url, key, first, last, path, patience_s = sys.argv[1:]
part = open(path, "rb").read()
with httpx.Client(headers={"X-API-Key": key}, timeout=float(patience_s)) as client:
    def ask(number):
        data = {"alpha_warn": str(1 + number / 1000), "max_edge": "20"}
        return client.post(url, files={"file": ("part.step", part)}, data=data).status_code
    with ThreadPoolExecutor(4) as pool:
        print(*pool.map(ask, range(int(first), int(last))))
"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"heartbeat_s": 1.0, "dead_after_s": DEAD_AFTER_S})


@pytest.fixture
def operator(settings: Settings) -> Iterator[Service]:
    """The same state, seen from outside."""
    opened = open_service(settings)
    yield opened
    opened.close()


@contextmanager
def starting(settings: Settings, folder: Path, workers: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Address of a service that is on its way up, and the process that keeps it."""
    port = free_port()
    arguments = ["serve", "--port", str(port), "--workers", str(workers)]
    with drill.started(arguments, drill.environment_of(settings), folder / "output") as process:
        yield f"http://127.0.0.1:{port}", process


def wait_for_door(url: str) -> None:
    """Until callers can queue: the door is there before anybody behind it."""
    host, port = url.removeprefix("http://").split(":")

    def stands() -> bool:
        with suppress(ConnectionRefusedError), socket.create_connection((host, int(port))):
            return True
        return False

    until(stands, f"{url} can be reached")


def race(url: str, key: str, part: Path) -> Counter[str]:
    """Orders at once from several processes, each for another angle; counts their statuses."""
    share = REQUESTS // PROCESSES
    asked = [
        [f"{url}/api/v1/dfm/analyze", key, str(number * share), str((number + 1) * share), str(part), str(PATIENCE_S)]
        for number in range(PROCESSES)
    ]
    racers = [
        subprocess.Popen([sys.executable, "-c", RACE, *words], stdout=subprocess.PIPE, text=True) for words in asked
    ]
    return Counter(word for racer in racers for word in racer.communicate(timeout=PATIENCE_S)[0].split())


def kill_one(operator: Service, supervisor: int, chance: random.Random, what: str) -> str:
    """Kill a worker or its kernel child, in the middle of a first attempt: nobody can be hit three times."""

    def hit() -> str | None:
        found = drill.workers_of(supervisor)
        busy = sorted(drill.untried(operator) & set(found))
        if not busy:
            return None
        pid = found[chance.choice(busy)]
        victims = [pid] if what == WORKER else drill.kernels_of(pid)
        return what if drill.kill(*victims) else None

    return until(hit, "somebody is in a first attempt")


def wait_for_first_attempts(operator: Service, supervisors: tuple[int, ...], least: int) -> None:
    """Until so many workers of theirs are in the middle of one."""

    def enough() -> bool:
        names = {name for supervisor in supervisors for name in drill.workers_of(supervisor)}
        return len(drill.untried(operator) & names) >= least

    until(enough, f"{least} workers are in a first attempt")


@pytest.mark.parametrize("settings", some(["sqlite", "postgresql"], every=2), indirect=True)
def test_a_race_at_the_cap_kills_and_crashes_lose_nothing(
    operator: Service, settings: Settings, tmp_path: Path
) -> None:
    chance = random.Random(6)
    part = tmp_path / "part.step"
    part.write_bytes(build({"box": [20, 15, 10]}))
    owner = accounts.find_or_create(operator.store, "owner@example.com")
    key = keys.create(operator.store, owner, "drill", "svc_live_")
    operator.meters.adjust(owner, Meter.ANALYZE, INCLUDED - CAP)

    killed: Counter[str] = Counter()
    with starting(settings, tmp_path, workers=0) as (url, service):
        wait_for_door(url)
        assert race(url, key, part) == {"202": CAP, "402": REQUESTS - CAP}
        killed["everybody"] += drill.crash(service.pid)
    assert operator.meters.read(owner, Meter.ANALYZE).used == INCLUDED
    assert drill.count(operator, "queued") == CAP

    for kills in ROUNDS:
        with starting(settings, tmp_path, workers=2) as (_, service):
            wait_for_first_attempts(operator, (service.pid,), 1)
            # Beside other tests the machine is busy anyway.
            with drill.busy_machine() if FULL else nullcontext():
                for what in kills:
                    done = killed.total() - killed["everybody"]
                    drill.wait_for_ends(operator, (done + 1) * CAP // (KILLS + 3))
                    killed[kill_one(operator, service.pid, chance, what)] += 1
                wait_for_first_attempts(operator, (service.pid,), 1)
                killed["everybody"] += drill.crash(service.pid)
    with drill.started(["worker", "--concurrency", "2"], drill.environment_of(settings), tmp_path / "output"):
        drill.wait_for_ends(operator, CAP)
        # A job has ended a moment before its queue writes that down: a worker stopped in between leaves it to the next.
        until(lambda: not operator.queue.unfinished(), "the queue is empty")
    assert killed == Counter({"everybody": 1 + len(ROUNDS)}) + Counter(what for kills in ROUNDS for what in kills)
    check_ends(operator, owner)


def check_ends(operator: Service, owner: Account) -> None:
    """Every job is done, was written down as done once, counts once, and has a result of its own."""
    listed, _ = operator.jobs.read_all(owner, limit=100)
    assert Counter(job.status for job in listed) == {"done": CAP}
    assert set(drill.ends(operator).values()) == {1}
    assert len(drill.ends(operator)) == CAP
    assert max(drill.attempts(operator).values()) <= operator.settings.job_attempts
    assert operator.meters.read(owner, Meter.ANALYZE).used == INCLUDED
    assert len({operator.jobs.result(owner, job.job_id).body[-80:] for job in listed}) == CAP


def test_two_nodes_share_the_work_and_one_of_them_dies(
    postgres_cluster: str, postgres_template: str, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nodes with a data folder each have nothing in common but PostgreSQL and an object store over HTTP. The same
    with thirty jobs, twenty times: `python -m benchmarks node_kills`."""
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    with postgres.database(postgres_cluster, postgres_template) as url:
        nodes = Nodes(
            Settings(database_url=url, storage_url=bucket.url, heartbeat_s=1.0, dead_after_s=DEAD_AFTER_S), tmp_path
        )
        with nodes.running("left") as left, nodes.running("right") as right:
            outcome = nodes.kill(left, right, first_order=0, count=SHARED)
        nodes.operator.close()
    assert outcome.held >= 1
    assert max(outcome.attempts) == 2, "the jobs of the node that died were done by the other"
    assert not (tmp_path / "left" / "files").exists()
