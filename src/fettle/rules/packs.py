"""Shipped packs: rule modules in `data/packs/*.yaml`, of the same form as those that callers send."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from fettle.results import ModuleResults
from fettle.rules.cases import CaseBook, parse_cases
from fettle.rules.context import RuleContext
from fettle.rules.evaluate import judge_module
from fettle.rules.parse import parse_module
from fettle.rules.spec import Module
from fettle.rules.yaml_document import read_shipped

if TYPE_CHECKING:
    from fettle.analysis import Analysis

ORDER = ("cnc", "casting", "injection", "additive", "sheet-metal")
"""Keys of the packs that come first in results."""
CASES_SUFFIX = ".cases.yaml"


def packs_folder() -> Traversable:
    return files("fettle") / "data" / "packs"


@cache
def shipped_modules() -> tuple[Module, ...]:
    """All packs, in the order of `ORDER`, then by key."""
    found = [parse_module(read_shipped(entry.read_bytes())) for entry in _pack_files()]
    rank = {key: position for position, key in enumerate(ORDER)}
    return tuple(sorted(found, key=lambda module: (rank.get(module.key, len(ORDER)), module.key)))


def shipped_cases(module: Module) -> CaseBook:
    """Test cases of a shipped pack."""
    entry = packs_folder() / f"{module.key}{CASES_SUFFIX}"
    return parse_cases(read_shipped(entry.read_bytes()), module)


def judge_all(analysis: Analysis) -> ModuleResults:
    """Judges by every configuration of every shipped module."""
    context = RuleContext(analysis)
    return ModuleResults(tuple(judge_module(context, module) for module in shipped_modules()))


def _pack_files() -> list[Traversable]:
    entries = packs_folder().iterdir()
    return [entry for entry in entries if entry.name.endswith(".yaml") and not entry.name.endswith(CASES_SUFFIX)]
