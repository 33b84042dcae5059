"""From the last release to this one, on both databases: what it left waiting and done, and both side by side.

`FETTLE_BENCH_OLD` names a checkout of the last release (`git worktree add ../old 0.1.0`); it runs on the libraries of
this environment. Ends with an AssertionError that says what was lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

import fettle
from benchmarks.service import SMALL, order, wait
from benchmarks.table import Table
from fettle.app.access import accounts
from fettle.app.access.plans import Meter
from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.geometry.csg import build
from tests import postgres
from tests.patience import PATIENCE_S, until
from tests.web import drill
from tests.web.conftest import free_port

NEW = Path(fettle.__file__).parents[1]
LEFT, BESIDE = 8, 20
"""Jobs ordered before the old version stops, and while both run."""
EMAIL = "owner@example.com"


@dataclass(frozen=True)
class State:
    """What both versions run on."""

    settings: Settings
    folder: Path
    part: bytes

    def environment(self, source: Path) -> dict[str, str]:
        """Of a process that runs the code in `source`."""
        plain = str(self.settings.store_plain).lower()
        return drill.environment_of(self.settings, FETTLE_STORE_PLAIN=plain, PYTHONPATH=str(source))

    @contextmanager
    def serving(self, source: Path, key: str | None = None) -> Iterator[tuple[httpx.Client, int]]:
        """A caller of a service of that code, and its supervisor; it has a key where none is given."""
        port = free_port()
        arguments = ["serve", "--port", str(port), "--workers", "1"]
        with drill.started(arguments, self.environment(source), self.folder / "output", own_kernel=True) as process:
            url = f"http://127.0.0.1:{port}"
            until(lambda: _ready(url), f"{url} is ready")
            headers = {"X-API-Key": key or self._new_key(source)}
            with httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=PATIENCE_S) as client:
                yield client, process.pid

    def _new_key(self, source: Path) -> str:
        asked = [*drill.FETTLE, "keys", "create", "--account", EMAIL, "--plan", "enterprise"]
        return subprocess.check_output(asked, env=self.environment(source), text=True).strip()


def _ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=PATIENCE_S).status_code == 200
    except httpx.TransportError:
        return False


def results(client: httpx.Client, job_ids: list[str]) -> dict[str, list[bytes]]:
    """Result of every job, without the address of the service it was read from, and its map of thickness."""
    base = str(client.base_url).removesuffix("/api/v1/").encode()
    read = {}
    for one in job_ids:
        result = client.get(f"/dfm/jobs/{one}/result").raise_for_status()
        glb = client.get(result.json()["artifacts"]["thickness_glb"]).raise_for_status().content
        read[one] = [result.content.replace(base, b""), glb]
    return read


def leave_and_take_up(state: State, old: Path) -> str:
    """The old version stops with jobs waiting; this one finishes them and reads what was done."""
    with state.serving(old) as (client, _):
        key = client.headers["X-API-Key"]
        ordered = [order(client, state.part, number) for number in range(LEFT)]
        wait(client, ordered[0])
        done = [one for one in ordered if client.get(f"/dfm/jobs/{one}").json()["status"] == "done"]
        before = results(client, done)
    with state.serving(NEW, key) as (client, _):
        assert Counter(wait(client, one)["status"] for one in ordered) == {"done": LEFT}
        assert results(client, done) == before, "results of the old version changed"
        module = client.get("/dfm/modules").json()["modules"][0]
        client.post(f"/dfm/jobs/{ordered[0]}/modules/eval", json={"module": module}).raise_for_status()
        client.post(f"/dfm/jobs/{ordered[0]}/recompute", data={"pull": "0,1,0"}).raise_for_status()
        assert wait(client, ordered[0])["status"] == "done"
    left = LEFT - len(done)
    return f"{len(done)} done and {left} unfinished jobs of the old version: read, finished, judged, recomputed"


def side_by_side(state: State, old: Path) -> str:
    """Both take orders and work; the old one is killed whole in the end and this one takes its jobs over."""
    with state.serving(old) as (first, supervisor):
        workers = set(drill.workers_of(supervisor))
        with state.serving(NEW, first.headers["X-API-Key"]) as (second, _):
            operator = open_service(state.settings)
            used = operator.meters.read(accounts.find(operator.store, EMAIL), Meter.ANALYZE).used
            doors = (first, second)
            ended = [order(doors[number % 2], state.part, 1000 + number) for number in range(BESIDE)]
            assert Counter(wait(second, one)["status"] for one in ended) == {"done": BESIDE}
            assert results(first, ended) == results(second, ended), "the two versions read different results"
            ordered = [order(doors[number % 2], state.part, 2000 + number) for number in range(BESIDE)]
            until(lambda: drill.untried(operator) & workers, "the old version is in the middle of a job")
            assert drill.crash(supervisor)
            assert Counter(wait(second, one)["status"] for one in ordered) == {"done": BESIDE}
            ends, attempts = drill.ends(operator), drill.attempts(operator)
            assert [ends[one] for one in (*ended, *ordered)] == [1] * 2 * BESIDE
            again = operator.meters.read(accounts.find(operator.store, EMAIL), Meter.ANALYZE).used
            assert again - used == 2 * BESIDE
            operator.close()
    taken = sum(attempts[one] > 1 for one in ordered)
    return f"{2 * BESIDE} jobs of both doors done once, {len(ended)} read alike by both, {taken} taken over"


def run(old: Path, part: bytes, upgraded_url: str, shared_url: str) -> tuple[str, str]:
    """The upgrade, then both versions on another database that the old one made."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        upgraded = Settings(data_dir=folder / "upgraded", database_url=upgraded_url)
        upgraded_words = leave_and_take_up(State(upgraded, folder, part), old)
        shared = Settings(data_dir=folder / "shared", database_url=shared_url, store_plain=True)
        return upgraded_words, side_by_side(State(shared, folder, part), old)


def tables() -> Iterator[Table]:
    checkout = os.environ.get("FETTLE_BENCH_OLD", "")
    if not checkout:
        sys.exit("FETTLE_BENCH_OLD names no checkout of the last release")
    old = Path(checkout) / "src"
    programs = postgres.binaries()
    if programs is None:
        sys.exit("no PostgreSQL server here: apt-get install postgresql")
    part = build(SMALL)
    rows = [("SQLite", *run(old, part, "", ""))]
    with (
        postgres.cluster(programs) as cluster,
        postgres.database(cluster) as upgraded_url,
        postgres.database(cluster) as shared_url,
    ):
        rows.append(("PostgreSQL", *run(old, part, upgraded_url, shared_url)))
    yield Table("", ("database", "upgraded", "side by side"), tuple(rows))
