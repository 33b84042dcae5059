"""Bend allowances by formula, by DIN 6935 and by a shop's table."""

from __future__ import annotations

import math

import pytest

from fettle.errors import BadRequest
from fettle.sheet.allowance import Din6935, KFactor, MaterialK, read_table, setback_mm
from fettle.sheet.press_brake import bending_force_n
from fettle.sheet.stock import find_material, shipped_stock


def test_k_factor() -> None:
    made = KFactor(0.43).develop(2, 2, 90)
    assert made.length_mm == pytest.approx(4.4924775, abs=1e-7)
    assert 2 * setback_mm(2, 2, 90) - made.length_mm == pytest.approx(3.5075225, abs=1e-7)


def test_din_corrections() -> None:
    """v = BA - 2 setback: the published corrections."""
    for radius, t, angle, v in ((2, 2, 90, -3.8373897), (4, 2, 90, -4.4593687), (3, 3, 45, -1.8486)):
        made = Din6935().develop(radius, t, angle)
        assert made.length_mm - 2 * setback_mm(radius, t, angle) == pytest.approx(v, abs=5e-5)
    assert Din6935().develop(4, 2, 90).k_factor == pytest.approx(0.8005150 / 2, abs=1e-7)
    assert Din6935().develop(30, 2, 90).k_factor == 0.5


def test_din_makes_no_correction_for_shallow_bends() -> None:
    made = Din6935().develop(2, 2, 10)
    assert made.length_mm == pytest.approx(2 * setback_mm(2, 2, 10))


def test_materials_take_the_handbooks_lengths() -> None:
    """0.55 t, 0.64 t and 0.71 t beside 1.57 r for a right angle."""
    for group, factor in (("soft", 0.55), ("medium", 0.64), ("hard", 0.71)):
        made = MaterialK(group).develop(1, 2, 90)
        assert made.length_mm == pytest.approx(math.pi / 2 * 1 + factor * 2)
    assert MaterialK().develop(50, 1, 90).k_factor == 0.5


TABLE = "material,thickness_mm,inner_radius_mm,angle_deg,deduction_mm\nDC01,2,2,90,3.6\n304,2,2,90,3.9\n"


def test_table_goes_before_the_formula() -> None:
    table = read_table(TABLE, "brake 1", "304", MaterialK("hard"))
    found = table.develop(2, 2, 90)
    assert found.length_mm == pytest.approx(8 - 3.9)
    assert (found.method, found.source) == ("table", "brake 1")
    assert table.develop(2, 2, 45).method == "k-factor"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("thickness_mm,angle_deg\n1,90\n", "no column inner_radius_mm"),
        ("thickness_mm,inner_radius_mm,angle_deg,deduction_mm\n1,x,90,2\n", "line 2"),
        ("thickness_mm,inner_radius_mm,angle_deg,deduction_mm\n-1,1,90,2\n", "above 0"),
    ],
)
def test_faulty_tables_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadRequest, match=message):
        read_table(text, "t.csv", None, MaterialK())


def test_impossible_k_factor() -> None:
    with pytest.raises(BadRequest, match="K factor"):
        KFactor(1.7)


def test_press_force() -> None:
    """S355, 10 mm over a V of 80: 905.25 kN per meter."""
    strength = find_material("S355").tensile_strength_mpa
    assert bending_force_n(strength, 10, 1000, 80) / 1000 == pytest.approx(905.25)


def test_materials_by_part_of_their_name() -> None:
    assert find_material("316l").name == "Stainless steel 316L"
    with pytest.raises(BadRequest, match="several"):
        find_material("aluminum")
    with pytest.raises(BadRequest, match="there are"):
        find_material("unobtainium")
    assert all(one.k_group in ("soft", "medium", "hard") for one in shipped_stock().materials)
