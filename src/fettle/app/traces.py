"""Traces of requests and jobs, sent to an OpenTelemetry collector where one is configured.

A request is a span named by the template of its address: the address itself may hold the token of a share or a file.
A job is a trace of its own, with a span for each of its stages. The trace's id holds the bytes of the job's id, so that
who has the one finds the other; the span of the request that made the job names it, too.

Without a collector the calls below go to the no-op tracer of the OpenTelemetry API.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from fettle.app.settings import Settings
from fettle.errors import BadRequest

JOB_ID = "fettle.job_id"
REQUEST_ID = "fettle.request_id"
LONGEST_EXIT_MS = 3000
"""How long the end of a process waits for a collector."""

_NS = 1_000_000_000
_TRACEPARENT = TraceContextTextMapPropagator()


def check_traces(settings: Settings) -> None:
    """Refuse a collector's address where the packages that send to it are missing."""
    if settings.otlp_endpoint and find_spec("opentelemetry.sdk") is None:
        raise BadRequest(
            f"FETTLE_OTLP_ENDPOINT is {settings.otlp_endpoint}, and the OpenTelemetry SDK is not installed: "
            "pip install 'fettle[telemetry]', or leave the setting empty"
        )


def start_traces(settings: Settings, process: str) -> None:
    """Send the traces of this process ("api", "worker") to the collector of the settings, if there is one."""
    if settings.otlp_endpoint:
        from fettle.app.trace_export import export_traces  # noqa: PLC0415 - needs an extra

        export_traces(settings.otlp_endpoint, process)


def stop_traces() -> None:
    """Send what is still waiting; a collector that does not answer is not waited for long."""
    flush = getattr(trace.get_tracer_provider(), "force_flush", None)
    if flush is not None:
        flush(LONGEST_EXIT_MS)


@contextmanager
def request_span(headers: Mapping[str, str], request_id: str) -> Iterator[Span]:
    """The span of a request, below the caller's own where it sent `traceparent`."""
    parent = _TRACEPARENT.extract({"traceparent": headers.get("traceparent", "")})
    tracer = trace.get_tracer("fettle")
    with tracer.start_as_current_span("request", parent, SpanKind.SERVER, {REQUEST_ID: request_id}) as span:
        yield span


def end_request(span: Span, method: str, route: str, status: int) -> None:
    """Name the span by its route, once that is known."""
    span.update_name(f"{method} {route}")
    span.set_attributes({"http.request.method": method, "http.route": route, "http.response.status_code": status})
    if status >= 500 or status == 0:
        span.set_status(StatusCode.ERROR)


def note_job(job_id: str) -> None:
    """Write into the span of the current request that it made a job."""
    trace.get_current_span().add_event("job", {JOB_ID: job_id})


def record_job(job_id: str, outcome: str, started: float, stages: Sequence[tuple[str, float, float]]) -> None:
    """The spans of a job that has ended just now. `stages`: name, begin and end; all times are monotonic seconds."""
    now, now_ns = time.monotonic(), time.time_ns()

    def clock_ns(at: float) -> int:
        return now_ns - round((now - at) * _NS)

    tracer = trace.get_tracer("fettle")
    attributes: dict[str, Any] = {JOB_ID: job_id, "fettle.outcome": outcome}
    job = tracer.start_span("job", kind=SpanKind.CONSUMER, attributes=attributes, start_time=clock_ns(started))
    inside = trace.set_span_in_context(job)
    for name, begin, end in stages:
        tracer.start_span(name, inside, start_time=clock_ns(begin)).end(clock_ns(end))
    job.end(now_ns)
