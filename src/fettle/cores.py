"""The cores that one analysis may use, and work begun on the second of them.

A process has one core until it allows itself two: a kernel child does so by the limits of its run. What is begun is
done by a thread of the same process, so every limit holds for both together. What takes long in it is machine code,
which runs without the interpreter's lock (see `fettle.jit`). No piece of work changes what another one reads, so the
answers are the same with one core and with two.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

T = TypeVar("T")

MOST = 2
"""More would wait: about a third of an analysis is reading the file, which the kernel does on one core."""
SWITCH_S = 1e-4
"""How long a thread that comes back from machine code may wait for one that interprets. By default it is 5 ms, as long
as much of the machine code runs, and a thread comes back some hundred times."""

_allowed = 1


def allow(cores: int) -> None:
    """Let this process use so many cores from now on, as far as it may run on them and up to `MOST`."""
    global _allowed  # noqa: PLW0603 - a limit of the process, as those of `resource`
    _allowed = max(1, min(cores, MOST, len(os.sched_getaffinity(0))))
    if _allowed > 1:
        sys.setswitchinterval(SWITCH_S)


def allowed() -> int:
    """How many cores this process may use."""
    return _allowed


def begin(work: Callable[[], T]) -> Callable[[], T]:
    """Begin `work` on the second core where there is one. The function returned gives its value or raises its error:
    it waits for the second core if that has begun, and does the work itself if not."""
    if _allowed == 1:
        return work
    begun = _second_core().submit(work)
    return lambda: work() if begun.cancel() else begun.result()


@cache
def _second_core() -> ThreadPoolExecutor:
    """Its thread takes what is begun in that order."""
    return ThreadPoolExecutor(1, thread_name_prefix="second core")
