"""Sets of rules that packs have in common: in `data/packs/shared`, taken in by their names under `include`.

A set has rules and documented parameters, whose values stand in the configurations of the pack, and cases for every
configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from fettle.rules.yaml_document import read_shipped

INCLUDE = "include"
CASES_SUFFIX = ".cases.yaml"
_FOLDER = files("fettle") / "data" / "packs" / "shared"


@cache
def shared_sets() -> tuple[str, ...]:
    """Names of the sets."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in names if not name.endswith(CASES_SUFFIX)))


def with_included(document: Mapping[str, Any]) -> dict[str, Any]:
    """A pack's document with the rules and documented parameters of the sets it includes after its own; what is no list
    or mapping is left for the parser to complain about."""
    expanded = dict(document)
    for name in included_sets(document):
        shared = _read(f"{name}.yaml")
        if isinstance(expanded.get("rules"), list):
            expanded["rules"] = [*expanded["rules"], *shared["rules"]]
        if isinstance(expanded.setdefault("parameters", {}), Mapping):
            expanded["parameters"] = {**expanded["parameters"], **shared["parameters"]}
    return expanded


def included_sets(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the sets that a document includes, unknown ones left out."""
    named = document.get(INCLUDE)
    return tuple(name for name in shared_sets() if name in named) if isinstance(named, list) else ()


def shared_cases(name: str) -> list[object]:
    """The cases of a set."""
    cases: list[object] = _read(f"{name}{CASES_SUFFIX}")["cases"]
    return cases


@cache
def _read(name: str) -> Mapping[str, Any]:
    document = read_shipped((_FOLDER / name).read_bytes())
    if not isinstance(document, Mapping):
        raise TypeError(f"{name} is no mapping")
    return document
