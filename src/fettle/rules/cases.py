"""Test cases of a pack: parts with the expected verdicts, in `NAME.cases.yaml` beside `NAME.yaml`; those of the sets
that it includes are added.

never:                                   verdicts that the pack can never give, and why
  - {rule: KEY, levels: [fail], configurations: [KEY, ...]?, reason: TEXT}
cases:
  - name: a plate with a slot
    part: {cut: [...]}                   a CSG tree, see geometry/csg.py; or {file: NAME} beside the cases
    pull: "0,0,1"                        optional, as on the command line
    tolerances:                          optional: what the file would ask for, at the face nearest to a point
      - {at: [20, 15, 5], diameter: 10, width: 0.015}
      - {at: [0, 15, 5], flatness: 0.05}          any kind of ISO 10303-242; with `datum: [x, y, z]` to the face there
      - {at: [0, 15, 5], ra: 0.8}
    expect:
      3-axis: {tool_clearance: fail}     configuration: {rule: level}; "*" means every configuration
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fettle.errors import BadRequest
from fettle.measure.readings import Triple
from fettle.rules.checked_input import Faults, Node
from fettle.rules.context import RuleContext
from fettle.rules.evaluate import judge
from fettle.rules.shared_sets import shared_cases
from fettle.rules.spec import LEVELS, MAX_CONFIGURATIONS, MAX_NAME, MAX_NUMBER, MAX_TEXT, Level, Module

MAX_CASES = 1000
"""Most entries of `cases` and of `never`."""
EVERY_CONFIGURATION = "*"

CaseKey = tuple[str, str, Level]
"""Configuration, rule, level."""


@dataclass(frozen=True, slots=True)
class Case:
    """One part with its expected verdicts; `part` is a CSG tree or {file: NAME}, `pull` as on the command line,
    `tolerances` what the file would ask for."""

    name: str
    part: Mapping[str, object]
    pull: str
    expected: tuple[CaseKey, ...]
    tolerances: tuple[StatedTolerance, ...] = ()


@dataclass(frozen=True, slots=True)
class StatedTolerance:
    """What a case asks of the face nearest to `at` in mm. `kind`: diameter with its nominal `value` and the `width`
    between its limits, ra with a roughness, or a geometric tolerance with the width of its zone; `datum`: a point on
    the face that it refers to."""

    at: Triple
    kind: str
    value: float
    width: float | None = None
    datum: Triple | None = None


@dataclass(frozen=True, slots=True)
class CaseBook:
    """All cases of a pack. `never`: verdicts that the pack cannot give, with the reason; they need no case."""

    cases: tuple[Case, ...]
    never: Mapping[CaseKey, str]


@dataclass(frozen=True, slots=True)
class Miss:
    """A verdict that differs from the expected one."""

    case: str
    configuration: str
    rule: str
    expected: str
    found: str
    message: str


def parse_cases(data: object, module: Module) -> CaseBook:
    """Parse the cases of a module; raises BadRequest with every fault."""
    faults = Faults()
    fields = Node(data, "", faults).fields(["cases"], ["never"])
    items = fields["cases"].items(MAX_CASES) if fields and "cases" in fields else None
    shared = [Node(case, f"/{name}", faults) for name in module.included for case in shared_cases(name)]
    cases = [_case(item, module) for item in [*(items or []), *shared]]
    never_items = fields["never"].items(MAX_CASES) if fields and "never" in fields else None
    never = dict(case_key for item in never_items or [] for case_key in _never(item, module))
    if faults.found:
        listed = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults.found)
        raise BadRequest(f"cases of '{module.key}': {listed}")
    return CaseBook(tuple(case for case in cases if case is not None), never)


def check(case: Case, context: RuleContext, module: Module) -> list[Miss]:
    """Evaluate a case and return the verdicts that differ from the expected ones. Cases are as small as they can be, so
    every rule is judged, whatever the fit of the part."""
    misses = []
    judged = {
        key: {rule.key: rule for rule in judge(context, module, key, any_fit=True).rules}
        for key in dict.fromkeys(slot[0] for slot in case.expected)
    }
    for configuration, rule, level in case.expected:
        entry = judged[configuration][rule]
        if entry.severity != level.word:
            misses.append(Miss(case.name, configuration, rule, level.word, entry.severity, entry.message))
    return misses


def without_case(module: Module, book: CaseBook) -> list[CaseKey]:
    """Verdicts that the tiers of a pack can give and for which there is no case."""
    shown = {case_key for case in book.cases for case_key in case.expected} | set(book.never)
    return [case_key for case_key in _possible(module) if case_key not in shown]


def _possible(module: Module) -> Iterator[CaseKey]:
    """Every verdict that the tiers of a module can give."""
    for configuration in module.configurations:
        for rule in module.rules:
            levels = {tier.level for tier in rule.tiers} | {Level.PASS}
            for level in sorted(levels):
                yield configuration, rule.key, level


def _case(node: Node, module: Module) -> Case | None:
    fields = node.fields(["name", "part", "expect"], ["pull", "tolerances"])
    if fields is None:
        return None
    name = fields["name"].text(MAX_NAME) if "name" in fields else None
    part = fields["part"].mapping() if "part" in fields else None
    pull = fields["pull"].text(MAX_NAME) if "pull" in fields else "cardinal"
    expected_keys: list[CaseKey] = []
    expected = fields["expect"].mapping() if "expect" in fields else None
    for key, child in (expected or {}).items():
        configurations = _configurations(child, key, module)
        for rule, word in (child.mapping() or {}).items():
            if rule not in [one.key for one in module.rules]:
                child.faults.unknown(word.pointer, "rule", rule, [one.key for one in module.rules])
                continue
            level = word.choice("level", LEVELS)
            expected_keys += [(configuration, rule, LEVELS[level]) for configuration in configurations if level]
    if name is None or part is None or pull is None:
        return None
    stated = fields["tolerances"].items(MAX_CASES) if "tolerances" in fields else None
    tolerances = tuple(one for one in map(_tolerance, stated or []) if one is not None)
    return Case(name, {key: child.value for key, child in part.items()}, pull, tuple(expected_keys), tolerances)


def _tolerance(node: Node) -> StatedTolerance | None:
    fields = node.mapping() or {}
    kinds = [key for key in fields if key not in ("at", "width", "datum")]
    if "at" not in fields or len(kinds) != 1 or (kinds[0] == "diameter") != ("width" in fields):
        node.complain("a tolerance has `at`, one of diameter (with `width`), ra or a geometric tolerance, and `datum`")
        return None
    at, datum = _point(fields["at"]), _point(fields["datum"]) if "datum" in fields else None
    value, width = (
        fields[kinds[0]].number(MAX_NUMBER),
        fields["width"].number(MAX_NUMBER) if "width" in fields else None,
    )
    return None if at is None or value is None else StatedTolerance(at, kinds[0], value, width, datum)


def _point(node: Node) -> Triple | None:
    along = [item.number(MAX_NUMBER) for item in node.items(3) or []]
    if len(along) != 3 or None in along:
        node.complain("a point has three numbers")
        return None
    x, y, z = (one or 0.0 for one in along)
    return x, y, z


def _never(node: Node, module: Module) -> list[tuple[CaseKey, str]]:
    fields = node.fields(["rule", "levels", "reason"], ["configurations"])
    if fields is None or not {"rule", "levels", "reason"} <= set(fields):
        return []
    rule = fields["rule"].choice("rule", [one.key for one in module.rules])
    words = [item.choice("level", LEVELS) for item in fields["levels"].items(len(LEVELS)) or []]
    reason = fields["reason"].text(MAX_TEXT)
    if "configurations" in fields:
        named = [
            item.choice("configuration", module.configurations)
            for item in fields["configurations"].items(MAX_CONFIGURATIONS) or []
        ]
        configurations = [key for key in named if key]
    else:
        configurations = list(module.configurations)
    if rule is None or reason is None:
        return []
    return [((key, rule, LEVELS[word]), reason) for key in configurations for word in words if word]


def _configurations(node: Node, key: str, module: Module) -> list[str]:
    if key == EVERY_CONFIGURATION:
        return list(module.configurations)
    if key not in module.configurations:
        node.faults.unknown(node.pointer, "configuration", key, module.configurations)
        return []
    return [key]
