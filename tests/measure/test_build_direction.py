"""Supports of parts whose volume is known, and the direction in which a printer would build them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.measure.build_direction import build_orientation, own_directions, search_build_direction
from fettle.measure.context import MeasureContext
from fettle.measure.overhang_columns import measure_columns, surface_triangles
from fettle.measure.readings import BuildOrientation, SupportLimits, Triple
from fettle.measure.support import best_orientation, is_trapped, needs_support, volume_mm3
from tests.measure.parts import CsgTree, box, context, rod, rotated_by, tilt, tilted

NOTHING_BRIDGED = SupportLimits(self_support_deg=45.0, bridge_mm=0.0, arch_mm=0.0, ledge_mm=0.0, tool_mm=2.0)
FILAMENT = SupportLimits(self_support_deg=45.0, bridge_mm=10.0, arch_mm=10.0, ledge_mm=1.5, tool_mm=2.0)
CORNERS = 0.08
"""Share of a ceiling that is near enough to a corner to be carried there."""
UP: Triple = (0.0, 0.0, 1.0)
T_PART: CsgTree = {"union": [box(10, 20, 30, (25, 0, 0)), box(60, 20, 5, (0, 0, 30))]}
FOOT: CsgTree = box(40, 40, 4)
BALL_RADIUS_MM = 20.0


def built(recipe: CsgTree, direction: Triple = UP) -> BuildOrientation:
    """The part printed along a direction."""
    on = context(recipe)
    surface = surface_triangles(on)
    return build_orientation(on, surface, direction, own_directions(on.part, surface))


def support_mm3(recipe: CsgTree, limits: SupportLimits, direction: Triple = UP) -> float:
    found = built(recipe, direction)
    return volume_mm3(found, needs_support(found, limits))


def chosen(on: MeasureContext) -> BuildOrientation:
    return best_orientation(search_build_direction(on), FILAMENT, on.part.volume_mm3)


def gate(span_mm: float) -> CsgTree:
    """Two posts of 10 x 20 x 20 with a lintel of 5 mm over them, on a plate."""
    posts = [box(10, 20, 20, (0, 0, 4)), box(10, 20, 20, (10 + span_mm, 0, 4))]
    return {"union": [box(20 + span_mm, 20, 4), *posts, box(20 + span_mm, 20, 5, (0, 0, 24))]}


def test_the_support_of_a_t() -> None:
    """Upright its table hangs over on 1,000 mm2, 30 mm high; on its table nothing does."""
    assert support_mm3(T_PART, NOTHING_BRIDGED) == pytest.approx(30_000.0, rel=1e-3)
    assert support_mm3(T_PART, NOTHING_BRIDGED, (0.0, 0.0, -1.0)) == 0.0


def test_a_cube_needs_no_support() -> None:
    assert support_mm3({"box": [20, 20, 20]}, NOTHING_BRIDGED) == 0.0


def test_the_support_of_a_ball() -> None:
    """That below the cap flatter than 45 degrees. Which of the triangles around its rim belong to it is open by half of
    the angle between them, to either side alike."""
    over_truth = []
    for max_edge_mm in (None, 0.8, 1.0, 1.5, 2.0):
        on = context({"sphere": {"d": 2 * BALL_RADIUS_MM}}, max_edge_mm)
        surface = surface_triangles(on)
        found = build_orientation(on, surface, UP, own_directions(on.part, surface))
        found_mm3 = volume_mm3(found, needs_support(found, NOTHING_BRIDGED))
        half_deg = math.degrees(on.mesh.max_edge_mm / BALL_RADIUS_MM) / 2.0
        assert ball_support_mm3(45.0 - half_deg) <= found_mm3 <= ball_support_mm3(45.0 + half_deg)
        over_truth.append(found_mm3 / ball_support_mm3(45.0))
    assert sum(over_truth) / len(over_truth) == pytest.approx(1.0, rel=0.03)


def ball_support_mm3(cap_deg: float) -> float:
    """Below the cap: a cylinder of the ball's radius in height less the part of the ball in it."""
    a = BALL_RADIUS_MM * math.sin(math.radians(cap_deg))
    in_ball = 2.0 * math.pi / 3.0 * (BALL_RADIUS_MM**3 - (BALL_RADIUS_MM**2 - a**2) ** 1.5)
    return math.pi * a**2 * BALL_RADIUS_MM - in_ball


