"""Wall thickness and clearance of parts for which they follow from the dimensions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fettle.measure.field_statistics import sample_field, statistics
from fettle.measure.readings import Method
from tests.counts import some
from tests.measure.parts import box, clearance, context, normals_near, rod, thickness, tilt, tilted

PLATE = {"box": [100, 60, 3]}


def test_a_plate_reads_its_thickness_everywhere() -> None:
    field = thickness(context(PLATE))
    assert field.value_mm.tolist() == [3.0] * len(field.value_mm)


def test_a_plate_without_a_single_inner_point_still_reads() -> None:
    field = thickness(context(PLATE, max_edge_mm=500.0))
    assert field.value_mm.tolist() == [3.0] * len(field.value_mm)


@pytest.mark.parametrize("limit", [0.8, 1.2, 2.5, 0.1 + 0.2])
def test_a_wall_exactly_at_a_limit_reads_the_limit(limit: float) -> None:
    for tree in ({"box": [50, 30, limit]}, tilted({"box": [50, 30, limit]})):
        on = context(tree)
        reading = statistics(sample_field(on.mesh, len(on.part.faces), thickness(on)))
        assert reading.min_mm == pytest.approx(limit, abs=5e-7)
        assert reading.raw_min_mm == round(limit, 6)


def test_a_tube_reads_its_wall_whatever_the_mesh() -> None:
    tube = {"cut": [{"cylinder": {"d": 40, "h": 60}}, {"cylinder": {"d": 36, "h": 60}}]}
    for curvature in (12.0, 24.0, 48.0):
        field = thickness(context(tube, curvature=curvature))
        assert np.unique(field.value_mm).tolist() == [2.0]


def test_a_ball_reads_its_diameter_at_two_tessellations() -> None:
    for curvature in (16.0, 40.0):
        field = thickness(context({"sphere": {"d": 30}}, curvature=curvature))
        assert np.unique(field.value_mm).tolist() == [30.0]


def test_a_hollow_box_reads_its_walls() -> None:
    on = context({"cut": [{"box": [50, 40, 30]}, box(46, 36, 26, (2, 2, 2))]})
    field = thickness(on)
    reading = statistics(sample_field(on.mesh, len(on.part.faces), field))
    assert (reading.raw_min_mm, reading.min_mm, reading.median_mm) == (2.0, 2.0, 2.0)
    # Along an edge two walls meet: the largest ball there is 4 / (2 + sqrt 2) of a wall, a corner holds no more than 2.
    assert field.value_mm.max() <= 4.0


def test_a_cube_reads_its_side() -> None:
    field = thickness(context({"box": [10, 10, 10]}))
    assert field.value_mm.tolist() == [10.0] * len(field.value_mm)


def test_a_wedge_rises_linearly_and_has_no_reading_at_its_tip() -> None:
    angle = np.radians(10.0)
    wedge = {"prism": {"points": [[0, 0], [40, 0], [40, 40 * float(np.tan(angle))]], "h": 30}}
    on = context(wedge)
    field = thickness(on)
    flat = normals_near(on.mesh, (0, -1, 0))
    x = on.mesh.points[:, 0]
    inner = flat & (x > 2.0) & (x < 38.0) & (np.abs(on.mesh.points[:, 2] - 15.0) < 12.0)
    assert inner.sum() > 20
    np.testing.assert_allclose(field.value_mm[inner], x[inner] * np.tan(angle), rtol=5e-3)
    tip = (x < 1e-6) & (flat | normals_near(on.mesh, (-np.sin(angle), np.cos(angle), 0)))
    assert tip.any()
    assert np.isnan(field.value_mm[tip]).all()


@pytest.mark.parametrize(
    "tree",
    [
        {"chamfer": {"of": {"box": [50, 40, 5]}, "c": 1, "edges": "all"}},
        {"fillet": {"of": {"box": [50, 40, 5]}, "r": 1, "edges": "all"}},
    ],
    ids=["chamfers", "rounds"],
)
def test_chamfers_and_rounds_do_not_make_a_plate_thinner(tree: dict[str, object]) -> None:
    for turned in (tree, tilted(tree)):
        field = thickness(context(turned))
        assert np.nanmin(field.value_mm) == pytest.approx(5.0, abs=1e-6)
        assert np.nanquantile(field.value_mm, 0.95) == pytest.approx(5.0, abs=1e-6)


def test_a_thin_wall_beside_an_edge_is_measured() -> None:
    """A hole 0.6 mm from the side of a plate leaves a bridge of 0.6 mm."""
    plate = {"cut": [box(60, 40, 4), rod(10, 10, "z", (30, 5.6, -3))]}
    for turned in (plate, tilted(plate)):
        assert np.nanmin(thickness(context(turned)).value_mm) == pytest.approx(0.6, rel=0.01)


def test_a_thin_wall_that_ends_in_a_chamfered_edge_is_measured() -> None:
    """A rib of 0.8 on a block, its upper edges broken by 0.2: the rib reads 0.8 and its chamfers do not read less."""
    rib = {"prism": {"points": [[0, 0], [0.8, 0], [0.8, 9.8], [0.6, 10], [0.2, 10], [0, 9.8]], "h": 30}}
    part = {"union": [box(20, 10, 30, (-10, -10, 0)), rib]}
    for turned in (part, tilted(part)):
        assert np.nanmin(thickness(context(turned)).value_mm) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("angle_deg", [3.0, 20.0])
def test_a_wedge_is_measured_behind_its_tip(angle_deg: float) -> None:
    """Between the faces of a knife a ray reads x tan(a) and a ball 2 x tan(a / 2), x from the tip; what is below 8e-4
    of the diagonal is tip, and no wall."""
    slope = float(np.tan(np.radians(angle_deg)))
    knife = {"prism": {"points": [[0, 0], [40, 0], [40, 40 * slope]], "h": 30}}
    for turned, way in ((knife, np.array), (tilted(knife), tilt)):
        on, along, down = context(turned), way((1, 0, 0)), way((0, -1, 0))
        value, flat = thickness(on).value_mm, normals_near(on.mesh, (down[0], down[1], down[2]))
        x, tip_mm = on.mesh.points @ along, 8e-4 * on.part.diagonal_mm
        assert np.isnan(value[flat & (x < 1e-6)]).all()
        assert np.nanmin(value) > 0.9 * tip_mm
        middle = np.abs(on.mesh.points @ way((0, 0, 1)) - 15.0) < 8.0
        inner = flat & middle & (slope * x > 2.0 * tip_mm) & (x < 20.0)
        assert inner.sum() > 20
        assert (value[inner] <= 1.001 * slope * x[inner]).all()
        assert (value[inner] >= 0.999 * 2.0 * np.tan(np.radians(angle_deg / 2.0)) * x[inner]).all()


def test_crossing_holes_give_no_thin_wall() -> None:
    """In a shaft of 40, through holes of 10 and 6 that cross: nothing is thinner than 20 - 5 - sqrt(8) to either."""
    shaft = {"cut": [{"cylinder": {"d": 40, "h": 80}}, rod(10, 100, "y", (0, -50, 40)), rod(6, 100, "x", (-50, 0, 40))]}
    assert np.nanmin(thickness(context(shaft)).value_mm) > 8.0


def test_equal_crossing_holes_in_a_block_give_no_thin_wall() -> None:
    block = {"cut": [{"box": [40, 40, 40]}, rod(12, 50, "y", (20, -5, 20)), rod(12, 50, "x", (-5, 20, 20))]}
    # The nearest two walls that face each other are a hole and the outside, 14 mm apart.
    assert np.nanmin(thickness(context(block)).value_mm) == pytest.approx(14.0, rel=0.02)


def test_the_narrow_side_of_a_wall_reads_the_wall() -> None:
    on = context({"union": [box(60, 40, 10), box(2, 40, 15, (29, 0, 10))]})
    top = normals_near(on.mesh, (0, 0, 1)) & (on.mesh.points[:, 2] > 24.9)
    assert top.any()
    assert np.unique(thickness(on).value_mm[top]).tolist() == [2.0]


def test_a_body_without_facing_walls_reads_its_largest_ball() -> None:
    """A cone of 20 x 20: the inscribed ball has the diameter 20 * 2 / (1 + sqrt 5)."""
    field = thickness(context({"cone": {"d": 20, "d2": 0, "h": 20}}, max_edge_mm=1.0))
    assert np.nanmax(field.value_mm) == pytest.approx(40.0 / (1.0 + 5.0**0.5), rel=0.04)


def test_a_block_on_a_plate_is_not_as_thin_as_the_plate() -> None:
    """A 60 mm cube on the middle of a plate of 80 x 80 x 5: its sides are 60 apart, its top 65 above the underside."""
    on = context({"union": [box(80, 80, 5), box(60, 60, 60, (10, 10, 5))]})
    field, at = thickness(on), on.mesh.points
    sides = np.isclose(np.abs(at[:, :2] - 40.0).max(axis=1), 30.0) & (np.abs(on.mesh.normals[:, 2]) < 1e-9)
    inner = sides & (np.abs(at[:, :2] - 40.0).min(axis=1) < 30.0 - 5.0)
    assert inner.sum() > 500
    assert np.unique(field.value_mm[inner]).tolist() == [60.0]
    assert np.unique(field.value_mm[normals_near(on.mesh, (0, 0, 1)) & (at[:, 2] > 64.0)]).tolist() == [65.0]
    assert np.unique(field.value_mm[normals_near(on.mesh, (0, 0, 1)) & (at[:, 2] < 6.0)]).tolist() == [5.0]
    # The plate's own faces are less than 4/10 of the area, and only its underside rises to 65 below the cube.
    reading = statistics(sample_field(on.mesh, len(on.part.faces), field))
    assert (reading.min_mm, reading.median_mm, reading.p95_mm) == (5.0, 60.0, 65.0)


def test_a_gap_to_another_body_is_no_clearance() -> None:
    on = context({"bodies": [box(50, 50, 4), box(50, 50, 4, (0, 0, 9))]})
    assert np.isnan(clearance(on).value_mm).all()
    assert np.unique(thickness(on).value_mm).tolist() == [4.0]


def test_a_slot_and_a_hole_have_their_width_as_clearance() -> None:
    on = context({"cut": [box(50, 50, 20), box(50, 8, 12, (0, 12, 8)), rod(6, 30, "z", (25, 38, -5))]})
    field = clearance(on)
    assert np.unique(field.value_mm[np.isfinite(field.value_mm)]).tolist() == [6.0, 8.0]


def test_every_reading_has_its_method() -> None:
    on = context({"cut": [{"box": [50, 40, 30]}, box(46, 36, 40, (2, 2, 2))]})
    field = thickness(on)
    assert ((field.method == Method.NONE) == np.isnan(field.value_mm)).all()
    assert (field.value_mm[np.isfinite(field.value_mm)] > 0.0).all()
    assert (field.opposite_face[field.method == Method.ANALYTIC] >= 0).all()


CORNER = {"cut": [box(60, 40, 30), box(56, 36, 30, (2, 2, 2)), rod(9, 20, "x", (50, 20, 15))]}


@settings(max_examples=6)
@given(st.floats(0.01, 100.0))
def test_scaling_a_part_scales_its_thickness(factor: float) -> None:
    plain, scaled = context(CORNER), context({"scale": {"of": CORNER, "by": factor}})
    before = statistics(sample_field(plain.mesh, len(plain.part.faces), thickness(plain)))
    after = statistics(sample_field(scaled.mesh, len(scaled.part.faces), thickness(scaled)))
    assert before.min_mm is not None
    assert after.min_mm == pytest.approx(factor * before.min_mm, rel=1e-3, abs=1e-6)
    assert before.mean_mm is not None
    assert after.mean_mm == pytest.approx(factor * before.mean_mm, rel=0.02)


@settings(max_examples=6)
@given(st.tuples(*[st.integers(-5, 5)] * 3).filter(any), st.floats(1.0, 359.0), st.floats(-1e4, 1e4))
def test_moving_a_part_changes_no_thickness(axis: tuple[int, int, int], deg: float, far: float) -> None:
    moved = {"move": {"of": {"turn": {"of": CORNER, "axis": list(axis), "deg": deg}}, "by": [far, -far, far / 2]}}
    on = context(moved)
    reading = statistics(sample_field(on.mesh, len(on.part.faces), thickness(on)))
    assert reading.min_mm == pytest.approx(2.0, abs=1e-5)
    assert reading.raw_min_mm == pytest.approx(2.0, abs=1e-5)


@pytest.mark.parametrize(
    "tree",
    [
        CORNER,
        {"cut": [{"cylinder": {"d": 40, "h": 50}}, rod(30, 60, "z", (3, 0, -5))]},
        {"prism": {"points": [[0, 0], [40, 0], [40, 7]], "h": 30}},
        {"torus": {"D": 50, "d": 9}},
    ],
    ids=["box", "eccentric tube", "wedge", "ring"],
)
def test_a_finer_mesh_moves_the_minimum_by_less_than_2_percent(tree: dict[str, object]) -> None:
    lows = []
    # auto would be 0.7 to 1 mm; of the wedge the thinnest twentieth is 2.4 mm long, and 1.5 mm have two points on it
    for max_edge, curvature in some(((1.5, 24.0), (1.1, 24.0), (0.7, 48.0), (0.4, 48.0)), every=2):
        on = context(tree, max_edge, curvature)
        low = statistics(sample_field(on.mesh, len(on.part.faces), thickness(on))).min_mm
        assert low is not None
        lows.append(low)
    assert lows == pytest.approx([lows[-1]] * len(lows), rel=0.02)


@pytest.mark.parametrize(("rise", "max_edge"), [(7, 2.0), (7, 1.1), (7, 0.3), (3, 1.1), (3, 0.3), (2, 0.7), (2, 0.3)])
def test_the_thinnest_twentieth_of_a_wedge_is_where_its_slope_says(rise: float, max_edge: float) -> None:
    """Two faces of about 40 by 30 that enclose 10, 4 or 3 degrees, two ends and a back: up to x the area of the faces
    is 30 x (1 + sqrt(1 + slope^2)) and that of the ends slope x^2. The tip of 3 degrees is 0.8 mm long."""
    slope = rise / 40
    on = context({"prism": {"points": [[0, 0], [40, 0], [40, rise]], "h": 30}}, max_edge)
    whole = 30 * 40 * (1 + np.sqrt(1 + slope**2)) + 2 * 20 * rise + 30 * rise
    x = np.roots([slope, 30 * (1 + np.sqrt(1 + slope**2)), -0.05 * whole]).max()
    low = statistics(sample_field(on.mesh, len(on.part.faces), thickness(on))).min_mm
    # across from the flat face the wedge is slope x thick, from the other one by 1.5 % more
    assert low == pytest.approx(slope * x, rel=0.02)


def test_beside_a_pocket_a_plate_is_as_thick_as_elsewhere() -> None:
    """The floor of the pocket is 5 thick; the top of the plate around it is 12, up to the very rim."""
    on = context({"cut": [{"box": [120, 70, 12]}, box(40, 24, 10, (40, 20, 5))]})
    value = thickness(on).value_mm
    top = (on.mesh.normals[:, 2] > 0.99) & (on.mesh.points[:, 2] > 11.9)
    floor = (on.mesh.normals[:, 2] > 0.99) & (on.mesh.points[:, 2] < 5.1)
    assert np.unique(value[top]).tolist() == [12.0]
    assert np.unique(value[floor]).tolist() == [5.0]


@pytest.mark.parametrize("pocket", [box(20, 20, 7, (-10, -10, 5)), rod(20, 7, "z", (0, 0, 5))])
def test_the_wall_of_a_pocket_is_not_as_thin_as_its_floor(pocket: dict[str, object]) -> None:
    """A pocket in a disc of 100 x 12: 40 mm of the disc lie behind its wall, which is as thick as the disc; the floor
    is 5."""
    on = context({"cut": [{"cylinder": {"d": 100, "h": 12}}, pocket]})
    value = thickness(on).value_mm
    wall = (np.abs(on.mesh.normals[:, 2]) < 1e-9) & (np.linalg.norm(on.mesh.points[:, :2], axis=1) < 20.0)
    floor = (on.mesh.normals[:, 2] > 0.99) & (on.mesh.points[:, 2] < 5.1)
    assert wall.sum() > 100
    assert np.unique(value[wall]).tolist() == [12.0]
    assert np.unique(value[floor]).tolist() == [5.0]


def test_a_pin_in_its_hole_is_a_wall_of_its_own() -> None:
    """Two bodies that touch all round, their facets crossing: a block with walls of 10 and more, a pin of 20."""
    block = {"cut": [box(40, 40, 25, (-20, -20, 0)), rod(20, 30, "z", (0, 0, -1))]}
    pin = {"turn": {"of": {"cylinder": {"d": 20, "h": 25}}, "axis": [0, 0, 1], "deg": 7}}
    on = context({"bodies": [block, pin]})
    value = thickness(on).value_mm
    of_pin = np.array([face.body for face in on.part.faces])[on.mesh.point_face] == 1
    round_face = np.abs(on.mesh.normals[:, 2]) < 0.5
    assert np.nanmin(value[~of_pin]) == pytest.approx(10.0, rel=0.01)
    assert np.unique(value[of_pin & round_face]).tolist() == [20.0]
    gap = clearance(on).value_mm
    hole = round_face & (np.hypot(on.mesh.points[:, 0], on.mesh.points[:, 1]) < 10.1) & ~of_pin
    assert np.unique(gap[hole]).tolist() == [20.0]
    assert np.isnan(gap[of_pin]).all()
