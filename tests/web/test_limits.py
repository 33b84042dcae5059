"""A service with tight limits: full queue, no time for the kernel, slow and huge uploads."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.conftest import PATIENCE_S, Running, running, step

MEGABYTE = 1024 * 1024
LARGEST = 25 * MEGABYTE


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One waiting job fills the queue, nobody works on it, and the kernel has a hundredth of a second."""
    folder = tmp_path_factory.mktemp("strict")
    with running(folder, worker=False, queue_limit=1, kernel_wall_s=0.01) as service:
        yield service


def test_a_full_queue_is_503_and_not_counted(strict: Running, bracket: bytes) -> None:
    with strict.client() as first, strict.client() as second:
        assert first.post("/dfm/analyze", files=step(bracket)).status_code == 202
        answer = second.post("/dfm/analyze", files=step(bracket))
    assert (answer.status_code, answer.json()["code"]) == (503, "queue_full")
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["X-RateLimit-Remaining"] == "100"


@pytest.mark.parametrize("path", ["/convert", "/dfm/quick-info"])
def test_a_kernel_past_its_time_is_504(strict: Running, bracket: bytes, path: str) -> None:
    with strict.client() as client:
        answer = client.post(path, files=step(bracket))
        assert (answer.status_code, answer.json()["code"]) == (504, "kernel_timed_out")
        assert "max_edge" in answer.json()["error"], "the remedy"
        if "dfm" in path:
            assert answer.headers["X-RateLimit-Remaining"] == "1000"


def _open(strict: Running, key: str, declared: str) -> socket.socket:
    host, port = strict.url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=30)
    head = f"POST /api/v1/convert HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n{declared}\r\n"
    head += "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
    connection.sendall(head.encode())
    return connection


def test_content_length_alone_is_enough_for_413(strict: Running) -> None:
    """Not a byte of the body is sent."""
    with _open(strict, strict.key(), f"Content-Length: {40 * MEGABYTE}\r\nExpect: 100-continue") as connection:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 413


def test_an_endless_body_is_stopped(strict: Running) -> None:
    def endless() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.step"\r\n\r\n'
        for _ in range(64):
            yield b"x" * MEGABYTE

    with strict.client() as client:
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        answer = client.post("/convert", content=endless(), headers=kind)
    assert answer.status_code == 413


def _resident_bytes(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


BEGIN = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.step"\r\n\r\n'
END = b"\r\n--b--\r\n"


@pytest.mark.slow
def test_twenty_slow_uploads_block_nobody_and_take_little_memory(strict: Running) -> None:
    """Each sends all but the last bytes of 25 MB and goes on a byte at a time."""
    key = strict.key()
    with strict.client(key) as client:
        client.get("/materials")
        before = _resident_bytes(strict.api_pid)
        length = len(BEGIN) + LARGEST + len(END)
        slow = [_open(strict, key, f"Content-Length: {length}") for _ in range(20)]
        sent, stop = threading.Barrier(len(slow) + 1), threading.Event()

        def drip(connection: socket.socket) -> None:
            connection.sendall(BEGIN)
            for _ in range(LARGEST // MEGABYTE - 1):
                connection.sendall(b"x" * MEGABYTE)
            sent.wait(PATIENCE_S)
            while not stop.wait(0.2):
                connection.sendall(b"x")

        threads = [threading.Thread(target=drip, args=(connection,)) for connection in slow]
        for thread in threads:
            thread.start()
        during = [_seconds(client) for _ in range(10)]
        sent.wait(PATIENCE_S)
        after = [_seconds(client) for _ in range(20)]
        grown = _resident_bytes(strict.api_pid) - before
        stop.set()
        for thread in threads:
            thread.join()
        for connection in slow:
            connection.close()
    assert sorted(during)[5] < 1.0
    assert sorted(after)[10] < 1.0
    assert grown < 20 * 16 * MEGABYTE / 4


def _seconds(client: httpx.Client) -> float:
    started = time.perf_counter()
    assert client.get("/materials").status_code == 200
    return time.perf_counter() - started


def test_a_client_that_leaves_in_the_middle_leaves_no_file(strict: Running, tmp_path: Path) -> None:
    with _open(strict, strict.key(), f"Content-Length: {MEGABYTE}") as connection:
        connection.sendall(
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.step"\r\n\r\n' + b"x" * 1000
        )
        time.sleep(0.5)
    time.sleep(0.5)
    open_files = [path.resolve() for path in Path(f"/proc/{strict.api_pid}/fd").iterdir() if path.exists()]
    assert not [path for path in open_files if path.name.startswith("fettle-")]
    assert httpx.get(f"{strict.url}/healthz").status_code == 200
