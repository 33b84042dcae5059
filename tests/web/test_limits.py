"""A service with tight limits: full queue, no time for the kernel, slow and huge uploads."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from tests.patience import PATIENCE_S, until
from tests.web.conftest import Running, running, step

MEGABYTE = 1024 * 1024
LARGEST = 25 * MEGABYTE
CONVERT = "/api/v1/convert"
BEGIN = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.step"\r\n\r\n'
END = b"\r\n--b--\r\n"


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
def test_a_kernel_past_its_time_is_504(strict: Running, sieve: bytes, path: str) -> None:
    with strict.client() as client:
        answer = client.post(path, files=step(sieve))
        assert (answer.status_code, answer.json()["code"]) == (504, "kernel_timed_out")
        assert "max_edge" in answer.json()["error"], "the remedy"
        if "dfm" in path:
            assert answer.headers["X-RateLimit-Remaining"] == "1000"


def _open(strict: Running, key: str, declared: str, method: str = "POST", path: str = CONVERT) -> socket.socket:
    host, port = strict.url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
    head = f"{method} {quote(path)} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n{declared}\r\n"
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


@pytest.mark.parametrize(
    ("status", "method", "path", "head"),
    [
        (413, "POST", CONVERT, ""),
        (413, "POST", CONVERT, "Expect: 100-continue\r\n"),
        (401, "POST", CONVERT, ""),
        (404, "POST", "/nowhere", ""),
        (404, "PUT", "/api/v1/\x00", ""),
        (200, "GET", "/api/v1/materials", ""),
        (204, "OPTIONS", CONVERT, ""),
    ],
)
@pytest.mark.parametrize("step_bytes", [MEGABYTE, 10_000])
def test_a_body_that_never_ends_is_cut_within_40_mb(
    strict: Running, status: int, method: str, path: str, head: str, step_bytes: int
) -> None:
    """A client that reads no answer and sends on: what the service takes of it has an end, whatever it answers."""
    sent = 0
    chunk = b"%x\r\n" % step_bytes + b"x" * step_bytes + b"\r\n"
    key = "nobody's" if status == 401 else strict.key()
    with _open(strict, key, f"{head}Transfer-Encoding: chunked", method, path) as connection:
        with suppress(ConnectionError):
            connection.sendall(b"%x\r\n" % len(BEGIN) + BEGIN + b"\r\n")
            while sent < 200 * MEGABYTE:
                connection.sendall(chunk)
                sent += step_bytes
        answer = http.client.HTTPResponse(connection, method=method)
        answer.begin()
    assert answer.status == status
    assert sent <= 40 * MEGABYTE
    assert sent >= LARGEST or status != 413


def test_security_headers_are_on_every_answer(strict: Running) -> None:
    with strict.client() as client, httpx.Client(base_url=strict.url, trust_env=False) as stranger:
        answers = [client.get("/materials"), client.get("/quotes/none"), stranger.get("/api/v1/materials")]
        answers += [
            stranger.get(path) for path in ("/nowhere", "/dashboard", "/dashboard/static/style.css", "/healthz")
        ]
        answers += [stranger.request("OPTIONS", "/api/v1/materials"), stranger.put("/api/v1/materials")]
    for answer in answers:
        assert answer.headers["X-Content-Type-Options"] == "nosniff", answer.url
        assert answer.headers["X-Frame-Options"] == "DENY", answer.url
        assert "Referrer-Policy" in answer.headers, answer.url
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, answer.url
        assert "frame-ancestors 'none'" in policy, answer.url
        assert "unsafe-inline" not in policy, answer.url


@pytest.mark.parametrize(("size", "status"), [(20_000, 401), (40_000, 431), (100_000, 431), (1_000_000, 400)])
def test_a_long_header_is_refused_however_its_bytes_arrive(strict: Running, size: int, status: int) -> None:
    host, port = strict.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as connection:
        connection.sendall(b"GET /api/v1/materials HTTP/1.1\r\nHost: x\r\nX-Pad: ")
        with suppress(ConnectionError):  # it is answered before all of it is sent
            for _ in range(10):
                connection.sendall(b"a" * (size // 10))
                time.sleep(0.01)
            connection.sendall(b"\r\n\r\n")
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == status
        if status == 431:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert json.loads(answer.read())["code"] == "headers_too_large"
    assert strict.ask("/healthz").status_code == 200


def _resident_bytes(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


@pytest.mark.slow
def test_twenty_slow_uploads_block_nobody_and_take_little_memory(strict: Running) -> None:
    """Each stops half-way, and again before the last bytes of 25 MB, until others have been answered meanwhile."""
    key = strict.key()
    with strict.client(key) as client:
        client.get("/materials")
        before = _resident_bytes(strict.api_pid)
        length = len(BEGIN) + LARGEST + len(END)
        slow = [_open(strict, key, f"Content-Length: {length}") for _ in range(20)]
        pause = threading.Barrier(len(slow) + 1, timeout=PATIENCE_S)
        half = LARGEST // MEGABYTE // 2

        def drip(connection: socket.socket) -> None:
            connection.sendall(BEGIN)
            for megabytes in (half, LARGEST // MEGABYTE - 1 - half):
                for _ in range(megabytes):
                    connection.sendall(b"x" * MEGABYTE)
                pause.wait()
                connection.sendall(b"x")
                pause.wait()

        threads = [threading.Thread(target=drip, args=(connection,)) for connection in slow]
        for thread in threads:
            thread.start()
        for _ in ("half-way", "before the end"):
            pause.wait()
            answered = [client.get("/materials").status_code for _ in range(10)]
            assert answered == [200] * 10
            grown = _resident_bytes(strict.api_pid) - before
            pause.wait()
        for thread in threads:
            thread.join()
        for connection in slow:
            connection.close()
    assert grown < 20 * 16 * MEGABYTE / 4


def test_a_client_that_leaves_in_the_middle_leaves_no_file(strict: Running) -> None:
    with _open(strict, strict.key(), f"Content-Length: {MEGABYTE}") as connection:
        connection.sendall(BEGIN + b"x" * 1000)
        until(lambda: _incoming(strict.api_pid), "the upload has a file")
    until(lambda: not _incoming(strict.api_pid), "the file of the upload is gone")
    assert strict.ask("/healthz").status_code == 200


def _incoming(process: int) -> list[str]:
    """Files of uploads that a process holds open."""
    found = []
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed while we looked
            found.append(descriptor.readlink().name)
    return [name for name in found if name.startswith("fettle-")]
