"""The order of recognition, which follows from what recognizers need and what they yield to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from graphlib import TopologicalSorter

from fettle.recognize.declarations import TAKEN, Recognizer
from fettle.recognize.intermediate import INTERMEDIATE
from fettle.recognize.kinds import feature_kinds

GIVEN = frozenset({"graph", "confidence", TAKEN})
"""Needs that are no result of a recognizer."""


@cache
def recognition_order() -> tuple[Recognizer, ...]:
    """Every recognizer of the declared kinds and every intermediate one, each after all that it depends on."""
    declared = [recognizer for kind in feature_kinds() for recognizer in kind.recognizers]
    return in_order([*INTERMEDIATE, *dict.fromkeys(declared)])


def in_order(recognizers: Iterable[Recognizer]) -> tuple[Recognizer, ...]:
    """Recognizers in topological order, those without an order between them by name.

    Raises ValueError for two of one name and for a dependency that nothing provides, `graphlib.CycleError` (a
    ValueError) for a cycle.
    """
    by_name: dict[str, Recognizer] = {}
    for one in recognizers:
        if one.name in by_name or one.name in GIVEN:
            raise ValueError(f"two recognizers are called {one.name}")
        by_name[one.name] = one
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for one in by_name.values():
        before = _depends_on(one, by_name.values())
        missing = sorted(before - by_name.keys())
        if missing:
            raise ValueError(f"{one.name} depends on {missing[0]}, which no recognizer provides")
        sorter.add(one.name, *before)
    sorter.prepare()
    ordered: list[Recognizer] = []
    ready: list[str] = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()])
        name = ready.pop(0)
        ordered.append(by_name[name])
        sorter.done(name)
    return tuple(ordered)


def _depends_on(one: Recognizer, every: Iterable[Recognizer]) -> set[str]:
    if one.takes_the_rest:
        return {other.name for other in every if not other.takes_the_rest} | (set(one.needs) - GIVEN)
    return (set(one.needs) - GIVEN) | set(one.yields_to)


def claims_before(ordered: Iterable[Recognizer]) -> dict[str, frozenset[str]]:
    """By recognizer, the names of all whose claims come first: what it yields to, and what those yield to."""
    before: dict[str, frozenset[str]] = {}
    for one in ordered:
        direct = frozenset(before) if one.takes_the_rest else frozenset(one.yields_to)
        before[one.name] = direct.union(*(before[name] for name in direct))
    return before
