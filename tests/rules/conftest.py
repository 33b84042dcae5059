"""Analyses of parts, cached for the tests of a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fettle.rules.cases import Case, StatedTolerance
from fettle.rules.context import RuleContext
from fettle.rules.run_cases import analyze_case

Analyzer = Callable[..., RuleContext]


@pytest.fixture(scope="module")
def analyzed() -> Analyzer:
    """analyzed(tree, pull="cardinal", tolerances=()): context of the analysis of a CSG tree, cached. An analysis takes
    ten megabytes, and few are asked for in two files."""
    cache: dict[str, RuleContext] = {}

    def context_of(
        tree: Mapping[str, object], pull: str = "cardinal", tolerances: tuple[StatedTolerance, ...] = ()
    ) -> RuleContext:
        key = json.dumps([tree, pull, repr(tolerances)])
        if key not in cache:
            cache[key] = RuleContext(analyze_case(Case("test", tree, pull, (), tolerances), Path()))
        return cache[key]

    return context_of
