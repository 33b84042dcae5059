"""How often the long tests repeat what they prove: few times in the suite, many times as a benchmark.

`python -m benchmarks drills` runs them with `FETTLE_FULL_COUNTS` set; what is asserted is the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

FULL = "FETTLE_FULL_COUNTS" in os.environ
Case = TypeVar("Case")


def examples(count: int) -> int:
    """How many random examples of a property are tried: so many with full counts, else a third."""
    return count if FULL else max(1, count // 3)


def some(cases: Iterable[Case], every: int) -> list[Case]:
    """All of the cases with full counts, else the first of every so many."""
    return list(cases)[:: 1 if FULL else every]
