"""Machining times of worked examples with the digits of the textbooks they come from: what plans, and so prices,
compute with.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.table import Table
from tests.plan.worked_cuts import worked_cuts


def tables() -> Iterator[Table]:
    rows = tuple((cut.what, f"{cut.minutes.published:g}", f"{cut.minutes.computed:.6f}") for cut in worked_cuts())
    yield Table("", ("operation", "published min", "ours min"), rows)
