"""The API's own shape: one object for one file, `{"results": [...]}` for several."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome
from fettle.results.json_text import indented


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    shown = [outcome.shown for outcome in outcomes]
    return indented(shown[0] if len(shown) == 1 else {"results": shown}) + "\n"
