"""A real service for the contract tests: `fettle serve` in processes of its own, spoken to over HTTP."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from fettle.app.access import accounts, keys
from fettle.app.access.meters import Meters
from fettle.app.access.plans import Meter, load_plans
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.settings import Settings
from fettle.app.state.store import Store
from fettle.geometry.csg import build
from tests import postgres, sqlite
from tests.browser import chromium
from tests.parts import BLOCK
from tests.patience import PATIENCE_S, caller, fetch, until

API = "/api/v1"
NICE = 1
"""Just enough to be seen: tests run beside each other, and the workers of one are not to wait for the others."""


@dataclass(frozen=True)
class Running:
    """A service that runs, and the operator's side of it."""

    url: str
    store: Store
    output: Path
    process: subprocess.Popen[bytes]

    def key(self, plan: str = "free", email: str | None = None) -> str:
        account = accounts.find_or_create(self.store, email or f"{uuid.uuid4().hex}@example.com", plan)
        return keys.create(self.store, account, "test", "svc_live_")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE_S)

    @property
    def api_pid(self) -> int:
        """The process that answers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return next(int(pid) for pid in children if b"fettle.cli.api" in Path(f"/proc/{pid}/cmdline").read_bytes())

    def client(self, key: str | None = None) -> httpx.Client:
        """A caller with a key of an account of its own, unless it is given one ('' for none)."""
        headers = {"X-API-Key": self.key() if key is None else key} if key != "" else {}
        return caller(self.url + API, headers=headers)

    def visitor(self, **said: Any) -> httpx.Client:
        """Somebody at the dashboard's door, with a browser's word that forms come from there."""
        return caller(self.url, headers={"Origin": self.url}, **said)

    def ask(self, path: str, method: str = "GET", **said: Any) -> httpx.Response:
        """One request outside the API's own paths."""
        return fetch(self.url + path, method, **said)

    def use_up(self, email: str, meter: Meter, used: int) -> None:
        Meters(self.store, load_plans()).adjust(accounts.find(self.store, email), meter, used)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(folder: Path, *, worker: bool, **said: Any) -> Iterator[Running]:
    """Start a service with these settings on a data folder without any job, and stop it. The tables of SQLite are there
    already.

    Its fork server is forked from ours, as those of its own programs are from its: the kernel is loaded once for all
    services of a test process.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    said = {"data_dir": folder / "data", "log_level": "debug", "worker_nice": NICE, **said}
    environment |= {f"FETTLE_{name.upper()}": str(value) for name, value in said.items()}
    port = free_port()
    output = folder / "output"
    command = [sys.executable, "-c", "from fettle.cli import main; main()", "serve", "--port", str(port)]
    folder.mkdir(parents=True, exist_ok=True)
    if not said.get("database_url") and not (folder / "data" / sqlite.NAME).exists():
        sqlite.write_upgraded(folder / "data")
    fork_server, shared = sandbox.share(CHILD_MODULE)
    with output.open("wb") as written:
        process = subprocess.Popen(
            [*command, "--workers", "1" if worker else "0"],
            env=environment | shared,
            pass_fds=[fork_server],
            stdout=written,
            stderr=written,
        )
        store = Store(Settings(data_dir=folder / "data", database_url=str(said.get("database_url", ""))).database)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_ready(url, process, output)
            yield Running(url, store, output, process)
        finally:
            store.close()
            process.terminate()
            process.wait(PATIENCE_S)


def wait_until_ready(url: str, process: subprocess.Popen[bytes], output: Path) -> None:
    def ready() -> bool:
        if process.poll() is not None:
            pytest.fail(f"the server did not start:\n{output.read_text()}")
        with suppress(httpx.TransportError):
            return fetch(f"{url}/readyz").status_code == 200
        return False

    until(ready, lambda: f"the server is ready:\n{output.read_text()}", poll_s=0.1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests speak to the service on SQLite; those marked `both_databases` also to the one on PostgreSQL.

    The id says so: by it `tests.scheduling` keeps together what shares a service.
    """
    if "service" in metafunc.fixturenames:
        both = metafunc.definition.get_closest_marker("both_databases") is not None
        databases = ["sqlite", "postgresql"] if both else ["sqlite"]
        named = [pytest.param(name, id=f"service on {name}") for name in databases]
        metafunc.parametrize("service", named, indirect=True, scope="session")


