"""The API's own shape: one object for one file, `{"results": [...]}` for several."""

from __future__ import annotations

import json
from collections.abc import Sequence

from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    shown = [outcome.shown for outcome in outcomes]
    return json.dumps(shown[0] if len(shown) == 1 else {"results": shown}, indent=2, allow_nan=False) + "\n"
