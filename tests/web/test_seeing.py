"""What an operator sees of a running service: metrics by endpoint, stage and outcome; JSON logs; traces of requests by
route and of jobs with their stages, as a collector gets them. Nothing in them is secret."""

from __future__ import annotations

import base64
import json
import re
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from fettle.app.settings import Settings
from fettle.app.traces import check_traces
from fettle.errors import BadRequest
from tests.web.conftest import running, step, wait_for

MARK = "CANARY-" + "51f0aa"
PASSWORD = f"password-{MARK}"
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


@dataclass(frozen=True)
class Watched:
    """What a service told of one job that was done, one that failed, a request with a key in it and a visitor's wrong
    password: `numbers` are its metrics, `traces` the bodies that the collector got."""

    key: str
    email: str
    job_id: str
    request_id: str
    numbers: str
    log: str
    traces: list[bytes]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, bracket: bytes) -> Watched:
    content = bracket.replace(b"FILE_NAME('", b"FILE_NAME('" + MARK.encode(), 1)
    headers = {"traceparent": f"00-{CALLER}-00f067aa0ba902b7-01"}
    email = f"{uuid.uuid4().hex}@example.com"
    with collector() as (address, bodies):
        folder = tmp_path_factory.mktemp("watched")
        with running(folder, worker=True, log_format="json", otlp_endpoint=address) as service:
            key = service.key()
            with service.client(key) as client:
                job_id = client.post("/dfm/analyze", files=step(content), headers=headers).json()["job_id"]
                assert wait_for(client, job_id)["status"] == "done"
                broken = client.post("/dfm/analyze", files=step(content[: len(content) // 2])).json()["job_id"]
                assert wait_for(client, broken)["status"] == "error"
                asked = client.get("/materials", params={"api_key": key}, headers={"Cookie": f"session={MARK}"})
            with service.visitor() as visitor:
                visitor.post("/dashboard/sign-up", data={"email": email, "password": PASSWORD})
                visitor.post("/dashboard/sign-in", data={"email": email, "password": PASSWORD + "x"})
            service.ask("/healthz")
            numbers = service.ask("/metrics").text
            log = service.output.read_text()
        # the end of the service has sent the rest of the traces
        return Watched(key, email, job_id, asked.headers["X-Request-Id"], numbers, log, bodies)


@pytest.mark.slow
def test_metrics_and_json_logs_follow_a_job_and_hold_no_secret(seen: Watched) -> None:
    assert re.search(r'fettle_request_seconds_count\{outcome="2xx",route="/api/v1/dfm/analyze"\} 2\.0', seen.numbers)
    assert 'fettle_job_seconds_count{outcome="done"} 1.0' in seen.numbers
    assert len(re.findall(r'fettle_job_seconds_count\{outcome="(?!done)\w+"\} 1\.0', seen.numbers)) == 1
    assert "fettle_job_wait_seconds_count 2.0" in seen.numbers
    for stage in ("read", "refine", "measure", "judge", "save"):
        assert re.search(rf'fettle_stage_seconds_count\{{stage="{stage}"\}} [12]\.0', seen.numbers), stage
        assert f'fettle_stage_seconds_bucket{{le="+Inf",stage="{stage}"}}' in seen.numbers
    assert "fettle_queue_age_seconds 0.0" in seen.numbers
    assert "fettle_workers 1.0" in seen.numbers

    logged = [json.loads(line) for line in seen.log.splitlines() if line.startswith("{")]
    (request,) = [one for one in logged if one.get("request_id") == seen.request_id and "route" in one]
    assert (request["route"], request["status"], request["method"]) == ("/api/v1/materials", 200, "GET")
    for secret in (seen.key, seen.key[9:], PASSWORD, MARK, seen.email):
        assert secret not in seen.log


@pytest.mark.slow
def test_a_job_is_a_trace_with_its_own_id_and_the_request_that_made_it_names_it(seen: Watched) -> None:
    spans = spans_in(seen.traces)
    ordered = [span for span in spans if span.name == "POST /api/v1/dfm/analyze"]
    assert len(ordered) == 2
    (made,) = [span for span in ordered if span.trace_id.hex() == CALLER]
    assert made.parent_span_id.hex() == "00f067aa0ba902b7"
    assert attributes(made)["http.response.status_code"] == 202
    assert [one.value.string_value for event in made.events for one in event.attributes] == [seen.job_id]

    done, failed = sorted((span for span in spans if span.name == "job"), key=lambda span: span.start_time_unix_nano)
    assert done.trace_id == base64.urlsafe_b64decode(seen.job_id.removeprefix("job_") + "==")
    assert attributes(done) == {"fettle.job_id": seen.job_id, "fettle.outcome": "done"}
    assert failed.trace_id != done.trace_id
    assert attributes(failed)["fettle.outcome"] != "done"
    stages = [span for span in spans if span.parent_span_id == done.span_id]
    assert {"read", "refine", "measure", "judge", "save"} <= {span.name for span in stages}
    for stage in stages:
        assert stage.trace_id == done.trace_id
        assert done.start_time_unix_nano <= stage.start_time_unix_nano <= stage.end_time_unix_nano
    assert made.start_time_unix_nano < done.end_time_unix_nano

    assert "GET /api/v1/materials" in {span.name for span in spans}
    assert not [span for span in spans if "healthz" in span.name]
    for secret in (seen.key, PASSWORD, MARK, seen.email):
        assert secret.encode() not in b"".join(seen.traces)


def test_a_collector_without_the_packages_for_it_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(otlp_endpoint="http://localhost:4318")
    check_traces(settings)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    check_traces(Settings())
    with pytest.raises(BadRequest, match=r"localhost:4318.*pip install 'fettle\[telemetry\]'"):
        check_traces(settings)
