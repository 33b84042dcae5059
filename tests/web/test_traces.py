"""Traces that a collector gets: requests by route, jobs with their stages, and nothing secret."""

from __future__ import annotations

import base64
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from fettle.app.settings import Settings
from fettle.app.traces import check_traces
from fettle.errors import BadRequest
from tests.web.conftest import running, step, wait_for

CALLER = "4bf92f3577b34da6a3ce929d0e0e4736"
"""Trace of a caller, as in the examples of the W3C's Trace Context."""


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Address of a collector, and the bodies that it gets."""
    got: list[bytes] = []

    class Taken(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Taken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", got
        server.shutdown()


def spans_in(bodies: list[bytes]) -> list[Span]:
    return [
        span
        for body in bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def attributes(span: Span) -> dict[str, str | int]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


@pytest.mark.slow
def test_a_job_is_a_trace_with_its_own_id_and_the_request_that_made_it_names_it(tmp_path: Path, bracket: bytes) -> None:
    with collector() as (address, bodies):
        with running(tmp_path, worker=True, otlp_endpoint=address) as service:
            key = service.key()
            headers = {"traceparent": f"00-{CALLER}-00f067aa0ba902b7-01"}
            with service.client(key) as client:
                job_id = client.post("/dfm/analyze", files=step(bracket), headers=headers).json()["job_id"]
                assert wait_for(client, job_id)["status"] == "done"
                client.get("/materials", params={"api_key": key})
            service.ask("/healthz")
        spans = spans_in(bodies)  # the end of the service has sent the rest

    (made,) = [span for span in spans if span.name == "POST /api/v1/dfm/analyze"]
    assert made.trace_id.hex() == CALLER
    assert made.parent_span_id.hex() == "00f067aa0ba902b7"
    assert attributes(made)["http.response.status_code"] == 202
    assert [one.value.string_value for event in made.events for one in event.attributes] == [job_id]

    (job,) = [span for span in spans if span.name == "job"]
    assert job.trace_id == base64.urlsafe_b64decode(job_id.removeprefix("job_") + "==")
    assert attributes(job) == {"fettle.job_id": job_id, "fettle.outcome": "done"}
    stages = [span for span in spans if span.parent_span_id == job.span_id]
    assert {"read", "refine", "measure", "judge", "save"} <= {span.name for span in stages}
    for stage in stages:
        assert stage.trace_id == job.trace_id
        assert job.start_time_unix_nano <= stage.start_time_unix_nano <= stage.end_time_unix_nano
    assert made.start_time_unix_nano < job.end_time_unix_nano

    assert "GET /api/v1/materials" in {span.name for span in spans}
    assert not [span for span in spans if "healthz" in span.name]
    assert key.encode() not in b"".join(bodies)


def test_a_collector_without_the_packages_for_it_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(otlp_endpoint="http://localhost:4318")
    check_traces(settings)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    check_traces(Settings())
    with pytest.raises(BadRequest, match=r"localhost:4318.*pip install 'fettle\[telemetry\]'"):
        check_traces(settings)
