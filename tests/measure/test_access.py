"""Set-ups and tool access of parts for which they are known by hand.

A cutter along an axis also mills the walls parallel to it, so a plain block needs two set-ups: any one axis leaves only
the face it stands on.
"""

from __future__ import annotations

import pytest

from fettle.geometry.part import Cylinder, Torus
from tests.measure.parts import CUP, access, box, context, face_at, rod, tilt, tilted

BLOCK = box(60, 60, 60)
TOP, LEFT, RIGHT = box(20, 20, 10, (20, 20, 50)), box(10, 20, 20, (0, 20, 20)), box(10, 20, 20, (50, 20, 20))
FRONT, BACK = box(20, 10, 20, (20, 0, 20)), box(20, 10, 20, (20, 50, 20))
SLANTED = {
    "move": {"of": {"turn": {"of": {"cylinder": {"d": 5, "h": 80}}, "axis": [0, 1, 0], "deg": 30}}, "by": [10, 20, -20]}
}
RING = {"revolve": {"points": [[8, 10], [12, 10], [12, 20], [8, 20]]}}

HAND_WORKED = {
    # name: tree, 3-axis set-ups, 5-axis set-ups, faces out of reach of 3 axes, of 5 axes
    "block": (BLOCK, 2, 2, 0, 0),
    "block with a top pocket": ({"cut": [BLOCK, TOP]}, 2, 2, 0, 0),
    "pockets on top and bottom": ({"cut": [BLOCK, TOP, box(20, 20, 10, (20, 20, 0))]}, 2, 2, 0, 0),
    "pockets on three sides": ({"cut": [BLOCK, TOP, LEFT, FRONT]}, 3, 2, 0, 0),
    "pockets on five sides": ({"cut": [BLOCK, TOP, LEFT, RIGHT, FRONT, BACK]}, 5, 2, 0, 0),
    "through holes along all axes": (
        {"cut": [box(40, 40, 40), rod(6, 50, "x", (-5, 20, 30)), rod(6, 50, "y", (20, -5, 10)),
                 rod(6, 50, "z", (6, 6, -5))]},
        3, 2, 0, 0,
    ),
    "crossing holes": (
        {"cut": [box(40, 40, 40), rod(8, 50, "x", (-5, 20, 20)), rod(8, 50, "y", (20, -5, 20))]}, 2, 2, 0, 0,
    ),
    "deep blind hole": ({"cut": [box(30, 30, 120), rod(3, 110, "z", (15, 15, 20))]}, 2, 2, 0, 0),
    "open T-slot": ({"cut": [box(60, 40, 30), box(60, 8, 10, (0, 16, 20)), box(60, 20, 8, (0, 10, 12))]}, 2, 2, 0, 0),
    # Closed at both ends: two ceilings, two side walls and parts of the floor and the end walls see no axis.
    "closed T-slot": (
        {"cut": [box(60, 40, 30), box(40, 8, 10, (10, 16, 20)), box(40, 20, 8, (10, 10, 12))]}, 2, 2, None, None,
    ),
    "sealed void": ({"cut": [box(30, 30, 30), box(10, 10, 10, (10, 10, 10))]}, 2, 2, 6, 6),
    # From above and below, and once more with the part on a wedge.
    "slanted hole": ({"cut": [box(60, 40, 20), SLANTED]}, 3, 2, 0, 0),
    "cup": (CUP, 2, 2, 0, 0),
    "ball": ({"sphere": {"d": 30}}, 2, 2, 0, 0),
    "shaft": (rod(20, 60, "x", (0, 0, 0)), 2, 2, 0, 0),
    # A groove inside a bore: its ceiling and its floor see no way out, and its wall none either.
    "inner groove": ({"cut": [box(40, 40, 30, (-20, -20, 0)), rod(16, 30, "z", (0, 0, 0)), RING]}, 2, 2, 3, None),
}  # fmt: skip


@pytest.mark.parametrize("name", HAND_WORKED)
def test_set_ups_and_reach(name: str) -> None:
    tree, three, five, lost_3, lost_5 = HAND_WORKED[name]
    for on, pull in (
        (context(tree), "0,0,1"),
        (context(tilted(tree)), ",".join(map(repr, tilt((0, 0, 1)).tolist()))),
    ):
        found = access(on, pull)
        assert (len(found.setups_3axis), len(found.setups_5axis)) == (three, five)
        if lost_3 is not None:
            assert len(found.unreached_3axis) == lost_3
        if lost_5 is not None:
            assert len(found.unreached_5axis) == lost_5