@pytest.fixture(scope="session")
def service(request: pytest.FixtureRequest) -> Running:
    """The service all contract tests speak to, one per database: its tests run in one process."""
    chosen: Running = request.getfixturevalue(f"service_on_{request.param}")
    return chosen


@pytest.fixture(scope="session")
def service_on_sqlite(
    tmp_path_factory: pytest.TempPathFactory, file_server: str, webhook_receiver: Receiving
) -> Iterator[Running]:
    """May fetch parts from the file server and call the webhooks of the receiver; nothing else that is private."""
    folder = tmp_path_factory.mktemp("service")
    allowed = {
        "blob_allowed_origins": json.dumps([file_server]),
        "webhook_allowed_origins": json.dumps([webhook_receiver[1]]),
    }
    with running(folder, worker=True, **allowed) as service:
        yield service


@pytest.fixture(scope="session")
def service_on_postgresql(
    postgres_cluster: str, postgres_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("service")
    with (
        postgres.database(postgres_cluster, postgres_template) as url,
        running(folder, worker=True, database_url=url) as service,
    ):
        yield service


class FileServer(BaseHTTPRequestHandler):
    """Serves one part under every address."""

    part = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.part)))
        self.end_headers()
        self.wfile.write(self.part)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def file_server() -> Iterator[str]:
    """The origin of a server that has the block."""
    FileServer.part = build(BLOCK)
    with ThreadingHTTPServer(("127.0.0.1", 0), FileServer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class Receiver(BaseHTTPRequestHandler):
    """Answers with the next status of `statuses`, then 204; keeps what came."""

    statuses: list[int]
    calls: list[tuple[dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).calls.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(type(self).statuses.pop(0) if type(self).statuses else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


Receiving = tuple[type[Receiver], str]
"""What a receiver is told and got, and its address."""


@contextmanager
def receiving() -> Iterator[Receiving]:
    kind = type("OwnReceiver", (Receiver,), {"statuses": [], "calls": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        Thread(target=server.serve_forever).start()
        yield kind, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def webhook_receiver() -> Iterator[Receiving]:
    """A receiver that the shared service may call."""
    with receiving() as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium for the tests of one file. No longer: while Playwright runs, its process can run no other event loop."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    """A caller on the free plan with an account of its own."""
    with service.client() as client:
        yield client


@pytest.fixture(scope="session")
def bracket() -> bytes:
    """A block of 60 x 40 x 30 mm with a through hole of 10 mm: 72 - 7.5 pi/10 cm3."""
    hole = {"move": {"of": {"cylinder": {"d": 10, "h": 40}}, "by": [20, 20, -5]}}
    return build({"cut": [{"box": [60, 40, 30]}, hole]})


@pytest.fixture(scope="session")
def sieve() -> bytes:
    """A plate with a hundred holes: some work for the kernel."""
    holes = [
        {"move": {"of": {"cylinder": {"d": 5, "h": 20}}, "by": [10 + 12 * column, 10 + 12 * row, -5]}}
        for column in range(10)
        for row in range(10)
    ]
    return build({"cut": [{"box": [130, 130, 10]}, *holes]})


@pytest.fixture(scope="session")
def beam() -> bytes:
    """Too long for the casting envelope, not for an analysis."""
    return build({"box": [400, 50, 50]})


def step(data: bytes, name: str = "part.step") -> dict[str, tuple[str, bytes]]:
    """The form's file."""
    return {"file": (name, data)}


def wait_for(client: httpx.Client, job_id: str) -> dict[str, Any]:
    """The job once it has ended."""

    def ended() -> dict[str, Any] | None:
        job: dict[str, Any] = client.get(f"/dfm/jobs/{job_id}").json()
        return job if job["status"] in ("done", "error") else None

    return until(ended, f"{job_id} ends", poll_s=0.1)
