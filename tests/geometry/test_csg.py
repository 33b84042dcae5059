"""Recipes give the solids they say: volumes by formula, read back from the STEP bytes."""

from __future__ import annotations

import math

import pytest

from fettle.errors import BadRequest
from fettle.geometry import csg
from fettle.geometry.csg import build

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]
BOX = {"box": [10, 20, 30]}
L_SHAPE = {"union": [{"box": [30, 10, 5]}, {"box": [10, 10, 20]}]}

VOLUMES_MM3 = {
    "box": (BOX, 6000),
    "cylinder": ({"cylinder": {"d": 10, "h": 7}}, math.pi * 25 * 7),
    "cone": ({"cone": {"d": 10, "d2": 4, "h": 6}}, math.pi * 6 / 3 * (25 + 10 + 4)),
    "pointed cone": ({"cone": {"d": 10, "d2": 0, "h": 6}}, math.pi * 25 * 6 / 3),
    "sphere": ({"sphere": {"d": 10}}, math.pi * 1000 / 6),
    "torus": ({"torus": {"D": 20, "d": 4}}, 2 * math.pi**2 * 10 * 4),
    "prism": ({"prism": {"points": [[0, 0], [4, 0], [0, 3]], "h": 5}}, 30),
    "tapered prism": (
        {"prism": {"points": SQUARE, "h": 10, "taper_deg": math.degrees(math.atan(0.1))}},
        10 / 3 * (100 + 80 + 64),
    ),
    "revolve": ({"revolve": {"points": [[5, 0], [8, 0], [8, 4], [5, 4]]}}, math.pi * (64 - 25) * 4),
    "quarter turn": ({"revolve": {"points": [[5, 0], [8, 0], [8, 4], [5, 4]], "deg": 90}}, math.pi * 39),
    "union": (L_SHAPE, 30 * 10 * 5 + 10 * 10 * 15),
    "cut": ({"cut": [BOX, {"move": {"of": {"cylinder": {"d": 4, "h": 30}}, "by": [5, 10, 0]}}]}, 6000 - 120 * math.pi),
    "common": ({"common": [BOX, {"box": [20, 5, 40]}, {"box": [20, 40, 3]}]}, 10 * 5 * 3),
    "bodies": ({"bodies": [BOX, {"move": {"of": {"box": [1, 2, 3]}, "by": [50, 0, 0]}}]}, 6006),
    "fillet along z": ({"fillet": {"of": BOX, "r": 2, "edges": "z"}}, 6000 - (4 - math.pi) * 4 * 30),
    "fillet at a point": (
        {"fillet": {"of": L_SHAPE, "r": 3, "edges": [[10, 5, 5]]}},
        3000 + (1 - math.pi / 4) * 9 * 10,
    ),
    "chamfer all of one edge": ({"chamfer": {"of": BOX, "c": 1, "edges": [[0, 0, 15]]}}, 6000 - 15),
    "open shell": ({"shell": {"of": BOX, "t": 1, "open": [[5, 10, 30]]}}, 6000 - 8 * 18 * 29),
    "sealed shell": ({"shell": {"of": BOX, "t": 1}}, 6000 - 8 * 18 * 28),
    "turned": ({"turn": {"of": BOX, "axis": [1, 1, 0], "deg": 33}}, 6000),
    "mirrored": ({"mirror": {"of": L_SHAPE, "normal": [1, 0, 0]}}, 3000),
    "scaled": ({"scale": {"of": BOX, "by": 0.5}}, 750),
}


