"""Positions in which a seeded fault must be found and a sound part left alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fettle.rules import judge, shipped_modules
from tests.counts import FULL, some
from tests.rules.conftest import Analyzer

TURNS = {"straight": None, "turned": (3, 127.0), **({"turned again": (8, 61.0)} if FULL else {})}
"""Seed of a random axis and angle in degrees, by name; None leaves the part as it is."""
EVERY = 3
"""One in so many parts is turned in the suite."""

MODULES = {module.key: module for module in shipped_modules()}
Recipe = dict[str, Any]


def placed(parts: Iterable[str]) -> list[tuple[str, str]]:
    """Names of parts, each with the name of a turn: all as they are, turned all or, in the suite, one in some."""
    names = list(parts)
    return [(name, turn) for turn in TURNS for name in (names if TURNS[turn] is None else some(names, EVERY))]


def in_position(tree: Recipe, turn: tuple[int, float] | None) -> Recipe:
    """CSG tree of the part as it is, or rotated about a random axis."""
    if turn is None:
        return tree
    axis = np.random.default_rng(turn[0]).normal(size=3)
    return {"turn": {"of": tree, "axis": axis.tolist(), "deg": turn[1]}}


def verdicts(analyzed: Analyzer, recipe: Recipe, process: tuple[str, str]) -> dict[str, str]:
    """Severity of every rule; `process`: keys of a module and of its configuration."""
    module, configuration = process
    return {rule.key: rule.severity for rule in judge(analyzed(recipe), MODULES[module], configuration).rules}


def check_turned(analyzed: Analyzer, recipe: Recipe, turn: str, process: tuple[str, str], fails: list[str]) -> None:
    """Judge a part in a position: just these rules fail, and every rule says what it says of the part as it is."""
    found = verdicts(analyzed, in_position(recipe, TURNS[turn]), process)
    assert [key for key, severity in found.items() if severity == "fail"] == fails
    assert found == verdicts(analyzed, recipe, process)
