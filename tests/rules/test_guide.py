"""Typical parts with the verdicts that a manufacturing engineer expects.

A key names what is checked: "cnc 3-axis" the overall verdict, "sheet-metal applicability" one rule in every
configuration, "cnc 5-axis tool_clearance" one rule in one.
"""

from __future__ import annotations

from typing import Any

import pytest

from fettle.rules import judge, shipped_modules
from fettle.rules.context import RuleContext
from tests.rules.conftest import Analyzer

MODULES = {module.key: module for module in shipped_modules()}
UP = "0,0,1"


def at(x: float, y: float, z: float, part: dict[str, Any]) -> dict[str, Any]:
    return {"move": {"of": part, "by": [x, y, z]}}


def bore(d: float, h: float) -> dict[str, Any]:
    return {"cylinder": {"d": d, "h": h}}


def angle(t: float, inside: float) -> dict[str, Any]:
    """An angle of 60 x 30 legs, 40 wide, bent from sheet of thickness t."""
    legs = {"union": [{"box": [60, 40, t]}, {"box": [t, 40, 30]}]}
    inner = {"fillet": {"of": legs, "r": inside, "edges": [[t, 20, t]]}}
    return {"fillet": {"of": inner, "r": inside + t, "edges": [[0, 20, 0]]}}


def drafted_box(t: float = 2.0, taper_deg: float = 2.0) -> dict[str, Any]:
    """A box of 80 x 60 x 25, open below, with draft."""
    outside = {"prism": {"points": [[0, 0], [80, 0], [80, 60], [0, 60]], "h": 25, "taper_deg": taper_deg}}
    return {"shell": {"of": outside, "t": t, "open": [[40, 30, 0]]}}


def rib(t: float) -> dict[str, Any]:
    """A rib on the inside of the top of `drafted_box`, with one degree of draft on each side."""
    foot = {"prism": {"points": [[0, 0], [t, 0], [t, 40], [0, 40]], "h": 8, "taper_deg": 1}}
    return at(40, 10, 24, {"mirror": {"of": foot, "normal": [0, 0, 1]}})


BLOCK = {"box": [60, 40, 20]}
POCKET = {"fillet": {"of": {"box": [30, 20, 10]}, "r": 4, "edges": "z"}}

