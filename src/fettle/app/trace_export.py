"""Sends the spans of this process to an OpenTelemetry collector. Imported only where one is configured: it needs the
packages of `fettle[telemetry]`."""

from __future__ import annotations

import base64

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

import fettle
from fettle.app import logs


def trace_id_of(job_id: str) -> int:
    """The 16 random bytes of a job's id, as the number of its trace."""
    return int.from_bytes(base64.urlsafe_b64decode(job_id.removeprefix("job_") + "=="))


class JobTraces(RandomIdGenerator):
    """Gives the spans of a job the trace of the job."""

    def generate_trace_id(self) -> int:
        job_id = logs.job_id.get()
        return trace_id_of(job_id) if job_id is not None else super().generate_trace_id()


def export_traces(endpoint: str, process: str) -> None:
    """Send every span that ends from now on, some at a time, to the collector."""
    resource = Resource.create({"service.name": f"fettle-{process}", "service.version": fettle.__version__})
    provider = TracerProvider(resource=resource, id_generator=JobTraces())
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
