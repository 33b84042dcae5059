"""Bought parts: named by name or by shape, and no made part taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.geometry.bodies import split_bodies
from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.recognize.bought import bought_by_shape, find_bought
from fettle.recognize.bought_names import bought_by_name
from tests.assemblies import BRACKET, CAP_SCREW, HEX_BOLT, HEX_NUT, PIN, PLATE, SPACER, WASHER, hexagon, moved
from tests.counts import FULL
from tests.real_parts import read

BOUGHT_NAMES = """M3x8 SHCS|DIN 912|ISO 4762 M3x10|bearing 623|heatset
M3x25 BHCS|M3 Threaded Insert|hex nut|608ZZ|LM8UU
DIN EN ISO 7049 - ST2.2 x 6.5 - F - Z:1 (2) (1)|M2x6 SHCS:2|M3x12 BHCS (2) Body1|M3 Heat-Set Insert|HeatSet_M3
Magnet 6x3|Hex Nut M5:3|washer M4|screw_m3|M3x8|M5 x 12 mm|socket head cap screw_am|DIN912 M5x16
ball bearing 6202-2RS|623-2RS|Zylinderschraube M4|dowel pin 3x10|O-ring 10x2|ISO 7089 - 5|NEMA17|M3 nut
T-Nut M5|Locknut|Magnet_D6x3|624zz bearing|91290A115_Alloy Steel Socket Head Screw
Hex_Bolt_M8|insert M3 5mm|M6 washer (1)|Écrou M4|tornillo M6x20
M2x10 self tapping screw for plastic:11"""
MADE_NAMES = """bracket|adxl_screw_spacer:1 (2)|Strain Relief Plate:1|X Carriage:1|bearing_holder|nut trap|motor mount
M3 plate|Bearing Block|bolt plate M8|plate M6x20|Hotend_Mount_Bambu_X1C|heatset jig|magnet holder|spring seat|fan duct
cover|Body1|TC-SHAFT v3|nozzle|5_clips|metal frame|ring|insert_mount|ISO 2768 bracket|washer plate|screw cap|pin block
shaft|screwdriver holder|DIN rail mount|DIN_Mount|SKR_E3_V3_Din_Mount|base M3x8 holes|bearing cap|pulley 20T|wireway
608 bearing cover|spacer M3|knob M5 nut|DIN 912 holder|M3x8 screw holder|"""

EVERY = 8
"""Of the made parts, those that the suite looks at."""
SCREWED = "SKR_E3_V3_Din_Mount.step"
"""A made part whose file has screws in it."""


def named(names: str) -> list[str]:
    return [name for line in names.split("\n") for name in line.split("|")]


@pytest.mark.parametrize("name", named(BOUGHT_NAMES))
def test_names_of_bought_parts(name: str) -> None:
    found = bought_by_name(name)
    assert found is not None
    assert repr(name) in found[1]


@pytest.mark.parametrize("name", named(MADE_NAMES))
def test_names_of_made_parts(name: str) -> None:
    assert bought_by_name(name) is None


def part_of(recipe: CsgNode) -> Part:
    return load(build({"turn": {"of": recipe, "axis": [2, 1, 1], "deg": 31}}), "part.step").part


def ring(inner: float, outer: float, height: float) -> CsgNode:
    return {"cut": [{"cylinder": {"d": outer, "h": height}}, {"cylinder": {"d": inner, "h": height}}]}


HOOK: CsgNode = {
    "union": [
        {"cylinder": {"d": 1, "h": 30}},
        {
            "move": {
                "of": {
                    "turn": {
                        "of": {"common": [{"torus": {"D": 10, "d": 1}}, moved({"box": [10, 10, 10]}, 0, 0, -5)]},
                        "axis": [1, 0, 0],
                        "deg": 90,
                    }
                },
                "by": [-5, 0, 30],
            }
        },
    ]
}


@pytest.mark.parametrize(
    ("recipe", "what"),
    [
        (HEX_BOLT, "hexagon screw M5"),
        (HEX_NUT, "hexagon nut M5"),
        (WASHER, "washer"),
        (CAP_SCREW, "socket head cap screw M3"),
        (ring(8, 22, 7), "bearing 608"),
        ({"sphere": {"d": 6}}, "ball"),
        (HOOK, "wire, cable or spring"),
    ],
)
def test_shapes_of_bought_parts_in_any_position(recipe: CsgNode, what: str) -> None:
    found = bought_by_shape(part_of(recipe))
    assert found is not None
    assert found.what == what


@pytest.mark.parametrize(
    "recipe",
    [
        BRACKET,
        PLATE,
        SPACER,
        PIN,
        ring(8, 22, 9),  # no bearing is that wide
        ring(5.3, 12, 1),  # no washer of M5 has that diameter
        {"prism": {"points": hexagon(8), "h": 30}},  # a hexagon bar
        {"cut": [{"prism": {"points": hexagon(8), "h": 20}}, {"cylinder": {"d": 4.2, "h": 20}}]},  # a hexagon spacer
        {"cut": [{"prism": {"points": hexagon(20), "h": 8}}, {"cylinder": {"d": 6, "h": 8}}]},  # no nut of M6
        {"union": [{"prism": {"points": hexagon(8), "h": 3.5}}, {"cylinder": {"d": 6.2, "h": 23.5}}]},  # no shank of M5
        {"union": [HEX_BOLT, moved({"box": [20, 4, 2]}, 0, -2, 20)]},  # a bolt with a wing on it
        {"cylinder": {"d": 2, "h": 60}},  # a straight rod
    ],
)
def test_shapes_of_made_parts(recipe: CsgNode) -> None:
    assert bought_by_shape(part_of(recipe)) is None


def test_a_name_counts_before_the_shape_and_a_large_body_needs_more_than_a_word() -> None:
    assert find_bought(part_of(PIN), "dowel pin 4x20") is not None
    assert find_bought(part_of({"box": [400, 300, 20]}), "bearing") is None


def test_bodies_of_a_bought_sub_assembly_are_bought() -> None:
    found = find_bought(part_of(ring(8, 12, 7)), "inner", ("gearbox", "Bearing 608"))
    assert found is not None
    assert found.what == "part of a bearing"
    assert find_bought(part_of(ring(8, 12, 7)), "inner", ("gearbox", "bearing holder")) is None


def test_no_part_that_was_really_made_is_taken_for_a_bought_one(corpus: Path) -> None:
    files = [
        path
        for path in sorted((corpus / "made").glob("*/*.st*p"))
        if not path.stem.startswith(("Hotend_Mount_Bambu", "MiniSB"))
    ]
    assert len(files) > 40
    taken = []
    for number, path in enumerate(files):
        if not FULL and number % EVERY != 1 and path.name != SCREWED:
            continue
        model = read(path) if path.name == SCREWED else load(path.read_bytes(), path.name)
        for body in split_bodies(model):
            found = find_bought(body.part, model.part.bodies[body.number].name)
            if found is not None:
                taken.append((path.name, found.what))
    assert set(taken) == {(SCREWED, what) for what in ("button head screw M3", "screw")}


def test_bodies_of_real_assemblies(corpus: Path) -> None:
    """Counted by hand from the names in the files."""
    bought = {}
    for name in ("Hotend_Mount_Bambu_X1C", "MiniSB_adxl_mount_ldo_15mm_c_c"):
        model = read(corpus / "made" / "voron" / f"{name}.step")
        bodies = split_bodies(model)
        owns = [model.part.bodies[body.number] for body in bodies]
        kinds = [find_bought(body.part, own.name, own.groups) for body, own in zip(bodies, owns, strict=True)]
        bought[name] = [body.number + 1 for body, kind in zip(bodies, kinds, strict=True) if kind is not None]
    assert bought == {
        "Hotend_Mount_Bambu_X1C": list(range(1, 17)),  # all but the mount: its hardware, and the hot end
        "MiniSB_adxl_mount_ldo_15mm_c_c": [5, 6, 7, 8, 11, 12],
    }
