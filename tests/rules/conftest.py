"""Parts analyzed once for all tests of the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fettle.rules.cases import Case
from fettle.rules.context import RuleContext
from fettle.rules.run_cases import analyze_case

Looker = Callable[..., RuleContext]


@pytest.fixture(scope="session")
def look() -> Looker:
    """look(recipe, pull="cardinal") analyses a part, or returns the analysis of the same part from before."""
    seen: dict[str, RuleContext] = {}

    def at(recipe: Mapping[str, object], pull: str = "cardinal") -> RuleContext:
        key = json.dumps([recipe, pull])
        if key not in seen:
            seen[key] = RuleContext(analyze_case(Case("test", recipe, pull, ()), Path()))
        return seen[key]

    return at
