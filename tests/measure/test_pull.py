from __future__ import annotations

import numpy as np
import pytest

from fettle.errors import BadRequest
from fettle.measure.pull import parse_pull
from tests.measure.parts import CUP, box, context, pull, rod, tilt, tilted


@pytest.mark.parametrize("text", ["0,0,0", "1,2", "1,2,3,4", "a,b,c", "nan,0,1", "inf,0,0", "", "cardinals", "1;0;0"])
def test_a_malformed_pull_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(BadRequest, match="pull") as refused:
        parse_pull(text)
    assert repr(text) in str(refused.value)


def test_a_vector_is_made_a_unit_vector() -> None:
    assert parse_pull(" 0, 0, -5 ") == (0.0, 0.0, -1.0)
    assert parse_pull("1e200,0,0") == (1.0, 0.0, 0.0)
    assert parse_pull("1e-300,0,0") == (1.0, 0.0, 0.0)
    assert parse_pull("3,4,0") == pytest.approx((0.6, 0.8, 0.0))


def test_a_cube_is_pulled_along_plus_z() -> None:
    found = pull(context({"box": [10, 10, 10]}), "cardinal")
    assert found.direction == (0.0, 0.0, 1.0)
    assert [candidate.direction for candidate in found.candidates] == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


def test_a_plate_is_pulled_through_its_thickness() -> None:
    assert pull(context({"box": [3, 60, 100]}), "cardinal").direction == (1.0, 0.0, 0.0)


def test_a_lying_cup_is_pulled_out_of_its_mouth() -> None:
    cup = {"turn": {"of": CUP, "axis": [1, 0, 0], "deg": 90}}
    found = pull(context(cup), "cardinal")
    assert np.abs(found.direction).tolist() == [0.0, 1.0, 0.0]
    assert found.candidates[0].undercut_area_mm2 == 0.0
    # From the side all of the inside is locked: four walls of 28 and a floor, less what the mouth lets see.
    assert found.candidates[-1].undercut_area_mm2 > 1000.0


def test_a_tapered_part_is_pulled_towards_its_narrow_end() -> None:
    frustum = {"cone": {"d": 40, "d2": 30, "h": 30}}
    assert pull(context(frustum), "cardinal").direction == (0.0, 0.0, 1.0)
    turned = {"turn": {"of": frustum, "axis": [1, 0, 0], "deg": 180}}
    assert pull(context(turned), "cardinal").direction == (0.0, 0.0, -1.0)


def test_the_half_sphere_finds_the_mouth_of_a_tilted_cup() -> None:
    deep = {"shell": {"of": {"box": [30, 30, 40]}, "t": 2, "open": [[15, 15, 40]]}}
    found = pull(context(tilted(deep)), "hemisphere")
    assert abs(float(np.asarray(found.direction) @ tilt((0, 0, 1)))) > 1.0 - 1e-9
    assert found.candidates[0].undercut_area_mm2 == 0.0
    assert len(found.candidates) > 128


def test_the_half_sphere_finds_the_axis_of_a_slanted_blind_hole() -> None:
    slanted = {
        "move": {
            "of": {"turn": {"of": {"cylinder": {"d": 8, "h": 100}}, "axis": [0, 1, 0], "deg": 25}},
            "by": [20, 20, 4],
        }
    }
    found = pull(context({"cut": [box(60, 40, 20), slanted]}), "hemisphere")
    axis = np.array([np.sin(np.radians(25.0)), 0.0, np.cos(np.radians(25.0))])
    assert abs(float(np.asarray(found.direction) @ axis)) == pytest.approx(1.0, abs=1e-6)


def test_a_given_vector_is_kept_and_scored() -> None:
    found = pull(context({"cut": [CUP, rod(8, 10, "x", (-5, 20, 15))]}), "0,0,2")
    assert (found.mode, found.direction) == ("vector", (0.0, 0.0, 1.0))
    # The wall of the side hole is locked: a cylinder of 8 through 2 mm, but for the two lines level with its axis.
    assert found.candidates[0].undercut_area_mm2 == pytest.approx(np.pi * 8 * 2, rel=0.1)
