"""Throughput and latency of the service under load, as ratios within one run, because machines differ.

Runs `fettle serve` in processes of its own. `FETTLE_BENCH_JOBS` sets how many analyses are timed (default 12).
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from benchmarks.rules import large_part
from benchmarks.table import Table
from fettle.app.access import accounts, keys
from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.kernel_tasks.tasks import PREVIEW
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.state.store import Store
from fettle.geometry.csg import build

JOBS = int(os.environ.get("FETTLE_BENCH_JOBS", "12"))
REQUESTS = 300
QUICK_INFOS = 40
ROUNDS = 3
SLOW_CLIENTS = 20
LARGEST = 25 * 1024 * 1024
PORT = 8917
SMALL = {"cut": [{"box": [60, 40, 30]}, {"move": {"of": {"cylinder": {"d": 10, "h": 40}}, "by": [20, 20, -5]}}]}

Figure = tuple[str, str]
"""What was measured, and the figure with its unit."""


@contextmanager
def serving(folder: Path, workers: int) -> Iterator[tuple[httpx.Client, int]]:
    """A client with a key of the largest plan, and the process that answers it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    environment |= {"FETTLE_DATA_DIR": str(folder), "FETTLE_LOG_LEVEL": "warning"}
    command = [sys.executable, "-m", "fettle", "serve", "--port", str(PORT), "--workers", str(workers)]
    process = subprocess.Popen(command, env=environment)
    url = f"http://127.0.0.1:{PORT}"
    try:
        while True:
            with suppress(httpx.TransportError):
                if httpx.get(f"{url}/readyz", timeout=60).status_code == 200:
                    break
            time.sleep(0.1)
        store = Store(Settings(data_dir=folder).database)
        account = accounts.find_or_create(store, "bench@example.com", "enterprise")
        key = keys.create(store, account, "bench", "svc_live_")
        store.close()
        # Without limits: above them httpx closes idle connections, also one that another thread has just been given.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        headers = {"X-API-Key": key}
        with httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=600, limits=limits) as client:
            yield client, _api(process.pid)
    finally:
        process.terminate()
        process.wait()


def _api(supervisor: int) -> int:
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    return next(int(pid) for pid in children if b"fettle.cli.api" in Path(f"/proc/{pid}/cmdline").read_bytes())


