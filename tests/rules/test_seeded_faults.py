"""Seeded faults: for every rule of every pack a sound part and the same part with one thing wrong. The fault is found
at its level, no other rule moves, and a sound part fails nowhere.

With full counts for every level of every rule, as built and turned at random; else for one level of each, and one rule
in some turned. That every level of every rule is given is tested by the cases of the packs (`test_packs.py`)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from importlib import import_module

import pytest

from fettle.rules import judge, shipped_modules
from fettle.rules.spec import Level
from tests.counts import FULL, some
from tests.rules.conftest import Analyzer
from tests.rules.positions import in_position
from tests.rules.seeded.case import Recipe, Seeded

pytestmark = pytest.mark.slow

MODULES = {module.key: module for module in shipped_modules()}
NEVER = {
    ("cnc", "thread_candidates"): "information for the quote, which neither warns nor fails",
    **{(key, "tolerances"): "asked for by the file, not by the shape: test_tolerances.py" for key in MODULES},
}
"""Rules without a fault, with the reason."""
FEWEST_PARTS = 120


def cases_of(module: str) -> list[Seeded]:
    """The cases of a pack: `CASES` of the module of its name in `tests.rules.seeded`."""
    cases: list[Seeded] = import_module(f"tests.rules.seeded.{module.replace('-', '_')}").CASES
    return cases


CASES = [
    pytest.param(key, case, id=f"{key}: {case.configuration}, {case.rule}, {case.level}, {number}")
    for key in MODULES
    for number, case in enumerate(cases_of(key))
]

ONE_CASE_OF_EACH_RULE = list({(case.values[0], case.values[1].rule): case for case in reversed(CASES)}.values())
"""The first; the others of a rule are mostly the same part with another size, for another level."""
SEEDED = CASES if FULL else ONE_CASE_OF_EACH_RULE
EVERY = 6
"""One in so many of them is turned in the suite."""


def turned(recipe: Recipe, name: str) -> Recipe:
    """The part turned by an angle and about an axis that its name draws. In the suite a part has one name in all of its
    cases, and so one analysis."""
    seed = zlib.crc32(name.encode())
    return in_position(recipe, (seed, 20.0 + seed % 300))


def verdicts(analyzed: Analyzer, module: str, configuration: str, recipe: Recipe) -> dict[str, str]:
    """Severity of every rule."""
    return {rule.key: rule.severity for rule in judge(analyzed(recipe), MODULES[module], configuration).rules}


def moved(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    """Rules whose severity differs."""
    return {rule for rule in before if before[rule] != after[rule]}


@pytest.mark.parametrize(("module", "case"), SEEDED)
def test_a_fault_is_found_at_its_level_and_no_other_rule_moves(module: str, case: Seeded, analyzed: Analyzer) -> None:
    sound = verdicts(analyzed, module, case.configuration, case.sound)
    faulty = verdicts(analyzed, module, case.configuration, case.faulty)
    assert "fail" not in sound.values()
    assert faulty[case.rule] == case.level
    assert moved(sound, faulty) == {case.rule, *case.coupled}


@pytest.mark.parametrize(("module", "case"), some(SEEDED, EVERY))
def test_no_position_changes_a_verdict(module: str, case: Seeded, analyzed: Analyzer) -> None:
    for name, recipe in (("sound", case.sound), ("faulty", case.faulty)):
        straight = verdicts(analyzed, module, case.configuration, recipe)
        askew = turned(recipe, f"{module} {case.rule} {name}" if FULL else json.dumps(recipe))
        assert verdicts(analyzed, module, case.configuration, askew) == straight


@pytest.mark.parametrize("module", MODULES)
def test_every_level_of_every_rule_has_a_fault(module: str) -> None:
    seeded = {(case.rule, case.level) for case in cases_of(module)}
    needed = {
        (rule.key, tier.level.word)
        for rule in MODULES[module].rules
        for tier in rule.tiers
        if tier.level is not Level.PASS and (module, rule.key) not in NEVER
    }
    assert needed - seeded == set()
    assert {rule.key for rule in MODULES[module].rules} - {rule for rule, _ in seeded} == {
        rule for key, rule in NEVER if key == module
    }


def test_there_are_enough_parts() -> None:
    parts = {str(part) for key in MODULES for case in cases_of(key) for part in (case.sound, case.faulty)}
    assert 2 * len(parts) >= FEWEST_PARTS