@pytest.mark.parametrize("name", VOLUMES_MM3)
def test_volume_is_the_formulas(name: str) -> None:
    recipe, expected = VOLUMES_MM3[name]
    assert volume_mm3(build(recipe)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("unit", ["mm", "cm", "m", "in"])
def test_the_unit_is_only_how_the_file_is_written(unit: str) -> None:
    assert volume_mm3(build(BOX, unit)) == pytest.approx(6000, rel=1e-6)


def test_the_same_recipe_gives_the_same_bytes() -> None:
    assert build(L_SHAPE) == build(L_SHAPE)


def test_what_was_built_before_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    cross = {"union": [{"box": [40, 8, 8]}, {"move": {"of": {"box": [8, 40, 8]}, "by": [16, -16, 0]}}]}
    elsewhere = {"turn": {"of": {"mirror": {"of": cross, "normal": [1, 1, 0]}}, "axis": [1, 2, 3], "deg": 40}}
    monkeypatch.setattr(csg, "KEPT_SHAPES", 0)
    alone = [build(cross), build(elsewhere)]
    monkeypatch.undo()
    assert [build(cross), build(elsewhere), build(cross)] == [*alone, alone[0]]


def test_booleans_leave_no_seams() -> None:
    assert build(L_SHAPE).count(b"ADVANCED_FACE(") == 8


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ({}, "recipe: expected a mapping with one operation"),
        ({"boxx": [1, 2, 3]}, "no operation 'boxx'"),
        ({"box": [1, 2]}, r"recipe\.box: expected a list of 3 items"),
        ({"box": [1, 2, -3]}, r"recipe\.box\[2\]: -3 must be above 0"),
        ({"box": [1, 2, float("nan")]}, r"recipe\.box\[2\]: expected a finite number"),
        ({"cylinder": {"d": 4}}, r"recipe\.cylinder: argument 'h' is missing"),
        ({"cylinder": {"d": 4, "h": 1, "r": 2}}, r"recipe\.cylinder: no argument 'r'"),
        ({"cut": [BOX, {"sphere": {"d": "4"}}]}, r"recipe\.cut\[1\]\.sphere\.d: expected a finite number, found '4'"),
        ({"cut": [BOX]}, r"recipe\.cut: expected a list of at least 2 items"),
        ({"cut": [BOX, {"box": [50, 50, 50]}]}, "not a valid solid"),
        ({"fillet": {"of": BOX, "r": 1, "edges": "w"}}, r"recipe\.fillet\.edges: 'w' is none of"),
        ({"fillet": {"of": {"sphere": {"d": 4}}, "r": 1, "edges": "x"}}, r"recipe\.fillet\.edges: 'x' selects no edge"),
        ({"fillet": {"of": BOX, "r": 50, "edges": "z"}}, r"recipe\.fillet: a fillet of radius 50.0 mm does not fit"),
        ({"turn": {"of": BOX, "axis": [0, 0, 0], "deg": 3}}, r"recipe\.turn\.axis: .* has no direction"),
        ({"torus": {"D": 3, "d": 4}}, "crosses itself"),
        ({"prism": {"points": [[0, 0], [1, 1]], "h": 1}}, r"recipe\.prism\.points: expected a list of at least 3"),
        ({"prism": {"points": SQUARE, "h": 50, "taper_deg": 45}}, r"recipe\.prism"),
    ],
)
def test_a_bad_recipe_names_its_fault(recipe: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadRequest, match=complaint):
        build(recipe)


def test_a_bad_unit_is_refused() -> None:
    with pytest.raises(BadRequest, match="unit is 'furlong'"):
        build(BOX, "furlong")


def test_endless_nesting_is_refused() -> None:
    recipe: dict[str, object] = BOX
    for _ in range(100):
        recipe = {"move": {"of": recipe, "by": [0, 0, 0]}}
    with pytest.raises(BadRequest, match="nested deeper"):
        build(recipe)


def volume_mm3(step: bytes) -> float:
    """What a plain STEP reader and the kernel's own integration say."""
    import io

    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps
    from OCP.STEPControl import STEPControl_Reader

    reader = STEPControl_Reader()
    reader.ReadStream("part.step", io.BytesIO(step))
    reader.TransferRoots()
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(reader.OneShape(), properties)
    return float(properties.Mass())
