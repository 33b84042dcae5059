"""Sound moldings, castings and sheets do not fail; one fault in them is found; and a turn changes neither."""

from __future__ import annotations

import pytest

from fettle.rules import judge, shipped_modules
from tests.recognize.sheets import strip
from tests.rules.conftest import Analyzer
from tests.rules.positions import TURNS, in_position, placed
from tests.rules.seeded.case import Recipe, box, rod, tapered
from tests.rules.seeded.injection import lid

MODULES = {module.key: module for module in shipped_modules()}


def rounded_shell(draft_deg: float) -> Recipe:
    """A lid of 80 x 60 x 25 with a wall of 2 mm."""
    return lid(draft_deg, depth=25, x=80, y=60)


def lid_with_bosses(draft_deg: float = 2.0, rib_mm: float = 1.1) -> Recipe:
    """The lid with two screw bosses and a rib under its top."""
    boss = [{"move": {"of": {"cone": {"d": 5.6, "d2": 6, "h": 12}}, "by": [x, 30, 11.5]}} for x in (25, 55)]
    bores = [rod(2.5, 10, (x, 30, 11.5)) for x in (25, 55)]
    rib = {
        "move": {
            "of": {
                "prism": {
                    "points": [[-rib_mm / 2, 0], [rib_mm / 2, 0], [rib_mm / 2 - 0.1, -7], [-rib_mm / 2 + 0.1, -7]],
                    "h": 30,
                }
            },
            "by": [40, 0, 0],
        }
    }
    standing = {"move": {"of": {"turn": {"of": rib, "axis": [1, 0, 0], "deg": 90}}, "by": [0, 45, 23.5]}}
    return {"cut": [{"union": [rounded_shell(draft_deg), *boss, standing]}, *bores]}


def cap(lean: float) -> Recipe:
    """A round cap of 40 mm and 18 mm depth, its wall leaning by `lean` mm over the depth, with a rounded top."""
    outer = [[0, 0], [20, 0], [20 - lean, 18], [0, 18]]
    solid = {"fillet": {"of": {"revolve": {"points": outer}}, "r": 2.5, "edges": [[20 - lean, 0, 18]]}}
    return {"shell": {"of": solid, "t": 1.5, "open": [[0, 0, 0]]}}


def frame() -> Recipe:
    """A frame of 100 x 70 x 2 around a window, both with upright sides: too shallow to need draft."""
    return {"cut": [box(100, 70, 2), box(80, 50, 2, (10, 10, 0))]}


def lettered() -> Recipe:
    """The lid with engraved strokes of 0.6 mm, 1.7 mm deep, that leave 0.3 mm of its top."""
    strokes = [box(0.6, 8, 3, (x, 26, 23.3)) for x in (20, 23, 26, 29)]
    return {"cut": [rounded_shell(2), *strokes]}


def clip(hook_mm: float) -> Recipe:
    """The lid with a snap hook inside whose nose reaches out by `hook_mm`."""
    arm = {"union": [box(1.5, 8, 22, (38, 26, 2)), box(1.5 + hook_mm, 8, 2, (38, 26, 2))]}
    return {"union": [rounded_shell(2), arm]}


def casting(wall_mm: float = 6.0, fillet_mm: float = 4.0, lean_deg: float = 2.0) -> Recipe:
    """An angle with drafted legs, a fillet inside, and a flat-bottomed hole that is drilled later."""
    legs = {"union": [tapered(80, 60, 8, lean_deg), tapered(80, wall_mm + 2, 50, lean_deg, (0, 0, 0))]}
    edge = [40, wall_mm + 2 - 0.28, 8]
    filleted = {"fillet": {"of": legs, "r": fillet_mm, "edges": [edge]}} if fillet_mm else legs
    return {"cut": [filleted, rod(10, 10, (40, 40, 4))]}


CHANNEL = strip([30, 60, 30], [90, 90], 2.0, t=2.0)


def slotted(width: float = 50) -> Recipe:
    """An angle of 2 mm whose bend is cut by two slots."""
    angle = strip([40, 40], [90], 2.0, t=2.0, width=width)
    slots = [box(14, 14, 4, (35, -3, z)) for z in (14, 32)]
    return {"cut": [angle, *slots]}


def nutted(gap: float) -> Recipe:
    """A sheet of 2 mm with a press nut of 8 mm and a hole, `gap` from the edge; where that is far, the nut is 1 mm
    beside the hole."""
    nut_y = max(2.5 + gap, 6.0)
    plate = {"union": [box(80, 50, 2), rod(8, 4, (24, nut_y, 2))]}
    return {"cut": [plate, rod(4, 10, (24, nut_y, -1)), rod(5, 10, (31.5, 2.5 + gap, -1))]}


