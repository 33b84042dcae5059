"""Parts analysed once for all tests of the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fettle.rules.cases import Case
from fettle.rules.rehearsal import analyze_case
from fettle.rules.view import View

Looker = Callable[..., View]


@pytest.fixture(scope="session")
def look() -> Looker:
    """look(recipe, pull="cardinal") analyses a part, or returns the analysis of the same part from before."""
    seen: dict[str, View] = {}

    def at(recipe: Mapping[str, object], pull: str = "cardinal") -> View:
        key = json.dumps([recipe, pull])
        if key not in seen:
            seen[key] = View(analyze_case(Case("test", recipe, pull, ()), Path()))
        return seen[key]

    return at
