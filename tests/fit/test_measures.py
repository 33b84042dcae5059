"""What the fits are made of, against answers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fettle.fit.evidence import gather
from fettle.fit.free_faces import free_shares
from fettle.fit.terms import Term, combine, either, falling, rising
from fettle.fit.turning import fit_turning
from fettle.fit.value_window import fullest_window
from fettle.fit.wall_thickness import wall_thickness
from tests.fit.parts import (
    CUBE,
    MILLED_BLOCK,
    MOLDED_BOX,
    PRINTED_BRACKET,
    Recipe,
    analyzed,
    at,
    box,
    cut,
    hexagon,
    outline,
    prism,
    rod,
    rounded_box,
)
from tests.measure.parts import field_of


def test_ramps() -> None:
    assert [rising(value, 1.0, 3.0) for value in (0.5, 1.0, 2.0, 3.0, 9.0, math.nan)] == [0, 0, 0.5, 1, 1, 0]
    assert [falling(value, 1.0, 3.0) for value in (0.5, 1.0, 2.0, 3.0, 9.0, math.nan)] == [1, 1, 0.5, 0, 0, 0]
    assert either(0.5, 0.5) == 0.75


def test_a_low_fit_names_its_lowest_term() -> None:
    terms = (Term(0.9, "the wall is thin", main=True), Term(0.2, "3 corners are sharp"), Term(1.0, "unused"))
    low = combine("any", "Any part", terms)
    assert low.value == pytest.approx(0.18)
    assert low.reason == "3 corners are sharp."
    assert combine("any", "Any part", (terms[0], terms[2])).reason == "The wall is thin."


def test_the_main_thickness_is_the_one_of_most_area() -> None:
    walls = wall_thickness(field_of(np.array([2.0, 2.04, 5.0, np.nan])), np.array([3.0, 3.0, 2.0, 2.0]))
    assert walls.main_share == pytest.approx(0.6)
    assert walls.main_mm in (2.0, 2.04)
    assert walls.even_share == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("values", "weights", "window"),
    [
        pytest.param([1.0, 2.0, 2.1, 2.2, 3.0], [1.0, 1.0, 1.0, 1.0, 2.5], (1, 4), id="three together weigh most"),
        pytest.param([1.0, 2.0, 2.1, 2.2, 3.0], [1.0, 1.0, 1.0, 1.0, 3.5], (4, 5), id="one alone weighs most"),
        pytest.param([1.0, 1.1, 5.0, 5.5], [1.0, 1.0, 1.0, 1.0], (0, 2), id="the first of equal ones, its end within"),
        pytest.param([4.0], [2.0], (0, 1), id="one value"),
    ],
)
def test_the_fullest_window_by_hand(values: list[float], weights: list[float], window: tuple[int, int]) -> None:
    upto = np.concatenate([[0.0], np.cumsum(weights)])
    assert fullest_window(np.array(values), upto, 1.1) == window


def test_free_shares_of_three_faces_by_hand() -> None:
    """Face 0 adjoins face 1: a quarter of it sees face 2, half of it face 1 and a quarter nothing. Face 1 has a point
    that sees nothing and one beside an edge, which does not count. Face 2 has no other points than such."""
    shares = free_shares(
        np.array([0, 0, 0, 1, 1, 2], np.int32),
        np.array([1.0, 2.0, 1.0, 1.0, 5.0, 1.0]),
        np.array([False, False, False, False, True, True]),
        np.array([4.0, 3.0, np.nan, np.inf, 2.0, 2.0]),
        np.array([2, 1, -1, -1, 2, 0], np.int32),
        np.array([0 * 3 + 1, 1 * 3 + 0]),
        3,
    )
    assert shares.tolist() == [0.75, 1.0, 0.0]


@pytest.mark.parametrize(
    ("recipe", "sharp"),
    [
        pytest.param(CUBE, 0, id="cube"),
        pytest.param(cut(box(40, 30, 20), at(rounded_box(20, 15, 20, 3), 10, 8, 8)), 0, id="milled pocket"),
        pytest.param(cut(box(40, 30, 20), at(box(50, 15, 20), -5, 8, 8)), 0, id="slot through both sides"),
        pytest.param(cut(box(40, 30, 20), at(box(50, 15, 20), -5, 20, 8)), 0, id="step"),
        pytest.param(cut(box(40, 30, 20), at(rod(10, 20), 20, 15, 8)), 0, id="flat-bottomed hole"),
        pytest.param(cut(box(40, 30, 20), at(box(20, 15, 20), 10, 8, 8)), 4, id="square pocket"),
        pytest.param(cut(box(40, 30, 20), at(box(20, 15, 40), 10, 8, -5)), 4, id="square window"),
        pytest.param(cut(box(40, 30, 20), at(prism(hexagon(8), 20), 20, 15, 8)), 6, id="nut trap"),
        pytest.param(cut(box(40, 30, 20), at(box(50, 50, 20), 20, 15, 8)), 1, id="corner cut out of a block"),
        pytest.param(cut(box(40, 30, 20), at(box(4, 4, 1), 10, 8, 19.8)), 0, id="mark 0.2 deep"),
    ],
)
def test_corners_that_no_cutter_leaves(recipe: Recipe, sharp: int) -> None:
    assert gather(analyzed(recipe)).corners.sharp == sharp


def test_a_window_in_a_plate_is_cut_by_a_laser() -> None:
    plate = cut(box(100, 80, 3), at(box(20, 15, 40), 10, 8, -5))
    evidence = gather(analyzed(plate))
    assert evidence.flat
    assert evidence.corners.sharp == 0


def test_share_of_revolution() -> None:
    """A rod of 20 x 50 with a square hole of 6 through it."""
    recipe = cut(rod(20, 50), at(box(6, 6, 60), -3, -3, -5))
    outer, ends, hole = math.pi * 20 * 50, 2 * (math.pi * 100 - 36), 4 * 6 * 50
    found = gather(analyzed(recipe)).revolution
    assert found.share == pytest.approx((outer + ends) / (outer + ends + hole), abs=1e-6)
    assert found.teeth == 0


def test_a_square_plate_with_a_hole_is_not_of_revolution() -> None:
    found = gather(analyzed(cut(box(60, 60, 8), at(rod(20, 20), 30, 30, -5)))).revolution
    assert found.share < 0.1


def test_flats_of_a_hexagon_bar_count_as_teeth() -> None:
    found = gather(analyzed(cut(prism(hexagon(20), 12), at(rod(12, 20), 0, 0, -2)))).revolution
    assert found.teeth == 6
    assert found.share > 0.9


def ribbed_ring(top_mm: float) -> tuple[Recipe, float]:
    """A ring of 40 x 20 with eight ribs 3 wide from its bore, 32 at the bottom and `top_mm` at the top, to 16; and the
    area in mm2 of the bore between the ribs and of their flanks."""
    plates = [
        {"turn": {"of": at(box(60, 3, 20), -30, -1.5, 0), "axis": [0, 0, 1], "deg": deg}} for deg in (0, 45, 90, 135)
    ]
    bore = {"cone": {"d": 32, "d2": top_mm, "h": 20}} if top_mm != 32 else rod(32, 20)
    recipe = cut(rod(40, 20), {"union": [cut(bore, *plates), rod(16, 20)]})
    z = np.linspace(0, 20, 2001)
    r = 16 + (top_mm / 2 - 16) * z / 20
    slant = math.hypot(1, (top_mm / 2 - 16) / 20)
    between = float(np.trapezoid((2 * math.pi - 16 * np.arcsin(1.5 / r)) * r * slant, z))
    flanks = 16 * float(np.trapezoid(np.sqrt(r * r - 1.5**2) - math.sqrt(8**2 - 1.5**2), z))
    return recipe, between + flanks


def test_ribs_in_a_conical_bore_are_not_turned() -> None:
    """A boring bar would cut them away."""
    recipe, inside_mm2 = ribbed_ring(24)
    analysis = analyzed(recipe)
    area_mm2 = sum(face.area_mm2 for face in analysis.part.faces)
    found = gather(analysis).revolution
    assert found.share <= 1 - inside_mm2 / area_mm2 + 1e-6
    assert found.teeth == 0
    assert fit_turning(gather(analysis)).value == 0.0


def test_ribs_of_one_section_in_a_straight_bore_are_teeth() -> None:
    """They are broached or shaped into a turned ring, as internal gears are."""
    recipe, inside_mm2 = ribbed_ring(32)
    analysis = analyzed(recipe)
    area_mm2 = sum(face.area_mm2 for face in analysis.part.faces)
    assert gather(analysis).revolution.share >= (math.pi * 40 * 20 + inside_mm2) / area_mm2 - 1e-6


@pytest.mark.parametrize("deg", [0.5, 1.0, 3.0, 5.0])
def test_draft_is_found_along_the_direction_in_which_walls_lean(deg: float) -> None:
    recipe = prism(outline(60, 40), 30, deg)
    drafted = gather(analyzed(recipe)).drafted
    sides = 2 * (60 + 40 - 60 * math.tan(math.radians(deg))) * 30 / math.cos(math.radians(deg))
    top = (60 - 60 * math.tan(math.radians(deg))) * (40 - 60 * math.tan(math.radians(deg)))
    assert drafted.drafted_share == pytest.approx(sides / (sides + 2400 + top), rel=0.01)
    assert drafted.wall_share == pytest.approx(drafted.drafted_share, rel=0.01)


def test_one_sloping_side_is_no_draft() -> None:
    wedge = prism([[0, 0], [60, 0], [60, 40], [0, 38]], 30)
    assert gather(analyzed(wedge)).drafted.drafted_share < 0.02


def test_block_fill() -> None:
    recipe: Recipe = {
        "turn": {"of": cut(box(40, 30, 20), at(box(40, 30, 10), 20, 0, 10)), "axis": [1, 2, 3], "deg": 50}
    }
    assert gather(analyzed(recipe)).block_fill == pytest.approx(0.75, abs=1e-9)


def test_evidence_of_whole_parts() -> None:
    assert gather(analyzed(MILLED_BLOCK)).corners.sharp == 0
    assert gather(analyzed(PRINTED_BRACKET)).corners.sharp >= 12
    assert gather(analyzed(MOLDED_BOX)).draft == 1.0