def cpu_s(pid: int) -> float:
    """CPU seconds a process has used, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def p99_ms(client: httpx.Client, path: str) -> float:
    """99th percentile in ms of the response times of `REQUESTS` sequential requests."""
    waited = sorted(client.get(path).raise_for_status().elapsed.total_seconds() for _ in range(REQUESTS))
    return waited[int(0.99 * REQUESTS)] * 1000


def compare(
    client: httpx.Client, paths: dict[str, str], what: str, load: Callable[[], AbstractContextManager[None]]
) -> Iterator[Figure]:
    """p99 without and with a load, alternating, so that other users of the machine disturb both alike."""
    ratios: dict[str, list[tuple[float, float]]] = {name: [] for name in paths}
    for _ in range(ROUNDS):
        idle = {name: p99_ms(client, path) for name, path in paths.items()}
        with load():
            for name, path in paths.items():
                ratios[name].append((idle[name], p99_ms(client, path)))
    for name, pairs in ratios.items():
        before, after = (statistics.median(times) for times in zip(*pairs, strict=True))
        shown = ", ".join(f"{second / first:.1f}" for first, second in pairs)
        yield f"{name}, p99 idle", f"{before:.1f} ms"
        yield f"{name}, p99 with {what}", f"{after:.1f} ms: x {shown}"


def order(client: httpx.Client, part: bytes, number: int) -> str:
    """Submit an analysis with an angle of its own, so that no cached result answers it; the job id."""
    data = {"alpha_warn": str(1 + number / 1000)}
    answer = client.post("/dfm/analyze", files={"file": ("part.step", part)}, data=data)
    return str(answer.raise_for_status().json()["job_id"])


def wait(client: httpx.Client, job_id: str, poll_s: float = 0.05) -> dict[str, Any]:
    """The job when it has ended."""
    while True:
        job: dict[str, Any] = client.get(f"/dfm/jobs/{job_id}").json()
        if job["status"] in ("done", "error"):
            return job
        time.sleep(poll_s)


def seconds_of(client: httpx.Client, part: bytes, numbers: range) -> float:
    """Seconds from the first submission to the end of the last job."""
    start = time.perf_counter()
    for job_id in [order(client, part, number) for number in numbers]:
        wait(client, job_id)
    return time.perf_counter() - start


def measure_throughput(folder: Path, part: bytes, workers: int) -> float:
    with serving(folder / f"with{workers}", workers) as (client, _):
        seconds_of(client, part, range(workers))  # warms up every worker
        return JOBS * 60 / seconds_of(client, part, range(100, 100 + JOBS))


def measure_latency(client: httpx.Client, part: bytes) -> Iterator[Figure]:
    """GET while nothing runs, while every worker is busy, and while slow clients send large files."""
    job_id = order(client, part, 0)
    wait(client, job_id)
    paths = {"GET /materials": "/materials", "GET job": f"/dfm/jobs/{job_id}"}
    numbers = count(1000)

    @contextmanager
    def busy_workers() -> Iterator[None]:
        """Keep twice as many jobs as workers submitted at any time."""
        stop = threading.Event()

        def keep_busy() -> None:
            while not stop.is_set():
                wait(client, order(client, part, next(numbers)))

        threads = [threading.Thread(target=keep_busy) for _ in range(2 * (os.cpu_count() or 1))]
        for thread in threads:
            thread.start()
        time.sleep(2)
        yield
        stop.set()
        for thread in threads:
            thread.join()

    yield from compare(client, paths, "all workers busy", busy_workers)
    yield from compare(client, paths, f"{SLOW_CLIENTS} slow uploads", lambda: slow_uploads(client))


@contextmanager
def slow_uploads(client: httpx.Client) -> Iterator[None]:
    """Clients that have sent half of 25 MB each and continue with a kilobyte at a time, for minutes."""
    begin = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.step"\r\n\r\n'
    head = "POST /api/v1/convert HTTP/1.1\r\nHost: bench\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    head += f"X-API-Key: {client.headers['X-API-Key']}\r\nContent-Length: {len(begin) + LARGEST}\r\n\r\n"
    stop = threading.Event()
    with ExitStack() as stack:
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", PORT))) for _ in range(SLOW_CLIENTS)]
        for connection in connections:
            connection.sendall(head.encode() + begin + b"x" * (LARGEST // 2))

        def drip() -> None:
            while not stop.wait(0.02):
                for connection in connections:
                    connection.sendall(b"x" * 1024)

        thread = threading.Thread(target=drip)
        thread.start()
        yield
        stop.set()
        thread.join()


def measure_overhead(client: httpx.Client, api: int) -> Iterator[Figure]:
    """Quick-info over HTTP against the same work as a library call, each time on a new file."""
    part = build(SMALL)
    sandbox.wait_until_ready("fettle.app.kernel_tasks.job_analysis")
    over: list[float] = []
    alone: list[float] = []
    before = cpu_s(api)
    for number in range(QUICK_INFOS):
        data = part + b"/* %d */" % number
        start = time.perf_counter()
        client.post("/dfm/quick-info", files={"file": ("part.step", data)}).raise_for_status()
        over.append(time.perf_counter() - start)
        start = time.perf_counter()
        sandbox.run(PREVIEW, (data, "part.step", JobOptions()), Limits())
        alone.append(time.perf_counter() - start)
    used = (cpu_s(api) - before) / QUICK_INFOS * 1000
    http, library = (statistics.median(times) * 1000 for times in (over, alone))
    top = statistics.median(one - other for one, other in zip(over, alone, strict=True)) * 1000
    yield "quick-info, median over HTTP", f"{http:.0f} ms"
    yield "quick-info, median as a library", f"{library:.0f} ms; {top:.0f} ms on top over HTTP"
    yield "quick-info, CPU of the API a call", f"{used:.0f} ms"


def measure_cache(client: httpx.Client, part: bytes) -> Iterator[Figure]:
    """The same file again: quick-info, and the worker's time for an analysis."""
    file = {"file": ("part.step", part + b"/* cached? */")}
    times = [client.post("/dfm/quick-info", files=file).elapsed.total_seconds() for _ in range(6)]
    again = statistics.median(times[1:])
    yield "quick-info again", f"{times[0] * 1000:.0f} ms, then {again * 1000:.1f} ms: x {times[0] / again:.0f}"
    spent = []
    for _ in range(3):
        job = wait(client, str(client.post("/dfm/analyze", files=file).json()["job_id"]))
        spent.append(float(job["log"][-1].split(" s:")[0]))
    first, later = spent[0], max(min(spent[1:]), 0.05)
    yield "analyze again, in the worker", f"{first:.1f} s, then {later:.1f} s: x {first / later:.0f}"


def measure_reading(client: httpx.Client, api: int, part: bytes) -> Iterator[Figure]:
    """CPU time of the API process for one GET of a large result, plain and compressed."""
    job_id = order(client, part, 5000)
    wait(client, job_id)
    for encoding in ("identity", "gzip"):
        before = cpu_s(api)
        for _ in range(20):
            answer = client.get(f"/dfm/jobs/{job_id}/result", headers={"Accept-Encoding": encoding})
        used_ms = (cpu_s(api) - before) / 20 * 1000
        size = int(answer.headers["Content-Length"])
        yield f"GET result ({encoding})", f"{size / 1000:.0f} kB, {used_ms:.0f} ms of server CPU"


def tables() -> Iterator[Table]:
    rows = tuple(figures())
    yield Table("", ("what", "figure"), rows)


def figures() -> Iterator[Figure]:
    small, large = build(SMALL), build(large_part())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder / "main", os.cpu_count() or 1) as (client, api):
            yield from measure_overhead(client, api)
            yield from measure_cache(client, large)
            yield from measure_reading(client, api, large)
            yield from measure_latency(client, small)
        rates = {workers: measure_throughput(folder, small, workers) for workers in (1, 2)}
    yield "analyses a minute, one worker", f"{rates[1]:.0f}"
    yield "analyses a minute, two workers", f"{rates[2]:.0f}: x {rates[2] / rates[1]:.2f}"
