"""The packs in force: the shipped ones in `data/packs`, and those an operator adds or replaces.

A pack is YAML, read as the same module that callers post. The operator's are in the folder `packs` of
`FETTLE_CATALOG_DIR`: a key of its own adds a module, the key of a shipped one replaces it.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.catalog_names import CATALOG_DIR, PACKS
from fettle.errors import BadRequest, CatalogFault
from fettle.results import ModuleResults
from fettle.rules.cases import CaseBook, parse_cases
from fettle.rules.context import RuleContext
from fettle.rules.evaluate import judge_module
from fettle.rules.parse import parse_module
from fettle.rules.shared_sets import CASES_SUFFIX
from fettle.rules.spec import Module
from fettle.rules.yaml_document import read_document, read_shipped

if TYPE_CHECKING:
    from fettle.analysis import Analysis

ORDER = ("cnc", "casting", "injection", "additive", "sheet-metal", "turning")
"""Keys of the packs that come first in results."""


def packs_folder() -> Traversable:
    return files("fettle") / "data" / PACKS


@cache
def shipped_modules() -> tuple[Module, ...]:
    """All shipped packs, the well-known processes first, others by name."""
    return _ordered([parse_module(read_shipped(entry.read_bytes())) for entry in _pack_files(packs_folder())])


def modules_in_force() -> tuple[Module, ...]:
    """The modules of this process and its kernel children, which find the operator's folder in the environment."""
    folder = os.environ.get(CATALOG_DIR)
    return load_modules(Path(folder) if folder else None)


@cache
def load_modules(catalog_dir: Path | None) -> tuple[Module, ...]:
    """The shipped modules, with those in `catalog_dir`/packs added or put in their place; CatalogFault says what is
    wrong with one."""
    own: dict[str, tuple[str, Module]] = {}
    folder = catalog_dir / PACKS if catalog_dir is not None else None
    for entry in _pack_files(folder) if folder is not None and folder.is_dir() else []:
        name = f"{PACKS}/{entry.name}"
        try:
            module = parse_module(read_document(entry.read_bytes(), entry.name))
        except (BadRequest, OSError) as fault:
            raise CatalogFault(f"{name} cannot be used: {fault}") from fault
        if module.key in own:
            raise CatalogFault(f"{name} and {own[module.key][0]} both have the key '{module.key}'; give each its own.")
        own[module.key] = (name, module)
    shipped = [module for module in shipped_modules() if module.key not in own]
    return _ordered([*shipped, *(module for _, module in own.values())])


def shipped_cases(module: Module) -> CaseBook:
    """Test cases of a shipped pack."""
    entry = packs_folder() / f"{module.key}{CASES_SUFFIX}"
    return parse_cases(read_shipped(entry.read_bytes()), module)


def judge_all(analysis: Analysis) -> ModuleResults:
    """Judge by every configuration of every module in force."""
    context = RuleContext(analysis)
    return ModuleResults(tuple(judge_module(context, module) for module in modules_in_force()))


def _ordered(modules: list[Module]) -> tuple[Module, ...]:
    rank = {key: place for place, key in enumerate(ORDER)}
    return tuple(sorted(modules, key=lambda module: (rank.get(module.key, len(ORDER)), module.key)))


def _pack_files(folder: Traversable) -> list[Traversable]:
    entries = [entry for entry in folder.iterdir() if entry.name.endswith(".yaml")]
    return sorted((one for one in entries if not one.name.endswith(CASES_SUFFIX)), key=lambda one: one.name)