def test_a_column_ends_on_the_part_below_it() -> None:
    """A shelf of 20 x 20 on a post, 16 mm above the foot, not 20 above the plate."""
    part: CsgTree = {"union": [FOOT, box(5, 20, 30, (0, 0, 4)), box(25, 20, 5, (0, 0, 20))]}
    assert support_mm3(part, NOTHING_BRIDGED) == pytest.approx(20 * 20 * 16.0, rel=1e-3)


@pytest.mark.parametrize(("span_mm", "supported"), [(8.0, False), (9.9, False), (10.2, True), (20.0, True)])
def test_a_bridge_is_as_long_as_the_way_between_its_posts(span_mm: float, supported: bool) -> None:
    """But for its corners, where a short ledge reaches from a post to the open side."""
    found = support_mm3(gate(span_mm), FILAMENT)
    assert found == pytest.approx(span_mm * 20.0 * 20.0, rel=CORNERS) if supported else found == 0.0


@pytest.mark.parametrize(("looked_mm", "least_mm"), [(10.0, math.inf), (25.0, 30.0)])
def test_borders_are_looked_for_as_far_as_asked(looked_mm: float, least_mm: float) -> None:
    """From no point of a bridge of 30 mm are both posts within 10 mm; from its middle they are within 25."""
    on = context(gate(30.0))
    found = measure_columns(on, surface_triangles(on), UP, (1.0, 0.0, 0.0), 150, looked_mm)
    assert found.bridge_mm.min() == pytest.approx(least_mm)


@pytest.mark.parametrize(("d", "supported"), [(6.0, False), (9.5, False), (10.5, True), (20.0, True)])
def test_horizontal_holes_up_to_a_diameter(d: float, supported: bool) -> None:
    part: CsgTree = {"cut": [box(40, 30, 40), rod(d, 30, "y", (20, 0, 20))]}
    assert (support_mm3(part, FILAMENT) > 0.0) == supported


@pytest.mark.parametrize(("length_mm", "supported"), [(1.0, False), (1.4, False), (2.0, True), (8.0, True)])
def test_a_ledge_is_carried_on_one_side(length_mm: float, supported: bool) -> None:
    part: CsgTree = {"union": [box(20, 20, 30), box(20 + length_mm, 20, 5, (0, 0, 25))]}
    found = support_mm3(part, FILAMENT)
    assert found == pytest.approx(length_mm * 20.0 * 25.0, rel=CORNERS) if supported else found == 0.0


def test_a_chamfered_ceiling_carries_itself() -> None:
    """A house-shaped passage, its roof at 45 degrees and steeper."""
    passage: CsgTree = {"prism": {"points": [[0, 0], [20, 0], [20, 10], [10, 20.5], [0, 10]], "h": 30}}
    upright: CsgTree = {"turn": {"of": passage, "axis": [1, 0, 0], "deg": 90}}
    part: CsgTree = {"cut": [box(40, 30, 40), {"move": {"of": upright, "by": [10, 30, 5]}}]}
    assert support_mm3(part, FILAMENT) == 0.0


def test_the_lower_edge_of_a_ring_around_a_hole_is_bridged_beside_the_hole() -> None:
    """A counterbore of 6 mm that faces down around a hole of 3.4 mm: chords of 5 mm carry its ceiling."""
    stages: CsgTree = {"union": [rod(3.4, 20, "z", (20, 20, 0)), rod(6, 8, "z", (20, 20, 0))]}
    assert support_mm3({"cut": [box(40, 40, 20), stages]}, FILAMENT) == 0.0


