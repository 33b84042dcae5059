"""Equal bodies: the same shape up to a turn and a move, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.geometry.bodies import split_bodies
from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.recognize.congruence import find_motion, group_equal
from tests.assemblies import BRACKET, HEX_BOLT, HEX_NUT, PIN, PLATE, SPACER, WASHER, moved

TURN = {"axis": [1, 2, 3], "deg": 73}
SHAFT: CsgNode = {
    "cut": [
        {"union": [{"cylinder": {"d": 12, "h": 40}}, {"cylinder": {"d": 8, "h": 60}}]},
        {
            "move": {
                "of": {"turn": {"of": {"cylinder": {"d": 3, "h": 30}}, "axis": [1, 0, 0], "deg": 90}},
                "by": [0, 15, 52],
            }
        },
    ]
}
"""Two diameters and a cross hole: corners it has none."""
FLAT_L: CsgNode = {"prism": {"points": [[0, 0], [30, 0], [30, 10], [8, 10], [8, 40], [0, 40]], "h": 4}}
CHIRAL: CsgNode = {"cut": [FLAT_L, moved({"cylinder": {"d": 3, "h": 2}}, 4, 20, 2)]}
"""A flat L with a blind hole: its mirror image needs the hole on the other side."""


def part_of(recipe: CsgNode) -> Part:
    return load(build(recipe), "part.step").part


def placed(recipe: CsgNode) -> CsgNode:
    return {"move": {"of": {"turn": {"of": recipe, **TURN}}, "by": [31.7, -12.4, 8.9]}}


@pytest.mark.parametrize(
    "recipe",
    [
        BRACKET,
        PLATE,
        SPACER,
        HEX_BOLT,
        HEX_NUT,
        WASHER,
        PIN,
        SHAFT,
        CHIRAL,
        {"sphere": {"d": 9}},
        {"torus": {"D": 20, "d": 4}},
    ],
    ids=["bracket", "plate", "spacer", "bolt", "nut", "washer", "pin", "shaft", "chiral", "sphere", "torus"],
)
def test_a_turned_and_moved_copy_is_equal(recipe: CsgNode) -> None:
    one, two = part_of(recipe), part_of(placed(recipe))
    motion = find_motion(one, two)
    assert motion is not None
    assert np.linalg.det(motion.rotation) == pytest.approx(1.0)
    corners = np.array([edge.points[0] for edge in one.edges]) if one.edges else np.empty((0, 3))
    if len(corners) and recipe is BRACKET:
        angle = np.degrees(np.arccos((np.trace(motion.rotation) - 1) / 2))
        assert angle == pytest.approx(73, abs=1e-4)
        assert motion.shift_mm == pytest.approx([31.7, -12.4, 8.9], abs=1e-4)


@pytest.mark.parametrize("recipe", [BRACKET, CHIRAL], ids=["bracket", "chiral"])
def test_a_mirrored_body_is_another(recipe: CsgNode) -> None:
    mirrored: CsgNode = {"mirror": {"of": recipe, "normal": [1, 0, 0]}}
    assert find_motion(part_of(recipe), part_of(mirrored)) is None
    assert find_motion(part_of(recipe), part_of(placed(mirrored))) is None


def test_the_mirror_image_of_a_symmetric_body_is_equal() -> None:
    assert find_motion(part_of(PLATE), part_of({"mirror": {"of": placed(PLATE), "normal": [1, 1, 0]}})) is not None


def test_small_differences_make_another_body() -> None:
    def plate(x: float, d: float) -> CsgNode:
        return {"cut": [{"box": [80, 60, 6]}, moved({"cylinder": {"d": d, "h": 6}}, x, 20, 0)]}

    one = part_of(plate(20, 5))
    assert find_motion(one, part_of(plate(20.05, 5))) is None
    assert find_motion(one, part_of(plate(20, 5.02))) is None
    assert find_motion(one, part_of(plate(60, 5))) is not None  # turned by 180 degrees about y, it is the same plate


def test_where_the_file_cuts_a_cylinder_does_not_matter() -> None:
    whole = part_of(HEX_NUT)
    half: CsgNode = {"cut": [{"cylinder": {"d": 4.2, "h": 4.7}}, moved({"box": [10, 10, 10]}, 0, -5, -1)]}
    two_halves = part_of({"cut": [HEX_NUT, half]})
    assert find_motion(whole, two_halves) is not None


def test_groups_are_in_the_order_of_their_first_members() -> None:
    recipes = [PIN, BRACKET, PIN, WASHER, BRACKET, PIN]
    bodies = {"bodies": [moved(placed(recipe) if k % 2 else recipe, 100 * k, 0, 0) for k, recipe in enumerate(recipes)]}
    parts = [body.part for body in split_bodies(load(build(bodies), "six.step"))]
    assert [group.members for group in group_equal(parts)] == [[0, 2, 5], [1, 4], [3]]
