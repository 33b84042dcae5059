"""Files on their way in: names, limits, formats; and where blob_url may and may not reach."""

from __future__ import annotations

import asyncio
import hashlib
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest

from fettle.app.errors import BadUpload, BlobRefused, TooLarge
from fettle.app.state import url_fetch
from fettle.app.state.uploads import Incoming, Upload, check_filename
from fettle.app.state.url_fetch import is_public
from fettle.errors import NotThatFormat
from tests.patience import PATIENCE_S

CLOSING_S = 0.01
"""Longest time that a server takes to notice that it is to end."""
STEP = b"ISO-10303-21;\nHEADER;\nENDSEC;\n" + b" " * 1000


def test_a_file_is_written_hashed_and_gone_at_the_end() -> None:
    with Incoming("part.STEP", 10_000) as incoming:
        for start in range(0, len(STEP), 7):
            incoming.write(STEP[start : start + 7])
        upload = incoming.finish()
        assert upload.path.read_bytes() == STEP
        assert (upload.filename, upload.size_bytes) == ("part.STEP", len(STEP))
        assert upload.sha256 == hashlib.sha256(STEP).hexdigest()
    assert not upload.path.exists()


def test_the_limit_is_exact() -> None:
    with Incoming("part.step", len(STEP)) as incoming:
        incoming.write(STEP)
        with pytest.raises(TooLarge):
            incoming.write(b"x")


def test_an_empty_file_and_one_of_another_format_are_refused() -> None:
    with Incoming("part.step", 100) as incoming, pytest.raises(BadUpload, match="empty"):
        incoming.finish()
    with Incoming("part.glb", 10_000) as incoming:
        incoming.write(STEP)
        with pytest.raises(NotThatFormat):
            incoming.finish()


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("part.step", "part.step"),
        ("/etc/part.stp", "part.stp"),
        ("..\\..\\part.GLB", "part.GLB"),
        ("a\r\nb\x00.gltf", "ab.gltf"),
        ("x" * 300 + ".step", "x" * 250 + ".step"),
    ],
)
def test_only_the_bare_name_is_kept(sent: str, kept: str) -> None:
    assert check_filename(sent) == kept


