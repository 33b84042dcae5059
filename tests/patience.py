"""How long tests wait for what must come: so long that no result depends on how fast the machine is.

Nothing is proven by these seconds but that an end comes. A test that is about speed compares two measurements taken
side by side, or counts CPU time against a yardstick taken in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import httpx
import pytest

T = TypeVar("T")

PATIENCE_S = 900.0
USUAL_S = 0.012
"""CPU seconds that the loop of `slowness` takes on the machines our limits of CPU time are meant for."""


def until(condition: Callable[[], T | None], what: object, poll_s: float = 0.02) -> T:
    """The first value of `condition` that is true; the test fails, saying `what` was missed, when none comes."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail(f"not within {PATIENCE_S:.0f} s: {what() if callable(what) else what}")
        time.sleep(poll_s)
    return found


def slowness() -> float:
    """How many times longer than usual plain Python takes here and now, at least 1: limits of CPU time grow with it."""
    spent = []
    for _ in range(3):
        started, total = time.process_time(), 0
        for number in range(200_000):
            total += number
        spent.append(time.process_time() - started)
    return max(1.0, min(spent) / USUAL_S)


def caller(base_url: str = "", **said: object) -> httpx.Client:
    """A client that waits for its answers; the library's own would give up after five seconds."""
    return httpx.Client(base_url=base_url, timeout=PATIENCE_S, **said)


def fetch(url: str, method: str = "GET", **said: object) -> httpx.Response:
    """One request to a whole address."""
    return httpx.request(method, url, timeout=PATIENCE_S, **said)