GUIDE: dict[str, tuple[dict[str, Any], str, dict[str, str]]] = {
    "a plain block": (
        BLOCK,
        UP,
        {
            "cnc 3-axis": "pass",
            "cnc 5-axis": "pass",
            "injection applicability": "fail",
            "sheet-metal applicability": "fail",
            "casting solid_body": "pass",
            "additive": "pass",
        },
    ),
    "a milled block with a rounded pocket and two holes": (
        {"cut": [BLOCK, at(15, 10, 10, POCKET), at(7, 7, 0, bore(6, 20)), at(53, 33, 0, bore(6, 20))]},
        UP,
        {"cnc 3-axis": "pass", "cnc 5-axis": "pass", "sheet-metal applicability": "fail"},
    ),
    "a block with a square-cornered pocket": (
        {"cut": [BLOCK, at(15, 10, 10, {"box": [30, 20, 10]})]},
        UP,
        {"cnc min_internal_radius": "fail", "cnc setup_count": "pass"},
    ),
    "a turned shaft with a shoulder": (
        {"union": [{"cylinder": {"d": 30, "h": 20}}, {"cylinder": {"d": 20, "h": 60}}]},
        UP,
        {"cnc 3-axis": "pass", "injection applicability": "fail", "sheet-metal applicability": "fail"},
    ),
    "a bracket bent from 1.5 mm": (
        angle(1.5, 2),
        "cardinal",
        {"sheet-metal mild-steel-1.5mm": "pass", "injection draft_required": "fail", "cnc min_wall_thickness": "pass"},
    ),
    "a bracket bent from 1 mm": (
        angle(1.0, 2),
        "cardinal",
        {
            "sheet-metal stainless-1.0mm": "pass",
            "sheet-metal mild-steel-1.5mm uniform_thickness": "pass",
            "sheet-metal mild-steel-1.5mm stock_gauge": "warning",
        },
    ),
    "a bracket bent too tightly": (angle(1.5, 0.4), "cardinal", {"sheet-metal bend_radius": "fail"}),
    "a bracket with four holes": (
        {
            "cut": [
                angle(1.5, 2),
                *[at(x, y, 0, bore(5, 2)) for x in (25, 50) for y in (10, 30)],
            ]
        },
        "cardinal",
        {"sheet-metal mild-steel-1.5mm": "pass"},
    ),
    "a bracket with a hole at its very edge": (
        {"cut": [angle(1.5, 2), at(57, 20, 0, bore(5, 2))]},
        "cardinal",
        {"sheet-metal hole_to_edge": "fail", "sheet-metal mild-steel-1.5mm hole_diameter": "pass"},
    ),
    "a flat washer plate of 1.5 mm": (
        {"cut": [{"box": [60, 40, 1.5]}, at(30, 20, 0, bore(10, 2))]},
        UP,
        {"sheet-metal mild-steel-1.5mm": "pass", "casting sand min_wall_thickness": "fail"},
    ),
    "a drafted box": (
        drafted_box(),
        UP,
        {"injection standard": "pass", "injection side-action": "pass", "cnc solid_body": "pass"},
    ),
    "a drafted box with a thin rib": (
        {"union": [drafted_box(), rib(1.2)]},
        UP,
        {"injection standard": "pass", "injection rib_thickness": "pass"},
    ),
    "a drafted box with a fat rib": ({"union": [drafted_box(), rib(2.0)]}, UP, {"injection rib_thickness": "fail"}),
    "a drafted box with a window in its side": (
        {"cut": [drafted_box(), at(30, -5, 8, {"box": [20, 12, 8]})]},
        UP,
        {"injection standard no_undercuts": "fail", "injection side-action no_undercuts": "warning"},
    ),
    "a tray with upright walls": (
        {"shell": {"of": {"box": [80, 60, 25]}, "t": 2, "open": [[40, 30, 25]]}},
        UP,
        {"injection draft_required": "fail", "injection applicability": "pass", "injection no_undercuts": "pass"},
    ),
    "a thick-walled tray": (
        {"shell": {"of": {"box": [120, 90, 40]}, "t": 8, "open": [[60, 45, 40]]}},
        UP,
        {"injection applicability": "fail", "casting min_wall_thickness": "pass"},
    ),
    "a solid cube": (
        {"box": [20, 20, 20]},
        UP,
        {"injection applicability": "fail", "sheet-metal applicability": "fail", "cnc 3-axis": "pass"},
    ),
    "a hollow sphere": (
        {"cut": [{"sphere": {"d": 50}}, {"sphere": {"d": 44}}]},
        UP,
        {
            "cnc solid_body": "fail",
            "casting solid_body": "fail",
            "injection applicability": "fail",
            "sheet-metal applicability": "fail",
            "additive dmls trapped_volume": "fail",
            "additive sla trapped_volume": "fail",
            "additive fdm trapped_volume": "warning",
        },
    ),
    "a mushroom": (
        {"union": [{"cylinder": {"d": 10, "h": 20}}, at(0, 0, 20, {"cylinder": {"d": 40, "h": 5}})]},
        UP,
        {"additive overhang_angle": "pass", "additive trapped_volume": "pass"},
    ),
    "a cone on its base": (
        {"cone": {"d": 30, "d2": 10, "h": 30}},
        UP,
        {"additive overhang_angle": "pass"},
    ),
    "a funnel on its tip at 60 degrees": (
        {"cone": {"d": 10, "d2": 44.64, "h": 30}},
        UP,
        {"additive overhang_angle": "pass"},
    ),
    "a heat sink of 1 mm fins with 3 mm gaps": (
        {"union": [{"box": [37, 40, 4]}, *[at(4 * i, 0, 0, {"box": [1, 40, 12]}) for i in range(10)]]},
        UP,
        {"cnc min_wall_thickness": "pass", "cnc tool_clearance": "pass", "casting sand min_wall_thickness": "fail"},
    ),
    "a heat sink of 0.4 mm fins": (
        {"union": [{"box": [37, 40, 4]}, *[at(4 * i, 0, 0, {"box": [0.4, 40, 12]}) for i in range(1, 9)]]},
        UP,
        {"cnc min_wall_thickness": "fail", "additive fdm min_wall_thickness": "fail"},
    ),
    "a block with a slit": (
        {"cut": [BLOCK, at(29.7, 0, 14, {"box": [0.6, 40, 6]})]},
        UP,
        {"cnc tool_clearance": "fail", "cnc pocket_aspect": "fail", "additive fdm min_feature_size": "fail"},
    ),
    "a gun-drilled block": (
        {"cut": [{"box": [30, 30, 90]}, at(15, 15, 0, bore(6, 90))]},
        UP,
        {"cnc hole_depth_to_diameter": "fail", "cnc solid_body": "pass"},
    ),
    "a T-nut chamber": (
        {"cut": [{"box": [60, 60, 40]}, at(10, 10, 10, {"box": [40, 40, 15]}), at(22, 22, 20, {"box": [16, 16, 20]})]},
        UP,
        {
            "cnc 3-axis undercut_access": "fail",
            "cnc 5-axis undercut_access": "warning",
            "cnc 3-axis tool_inaccessible": "fail",
            "cnc 5-axis tool_inaccessible": "warning",
        },
    ),
    "a cast bracket with generous fillets": (
        {"fillet": {"of": {"union": [{"box": [60, 40, 8]}, {"box": [8, 40, 60]}]}, "r": 5, "edges": [[8, 20, 8]]}},
        UP,
        {"casting sand": "warning", "casting sand pattern_draft": "warning", "casting investment": "pass"},
    ),
    "a cast bracket with a sharp corner": (
        {"union": [{"box": [60, 40, 8]}, {"box": [8, 40, 60]}]},
        UP,
        {"casting sand sharp_internal_corner": "fail", "casting investment sharp_internal_corner": "warning"},
    ),
    "two parts in one file": (
        {"bodies": [BLOCK, at(100, 0, 0, BLOCK)]},
        UP,
        {"cnc solid_body": "warning", "casting solid_body": "fail", "injection applicability": "fail"},
    ),
    "a plate with a slender boss": (
        {"union": [{"box": [60, 40, 2]}, at(30, 20, 0, {"cylinder": {"d": 3, "h": 22}})]},
        UP,
        {"injection boss_proportions": "fail"},
    ),
}


