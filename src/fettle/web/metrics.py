"""Metrics for Prometheus: requests by route and status, their time, and jobs by status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector


class _Jobs(Collector):
    """Asks for the counts when it is read, so that they are true whichever process is asked."""

    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = GaugeMetricFamily("fettle_jobs", "Analysis jobs by status.", labels=["status"])
        for status, number in self._count().items():
            family.add_metric([status], number)
        yield family

    def describe(self) -> list[GaugeMetricFamily]:
        return [GaugeMetricFamily("fettle_jobs", "Analysis jobs by status.", labels=["status"])]


class Metrics:
    """The numbers of one application; a registry of its own, so that several can live in one process."""

    def __init__(self, count_jobs: Callable[[], Mapping[str, int]]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "fettle_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram("fettle_request_seconds", "Time to answer.", ["route"], registry=self._registry)
        self._registry.register(_Jobs(count_jobs))

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        known = method if method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS") else "OTHER"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All numbers in the format Prometheus reads."""
        return generate_latest(self._registry)