@pytest.mark.parametrize("sent", ["", "part", "part.stl", "part.step.exe", "step", ".step/"])
def test_other_extensions_are_refused(sent: str) -> None:
    with pytest.raises(BadUpload, match=r"\.step, \.stp, \.gltf, \.glb"):
        check_filename(sent)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.9", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "3fff::1",
        "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "5f00::1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_of_the_open_internet(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_addresses_of_the_open_internet(address: str) -> None:
    assert is_public(ip_address(address))


class _Web:
    """A web server on this machine whose answers a test writes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: Callable[[BaseHTTPRequestHandler], None] = lambda handler: send(handler, STEP)
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.asked.append(self.path)
                web.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(CLOSING_S,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def web() -> Iterator[_Web]:
    web = _Web()
    yield web
    web.close()


def fetch(url: str, allowed: tuple[str, ...] = (), limit: int = 10_000, timeout_s: float = PATIENCE_S) -> Upload:
    with Incoming("part.step", limit) as incoming:
        return asyncio.run(url_fetch.fetch(url, incoming, timeout_s, allowed))


def test_an_allowed_origin_is_fetched(web: _Web) -> None:
    assert fetch(web.url + "/a/part.step?x=1", (web.url + "/",)).sha256 == hashlib.sha256(STEP).hexdigest()
    assert web.asked == ["/a/part.step?x=1"]


@pytest.mark.parametrize(
    "url",
    [
        "{}/part.step",
        "http://localhost:{port}/part.step",
        "http://127.1:{port}/part.step",
        "http://2130706433:{port}/part.step",
        "http://0x7f000001:{port}/part.step",
        "http://0177.0.0.1:{port}/part.step",
        "http://[::1]:{port}/part.step",
        "http://[::ffff:127.0.0.1]:{port}/part.step",
        "http://0.0.0.0:{port}/part.step",
        "http://user:secret@127.0.0.1:{port}/part.step",
        "http://169.254.169.254/latest/meta-data/part.step",
        "ftp://127.0.0.1:{port}/part.step",
        "file:///etc/part.step",
        "gopher://127.0.0.1:{port}/part.step",
        "http:///part.step",
        "http://127.0.0.1:99999/part.step",
        "//127.0.0.1/part.step",
        "http://exa mple/part.step",
        "http://\u2488.0.0.1/part.step",
        "http://127.0.0.1:{port}\\@example.com/part.step",
        "not a url",
        "",
    ],
)
def test_private_addresses_in_every_disguise_are_refused_with_one_text(web: _Web, url: str) -> None:
    port = web.url.rsplit(":", 1)[1]
    with pytest.raises(BlobRefused) as refused:
        fetch(url.format(web.url, port=port))
    assert str(refused.value) == str(BlobRefused())
    assert web.asked == []


def test_a_redirect_is_checked_like_the_first_address(web: _Web) -> None:
    secret = _Web()
    web.answer = lambda handler: send(handler, b"", 302, Location=secret.url + "/part.step")
    with pytest.raises(BlobRefused):
        fetch(web.url + "/part.step", (web.url,))
    assert secret.asked == []
    secret.close()


@pytest.mark.parametrize("location", ["file:///etc/passwd", "http://localhost/x", "", "http://[::1"])
def test_a_redirect_to_anything_odd_is_refused(web: _Web, location: str) -> None:
    web.answer = lambda handler: send(handler, b"", 307, **({"Location": location} if location else {}))
    with pytest.raises(BlobRefused):
        fetch(web.url, (web.url,))


def test_five_redirects_are_followed_and_six_are_not(web: _Web) -> None:
    def hop(handler: BaseHTTPRequestHandler) -> None:
        left = int(handler.path.strip("/"))
        send(handler, STEP) if left == 0 else send(handler, b"", 301, Location=f"/{left - 1}")

    web.answer = hop
    assert fetch(web.url + "/5", (web.url,)).size_bytes == len(STEP)
    with pytest.raises(BlobRefused):
        fetch(web.url + "/6", (web.url,))


@pytest.mark.parametrize("status", [204, 304, 401, 404, 500])
def test_any_other_answer_is_refused(web: _Web, status: int) -> None:
    web.answer = lambda handler: send(handler, b"", status)
    with pytest.raises(BlobRefused):
        fetch(web.url, (web.url,))


def test_a_file_above_the_limit_is_too_large(web: _Web) -> None:
    with pytest.raises(TooLarge):
        fetch(web.url, (web.url,), limit=500)


def test_a_server_that_drips_is_given_up_in_time(web: _Web) -> None:
    release = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        while not release.wait(0.1):
            try:
                handler.wfile.write(b"x")
            except OSError:
                return

    web.answer = drip
    with pytest.raises(BlobRefused):
        fetch(web.url, (web.url,), timeout_s=1.0)
    release.set()


def test_a_closed_port_and_an_unknown_name_get_the_same_text() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{probe.getsockname()[1]}"
    for url, allowed in ((closed, (closed,)), ("http://nobody.invalid/part.step", ())):
        with pytest.raises(BlobRefused) as refused:
            fetch(url, allowed)
        assert str(refused.value) == str(BlobRefused())


def test_a_name_that_has_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def two_faced(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(2, 1, 6, "", ("8.8.8.8", 80)), (2, 1, 6, "", ("127.0.0.1", 80))]

    loop = asyncio.new_event_loop()
    monkeypatch.setattr(loop, "getaddrinfo", two_faced)
    with Incoming("part.step", 100) as incoming, pytest.raises(BlobRefused):
        loop.run_until_complete(url_fetch.fetch("http://two-faced.example/part.step", incoming, PATIENCE_S))
    loop.close()