def test_the_guide_has_enough_parts() -> None:
    assert len(GUIDE) >= 25


@pytest.mark.parametrize("name", GUIDE)
def test_a_typical_part(name: str, analyzed: Analyzer) -> None:
    tree, pull, expected = GUIDE[name]
    context = analyzed(tree, pull)
    found = {key: verdicts(context, key) for key in expected}
    assert found == {key: {level} for key, level in expected.items()}, explain(context, expected)


def verdicts(context: RuleContext, key: str) -> set[object]:
    module_key, *rest = key.split()
    module = MODULES[module_key]
    chosen = [word for word in rest if word in module.configurations] or list(module.configurations)
    rules = [word for word in rest if word not in module.configurations]
    results = [judge(context, module, configuration) for configuration in chosen]
    if not rules:
        return {result.severity for result in results}
    return {rule.severity for result in results for rule in result.rules if rule.key == rules[0]}


def explain(context: RuleContext, expected: dict[str, str]) -> list[str]:
    """Every message other than a pass, of the modules that the part is checked with."""
    asked = dict.fromkeys(key.split()[0] for key in expected)
    return [
        f"{key} {configuration} {rule.key} {rule.severity}: {rule.message}"
        for key in asked
        for configuration in MODULES[key].configurations
        for rule in judge(context, MODULES[key], configuration).rules
        if rule.severity != "pass"
    ]