def test_a_ceiling_behind_a_small_opening_is_trapped() -> None:
    """A closed box with a ceiling of 54 mm: through a hole of 3 mm no tool of 2 mm takes out what is inside; the same
    box without a wall is open."""
    room: CsgTree = {"cut": [box(60, 60, 30), box(54, 54, 24, (3, 3, 3))]}
    hole = {"cut": [room, rod(3, 10, "x", (-1, 30, 15))]}
    found = built(hole)
    assert volume_mm3(found, is_trapped(found, FILAMENT)) == pytest.approx(54 * 54 * 24.0, rel=CORNERS)
    wide = built({"cut": [room, box(10, 54, 24, (-1, 3, 3))]})
    assert volume_mm3(wide, needs_support(wide, FILAMENT)) == pytest.approx(54 * 57 * 24.0, rel=CORNERS)
    assert not is_trapped(wide, FILAMENT).any()


@pytest.mark.parametrize(
    ("recipe", "up"),
    [
        (T_PART, (0.0, 0.0, -1.0)),
        ({"cone": {"d": 10, "d2": 40, "h": 10}}, (0.0, 0.0, -1.0)),
        ({"shell": {"of": {"box": [60, 40, 30]}, "t": 2, "open": [[30, 20, 30]]}}, (0.0, 0.0, 1.0)),
        ({"union": [box(60, 40, 5), rod(12, 30, "z", (20, 20, 5))]}, (0.0, 0.0, 1.0)),
    ],
    ids=["T", "funnel", "open box", "post on a plate"],
)
def test_the_build_direction_belongs_to_the_part(recipe: CsgTree, up: Triple) -> None:
    """It turns with the part, and supports stay the same."""
    straight = chosen(context(recipe))
    assert straight.direction == pytest.approx(up)
    leaning = chosen(context(tilted(recipe)))
    assert np.asarray(leaning.direction) == pytest.approx(tilt(up), abs=1e-6)
    assert volume_mm3(leaning, needs_support(leaning, FILAMENT)) == volume_mm3(
        straight, needs_support(straight, FILAMENT)
    )


def test_a_hollow_part_is_stood_on_its_tip_before_supports_are_left_inside() -> None:
    """A hollow bar of 24 x 24, 160 long with pointed ends: on its side, the only way it stands by itself, 20 mm of
    ceiling would need supports that stay inside; upright its roofs of 60 degrees carry themselves."""
    outside = [[12, 20], [12, 180], [2, 198], [0, 198], [0, 2], [2, 2]]
    inside = [[10, 21], [10, 179], [0, 196], [0, 4]]
    bar: CsgTree = {
        "cut": [{"revolve": {"points": outside}}, {"revolve": {"points": inside}}, rod(2.5, 20, "z", (0, 0, 190))]
    }
    flat: CsgTree = {"cut": [bar, box(40, 40, 240, (11.5, -20, -10))]}
    found = chosen(context(flat))
    assert abs(found.direction[2]) == pytest.approx(1.0)
    assert not is_trapped(found, FILAMENT).any()


@pytest.mark.parametrize("seed", range(4))
def test_support_is_the_same_in_any_position(seed: int) -> None:
    """Three bars that cross need support whichever end is down; turned at random they need the same."""
    jack: CsgTree = {
        "union": [box(60, 10, 10, (0, 25, 25)), box(10, 60, 10, (25, 0, 25)), box(10, 10, 60, (25, 25, 0))]
    }
    truth = 4 * 25 * 10 * 25.0
    axis, deg = random_turn(seed)
    turned = chosen(context({"turn": {"of": jack, "axis": axis.tolist(), "deg": deg}}))
    assert volume_mm3(turned, needs_support(turned, FILAMENT)) == pytest.approx(truth, rel=CORNERS)
    mirrored = chosen(context({"mirror": {"of": jack, "normal": axis.tolist()}}))
    assert volume_mm3(mirrored, needs_support(mirrored, FILAMENT)) == pytest.approx(truth, rel=CORNERS)
    ends = [rotated_by(way, (axis[0], axis[1], axis[2]), deg) for way in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert max(abs(float(end @ np.asarray(turned.direction))) for end in ends) == pytest.approx(1.0)


def random_turn(seed: int) -> tuple[NDArray[np.float64], float]:
    """An axis and an angle in degrees."""
    random = np.random.default_rng(seed)
    return random.normal(size=3), float(random.uniform(10.0, 350.0))