def test_the_hidden_faces_of_a_closed_t_slot() -> None:
    tree = HAND_WORKED["closed T-slot"][0]
    on = context(tree)
    found = access(on)
    ceilings = face_at(on.part, (15, 12, 20), (0, 0, -1))
    walls = [face_at(on.part, (15, 10, 15), (0, 1, 0)), face_at(on.part, (15, 30, 15), (0, -1, 0))]
    assert {ceilings, *walls} <= set(found.unreached_3axis)
    assert len(found.undercut_regions) == 1


def test_a_blind_hole_is_reached_from_its_mouth_alone() -> None:
    on = context({"cut": [box(30, 30, 120), rod(3, 110, "z", (15, 15, 20))]})
    found = access(on)
    bottom = face_at(on.part, (15, 15, 20), (0, 0, 1))
    assert found.reach[:6, bottom] == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def test_a_slanted_hole_is_reached_along_its_own_axis() -> None:
    on = context(HAND_WORKED["slanted hole"][0])
    found = access(on)
    (hole,) = (number for number, face in enumerate(on.part.faces) if isinstance(face.surface, Cylinder))
    assert len(found.directions) == 8
    assert found.reach[6:, hole] == pytest.approx([1.0, 1.0])
    assert found.unreached_3axis == ()
    assert len(found.setups_3axis) == 3


@pytest.mark.parametrize("deg", [30.0, 45.0, 60.0])
def test_two_cross_holes_of_a_shaft_are_reached_at_any_angle(deg: float) -> None:
    """Each hole is reached along its own axis; before, one at 45 degrees to the other counted as hidden."""
    cross = rod(3, 40, "x", (-20, 0, 0))
    holes = [
        {"move": {"of": cross, "by": [0, 0, 20]}},
        {"move": {"of": {"turn": {"of": cross, "axis": [0, 0, 1], "deg": deg}}, "by": [0, 0, 40]}},
    ]
    tree = {"cut": [rod(20, 60, "z", (0, 0, 0)), *holes]}
    for one in (tree, tilted(tree)):
        found = access(context(one))
        assert found.unreached_3axis == found.unreached_5axis == ()
        assert found.undercut_regions == ()
        assert len(found.setups_3axis) == len(access(context(tree)).setups_3axis)


def test_a_chamber_behind_a_bore_is_reached_from_nowhere() -> None:
    """The twin: askew directions reach no more than they should."""
    chamber = {"revolve": {"points": [[7, 10], [18, 10], [18, 14], [7, 14]]}}
    tree = {"cut": [box(50, 50, 30, (-25, -25, 0)), rod(16, 30, "z", (0, 0, 0)), chamber, SLANTED]}
    assert len(access(context(tree)).undercut_regions) == len(access(context(tilted(tree))).undercut_regions) == 1


@pytest.mark.parametrize("hidden_mm", [4.2, 4.6, 5.4, 5.8])
def test_a_floor_is_reached_when_its_lip_hides_less_than_a_twentieth(hidden_mm: float) -> None:
    """A pocket floor 100 long, closed all around, of which a lip at one end hides a few millimeters."""
    pocket = [box(100 - hidden_mm, 40, 11, (10, 10, 20)), box(100, 40, 8, (10, 10, 12))]
    on = context({"cut": [box(120, 60, 30), *pocket]}, max_edge_mm=1.0)
    floor = face_at(on.part, (50, 30, 12), (0, 0, 1))
    assert (floor in access(on).unreached_3axis) == (hidden_mm > 5.0)


def test_the_round_at_the_foot_of_a_pocket_is_reached_from_above() -> None:
    """A round pocket of 50, its foot rounded by 2.5: whoever mills the wall reaches the round below it as well, however
    far the facets of that wall cut in."""
    cutter = {"fillet": {"of": {"cylinder": {"d": 50, "h": 40}}, "r": 2.5, "edges": "all"}}
    on = context({"cut": [box(80, 80, 30), {"move": {"of": cutter, "by": [40, 40, 18]}}]}, max_edge_mm=8.0)
    found = access(on)
    rounds = [number for number, face in enumerate(on.part.faces) if isinstance(face.surface, Torus)]
    assert len(rounds) == 1
    assert found.reach[0, rounds[0]] == pytest.approx(1.0)
    assert found.unreached_3axis == ()
