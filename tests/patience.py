"""Waiting in tests: time limits so long that no result depends on the speed of the machine.

They only end a test that would hang. A test of speed compares two measurements of the same run, or CPU time with that
of a reference loop (`slowness`).
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
import pytest

T = TypeVar("T")

PATIENCE_S = 900.0
"""Longest time that a test waits for anything."""
USUAL_S = 0.012
"""CPU seconds of the loop in `slowness` on the machines for which the limits of CPU time are meant."""

NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Services of the tests speak plain HTTP. Without this every client reads the certificates of all authorities, which
takes more CPU than most requests."""


def until(condition: Callable[[], T | None], what: object, poll_s: float = 0.02) -> T:
    """Poll until `condition` returns a true value, and return it; the test fails with `what` after `PATIENCE_S`."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail(f"not within {PATIENCE_S:.0f} s: {what() if callable(what) else what}")
        time.sleep(poll_s)
    return found


def slowness() -> float:
    """Factor, at least 1, by which Python is slower here and now than usual; CPU time limits are multiplied by it."""
    spent = []
    for _ in range(3):
        started, total = time.process_time(), 0
        for number in range(200_000):
            total += number
        spent.append(time.process_time() - started)
    return max(1.0, min(spent) / USUAL_S)


def caller(base_url: str = "", **options: Any) -> httpx.Client:
    """An HTTP client with a long timeout instead of the library's five seconds."""
    return httpx.Client(base_url=base_url, timeout=PATIENCE_S, verify=NO_AUTHORITIES, **options)


def fetch(url: str, method: str = "GET", **options: Any) -> httpx.Response:
    """Response to one request to a full URL."""
    return httpx.request(method, url, timeout=PATIENCE_S, verify=NO_AUTHORITIES, **options)
