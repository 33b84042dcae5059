"""The typed client against a service that runs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import httpx
import pytest

from fettle.app.access.plans import Meter
from fettle.client import (
    AnalysisFailed,
    AsyncFettle,
    ConnectionFailed,
    Fettle,
    Invalid,
    NotFound,
    QuotaExceeded,
    Unauthorized,
    transport,
)
from fettle.geometry.csg import build
from tests.parts import BLOCK
from tests.web.conftest import Running, free_port


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("client") / "block.step"
    path.write_bytes(build(BLOCK))
    return path


@pytest.fixture
def client(service: Running) -> Iterator[Fettle]:
    with Fettle(service.url, service.key()) as client:
        yield client


def test_from_a_file_to_a_quote(client: Fettle, block: Path) -> None:
    sent: list[tuple[int, int]] = []
    converted = client.convert(block, upload_progress=lambda done, total: sent.append((done, total)))
    assert converted.geometry.bounding_box.x_mm == 60.0
    assert sent[-1] == (block.stat().st_size, block.stat().st_size)
    material, finish = client.materials()[0], client.finishes()[0]
    quote = client.quotes.create(block.name, converted, material.id, 10, [finish.id])
    assert sum(amount for _, amount in quote.breakdown) == quote.total_price == quote.unit_price * 10
    assert client.quotes.get(quote.id) == quote


def test_an_analysis_is_priced_by_its_processes(client: Fettle, block: Path) -> None:
    analysis = client.analyses.create(block)
    analysis.wait()
    choices = analysis.processes(quantity=25)
    first = choices.processes[0]
    assert (choices.quantity, first.process) == (25, "cnc:3-axis")
    quote = analysis.quote(first.process, 25)
    assert (quote.process, quote.quantity, float(quote.unit_price)) == ("cnc:3-axis", 25, first.price)
    assert client.quotes.get(quote.id) == quote
    dear = analysis.quote("cnc:3-axis", 25, "Titanium Ti-6Al-4V")
    assert dear.unit_price > quote.unit_price


def test_an_analysis_from_file_to_other_rules(client: Fettle, block: Path) -> None:
    lines: list[str] = []
    analysis = client.analyses.create(block, pull="0,0,1")
    result = analysis.wait(progress=lines.append)
    assert lines
    assert result.features.manufacturability.pull_dir == (0.0, 0.0, 1.0)
    assert result.verdicts()["cnc:3-axis"] in ("pass", "warning", "fail")
    cnc = next(module for module in client.modules() if module["key"] == "cnc")
    judged = analysis.evaluate(cnc, "3-axis", {"max_hole_ratio": 1, "rec_hole_ratio": 1})
    rules = {rule.key: rule for rule in judged.configurations[0].result.rules}
    assert rules["hole_depth_to_diameter"].severity == "fail", "30 mm deep, 10 mm wide: above a ratio of 1"
    assert analysis.recompute("1,0,0").status == "queued"
    assert analysis.wait().features.manufacturability.pull_dir == (1.0, 0.0, 0.0)
    analysis.delete()
    with pytest.raises(NotFound):
        analysis.job()


def test_several_files_in_one_call(service: Running, client: Fettle, block: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("hello")
    sent = client.analyses.create_batch([block, notes], pull="0,0,1")
    assert [(one.filename, one.job_id is None, one.code) for one in sent.files] == [
        ("block.step", False, None),
        ("notes.txt", True, "bad_upload"),
    ]
    state = client.analyses.batch(sent.batch_id)
    assert [(job.job_id, job.filename) for job in state.jobs] == [(sent.files[0].job_id, "block.step")]
    assert sum(state.counts.values()) == 1

    async def twin() -> str | None:
        async with AsyncFettle(service.url, service.key()) as other:
            accepted = await other.analyses.create_batch([block, block])
            return (await other.analyses.batch(accepted.batch_id)).jobs[1].job_id

    assert asyncio.run(twin())


def test_the_asynchronous_twin(service: Running, block: Path) -> None:
    async def work() -> dict[str, str]:
        async with AsyncFettle(service.url, service.key()) as client:
            info, materials = await asyncio.gather(client.quick_info(block), client.materials())
            assert info.stats.n_features > 0
            assert materials
            analysis = await client.analyses.create(block)
            return dict((await analysis.wait()).verdicts())

    assert "cnc:3-axis" in asyncio.run(work())


def test_errors_are_typed(service: Running, client: Fettle, block: Path, tmp_path: Path) -> None:
    with Fettle(service.url, "svc_live_" + "x" * 43) as stranger, pytest.raises(Unauthorized) as refused:
        stranger.materials()
    assert refused.value.status == 401
    assert refused.value.request_id
    wrong = tmp_path / "part.step"
    wrong.write_bytes(b"not a step file")
    with pytest.raises(Invalid) as invalid:
        client.analyses.create(wrong)
    assert invalid.value.code
    broken = tmp_path / "broken.step"
    broken.write_bytes(block.read_bytes()[:2000])
    with pytest.raises((AnalysisFailed, Invalid), match="truncated"):
        client.analyses.create(broken).wait()
    with pytest.raises(NotFound):
        client.analyses.get("job_unknown").wait()
    service.key(email="full@example.com")
    service.use_up("full@example.com", Meter.QUICK_INFO, 10**6)
    with Fettle(service.url, service.key(email="full@example.com")) as full, pytest.raises(QuotaExceeded) as over:
        full.quick_info(block)
    assert over.value.upgrade_url


class _Flaky(BaseHTTPRequestHandler):
    """Answers 503 twice, then 202; remembers the Idempotency-Keys it saw."""

    keys: ClassVar[list[str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers.get("Idempotency-Key"))
        status, body = (
            (202, b'{"job_id":"job_1","status":"queued"}') if len(self.keys) == 3 else (503, b'{"error":"full"}')
        )
        self.send_response(status)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


def test_a_busy_service_is_asked_again_under_one_key(block: Path) -> None:
    _Flaky.keys.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Flaky)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Fettle(f"http://127.0.0.1:{server.server_port}", "key") as client:
        assert client.analyses.create(block).job_id == "job_1"
    server.shutdown()
    server.server_close()
    assert len(_Flaky.keys) == 3
    assert _Flaky.keys[0]
    assert len(set(_Flaky.keys)) == 1


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "FIRST_PAUSE_S", 0.01)
    with Fettle(f"http://127.0.0.1:{free_port()}", "key") as client, pytest.raises(ConnectionFailed):
        client.materials()


@pytest.mark.parametrize("body", [b"<html>bad gateway</html>", b'["bad gateway"]'])
def test_something_in_between_answers_instead_of_the_service(body: bytes) -> None:
    error = transport.error_of(httpx.Response(500, content=body))
    assert error.status == 500
    assert "bad gateway" in str(error)