SOUND: dict[str, tuple[str, str, Recipe]] = {
    "a lid with rounded edges": ("injection", "standard", rounded_shell(2)),
    "a lid with bosses and a rib": ("injection", "standard", lid_with_bosses()),
    "a round cap": ("injection", "standard", cap(0.5)),
    "a shallow frame with upright sides": ("injection", "standard", frame()),
    "a lid with engraved letters": ("injection", "standard", lettered()),
    "a lid with a snap hook": ("injection", "side-action", clip(1.5)),
    "a sand casting": ("casting", "sand", casting()),
    "an investment casting without draft": ("casting", "investment", casting(lean_deg=0.001)),
    "a channel of 2 mm": ("sheet-metal", "mild-steel-1.5mm", CHANNEL),
    "an angle with a bend in three pieces": ("sheet-metal", "mild-steel-1.5mm", slotted()),
    "a sheet with a press nut": ("sheet-metal", "mild-steel-1.5mm", nutted(12)),
}
FAULTY: dict[str, tuple[str, str, Recipe, str]] = {
    "a lid without draft": ("injection", "standard", rounded_shell(0), "draft_required"),
    "a round cap without draft": ("injection", "standard", cap(0.0), "draft_required"),
    "a lid with a thick rib": ("injection", "standard", lid_with_bosses(rib_mm=1.9), "rib_thickness"),
    "a lid with a snap hook in a plain mold": ("injection", "standard", clip(1.5), "draft_required no_undercuts"),
    "a sand casting with a sharp corner": ("casting", "sand", casting(fillet_mm=0), "sharp_internal_corner"),
    "a sand casting with a tight fillet": ("casting", "sand", casting(fillet_mm=1.0), "internal_fillet"),
    "a sand casting with a thin wall": ("casting", "sand", casting(wall_mm=2.0, lean_deg=1.1), "min_wall_thickness"),
    "a channel of 2 mm bent sharply": (
        "sheet-metal",
        "mild-steel-1.5mm",
        strip([30, 60, 30], [90, 90], 0.5, t=2.0),
        "bend_radius",
    ),
    "a sheet with a hole at its edge": ("sheet-metal", "mild-steel-1.5mm", nutted(1), "hole_to_edge"),
    "a channel with a flange of 5 mm": (
        "sheet-metal",
        "mild-steel-1.5mm",
        strip([1, 60, 30], [90, 90], 2.0, t=2.0),
        "flange_length",
    ),
}


def verdicts(analyzed: Analyzer, module: str, configuration: str, recipe: Recipe) -> dict[str, str]:
    """Severity of every rule."""
    entry = judge(analyzed(recipe), MODULES[module], configuration)
    return {rule.key: rule.severity for rule in entry.rules}


@pytest.mark.parametrize(("name", "turn"), placed(SOUND))
def test_a_sound_part_does_not_fail(name: str, turn: str, analyzed: Analyzer) -> None:
    module, configuration, recipe = SOUND[name]
    found = verdicts(analyzed, module, configuration, in_position(recipe, TURNS[turn]))
    assert [key for key, severity in found.items() if severity == "fail"] == []
    assert found == verdicts(analyzed, module, configuration, recipe)


@pytest.mark.parametrize(("name", "turn"), placed(FAULTY))
def test_a_fault_is_found_and_nothing_else_fails(name: str, turn: str, analyzed: Analyzer) -> None:
    module, configuration, recipe, rules = FAULTY[name]
    found = verdicts(analyzed, module, configuration, in_position(recipe, TURNS[turn]))
    assert [key for key, severity in found.items() if severity == "fail"] == rules.split()
    assert found == verdicts(analyzed, module, configuration, recipe)


def test_a_bend_in_pieces_is_one_bend_line(analyzed: Analyzer) -> None:
    entry = judge(analyzed(slotted()), MODULES["sheet-metal"], "mild-steel-1.5mm")
    assert next(rule for rule in entry.rules if rule.key == "bend_radius").n_inspected == 1


def test_the_sheet_is_as_thick_as_the_part(analyzed: Analyzer) -> None:
    entry = judge(analyzed(CHANNEL), MODULES["sheet-metal"], "mild-steel-1.5mm")
    gauge = next(rule for rule in entry.rules if rule.key == "stock_gauge")
    assert (gauge.severity, gauge.value) == ("warning", 2.0)
    assert next(rule for rule in entry.rules if rule.key == "uniform_thickness").severity == "pass"
