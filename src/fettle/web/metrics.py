"""Metrics for Prometheus: requests by route and outcome, jobs by status, the queue's age, and the times of jobs."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from fettle.app.service import Service
from fettle.app.work.timings import BOUNDS_S, Timing

_TIMED = {
    Timing.WAIT: ("fettle_job_wait_seconds", "Time that jobs waited for a worker.", ""),
    Timing.JOB: ("fettle_job_seconds", "Time of the last attempt of a job, by how it ended.", "outcome"),
    Timing.STAGE: ("fettle_stage_seconds", "Time of the stages of jobs.", "stage"),
}
"""Name, help and label of each."""


class _State(Collector):
    """Asks the database when it is read, so that the numbers are true whichever process is asked."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        status = GaugeMetricFamily("fettle_jobs", "Analysis jobs by status.", labels=["status"])
        for name, number in self._service.count_jobs().items():
            status.add_metric([name], number)
        yield status
        yield GaugeMetricFamily(
            "fettle_queue_age_seconds", "How long the oldest queued job waits.", self._service.queue_age_s()
        )
        yield GaugeMetricFamily("fettle_workers", "Workers with a heartbeat.", self._service.count_workers())
        families = {
            timing: HistogramMetricFamily(name, text, labels=[label] if label else [])
            for timing, (name, text, label) in _TIMED.items()
        }
        for reading in self._service.timings():
            bounds = [*map(str, BOUNDS_S), "+Inf"]
            families[reading.timing].add_metric(
                [reading.label] if reading.label else [],
                list(zip(bounds, map(float, reading.cumulative), strict=True)),
                reading.sum_s,
            )
        yield from families.values()

    def describe(self) -> list[Metric]:
        return []


class Metrics:
    """The numbers of one application; a registry of its own, so that several can live in one process."""

    def __init__(self, service: Service) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "fettle_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "fettle_request_seconds", "Time to answer.", ["route", "outcome"], registry=self._registry
        )
        self._registry.register(_State(service))

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        known = method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "OTHER"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route, f"{status // 100}xx").observe(seconds)

    def text(self) -> bytes:
        """All numbers in the format Prometheus reads."""
        return generate_latest(self._registry)
