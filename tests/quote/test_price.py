"""The price model: worked examples to the cent, and properties that hold for any part."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fettle.quote import Geometry, Price, price, shipped_catalog
from fettle.quote.price import ImpossibleGeometry, PartTooLarge, QuantityOutOfRange

CATALOG = shipped_catalog()


def geometry(volume: str, area: str, *box: str) -> Geometry:
    x, y, z = (Decimal(side) for side in box)
    return Geometry(Decimal(volume), Decimal(area), (x, y, z))


BRACKET = (geometry("25", "110", "60", "40", "30"), "Stainless 316L (CF3M)")
HOUSING = (geometry("400", "1500", "200", "150", "100"), "Aluminium A356")
NOZZLE = (geometry("120", "600", "120", "100", "80"), "Inconel 718")
HOUSING_FINISH = ("Heat treat T6", "Bead blast (glass)")
NOZZLE_FINISH = ("HIP", "X-ray inspection", "CMM report")

# case, finishes, quantity, parts per tree, metal, shell, labor, post, margin, unit, total, days
WORKED = [
    (BRACKET, (), 1, 48, "18.15 30.67 169.32 0.00 86.00 304.14 304.14", 12),
    (BRACKET, (), 10, 48, "39.36 112.72 249.53 0.00 143.39 54.50 545.00", 12),
    (BRACKET, ("Passivation ASTM A967",), 10, 48, "39.36 112.72 249.53 22.00 151.29 57.49 574.90", 13),
    (BRACKET, (), 100, 48, "268.58 956.58 972.04 0.00 614.80 28.12 2812.00", 12),
    (BRACKET, (), 1000, 48, "2685.76 9565.75 7476.36 0.00 5002.13 24.73 24730.00", 15),
    (HOUSING, HOUSING_FINISH, 1, 1, "17.45 97.03 168.68 16.81 118.24 418.21 418.21", 14),
    (HOUSING, HOUSING_FINISH, 50, 1, "872.53 4851.32 2585.99 840.30 2744.86 237.90 11895.00", 19),
    (NOZZLE, NOZZLE_FINISH, 1, 4, "320.48 51.45 239.05 1068.00 661.86 2340.84 2340.84", 26),
    (NOZZLE, NOZZLE_FINISH, 5, 4, "733.98 173.22 322.49 1220.00 918.61 673.66 3368.30", 26),
    (NOZZLE, NOZZLE_FINISH, 50, 4, "7339.75 1732.18 1512.38 2930.00 4054.19 351.37 17568.50", 27),
]


def priced(part: tuple[Geometry, str], quantity: int, finishes: tuple[str, ...] = ()) -> Price:
    chosen = [CATALOG.finish(name) for name in finishes]
    return price(part[0], CATALOG.material(part[1]), quantity, chosen)


@pytest.mark.parametrize("case", WORKED)
def test_worked_examples_to_the_cent(case: tuple[tuple[Geometry, str], tuple[str, ...], int, int, str, int]) -> None:
    part, finishes, quantity, per_tree, money, days = case
    it = priced(part, quantity, finishes)
    lines = (it.metal_cost, it.shell_cost, it.labor_cost, it.post_processing_cost, it.margin)
    assert " ".join(str(amount) for amount in (*lines, it.unit_price, it.total_price)) == money
    assert (it.parts_per_tree, it.lead_time_days) == (per_tree, days)


def test_one_cubic_inch_of_stainless_costs_the_200_to_400_the_trade_publishes() -> None:
    inch = geometry("16.387064", "38.7096", "25.4", "25.4", "25.4")
    assert 200 <= priced((inch, "Stainless 316L (CF3M)"), 1).unit_price <= 400


MATERIALS = st.sampled_from([material for material in CATALOG.materials if material.active])
FINISHES = st.lists(st.sampled_from(CATALOG.finishes), max_size=4, unique_by=lambda finish: finish.id)


@st.composite
def parts(draw: st.DrawFn) -> Geometry:
    """Any geometry that fits the smallest envelope of a material: volume below its box, surface above a ball's."""
    sides = [Decimal(draw(st.integers(20, 1500))) / 10 for _ in range(3)]
    box = sides[0] * sides[1] * sides[2] / 1000
    skin = 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0]) / 100
    share = Decimal(draw(st.integers(5, 100))) / 100
    wrinkle = Decimal(draw(st.integers(100, 400))) / 100
    return Geometry(box * share, skin * wrinkle, (sides[0], sides[1], sides[2]))


@given(parts(), MATERIALS, FINISHES, st.integers(1, 10_000))
def test_the_lines_add_up_and_the_total_is_unit_times_quantity(part, material, finishes, quantity) -> None:
    it = price(part, material, quantity, finishes)
    lines = it.metal_cost + it.shell_cost + it.labor_cost + it.post_processing_cost + it.margin
    assert lines == it.total_price == it.unit_price * quantity
    assert all(amount == amount.quantize(Decimal("0.01")) for amount in (lines, it.margin, it.unit_price))
    assert it.margin > 0
    assert it.total_price >= 150 - Decimal("0.005") * quantity


@given(parts(), MATERIALS, FINISHES, st.integers(1, 9_999), st.integers(1, 5_000))
def test_the_unit_price_never_rises_with_quantity(part, material, finishes, quantity, more) -> None:
    larger = min(10_000, quantity + more)
    few, many = price(part, material, quantity, finishes), price(part, material, larger, finishes)
    assert many.unit_price <= few.unit_price
    assert many.lead_time_days >= few.lead_time_days
    # The unit price is in whole cents, so a total can fall by no more than half a cent on each part.
    assert many.total_price >= few.total_price - Decimal("0.005") * (quantity + larger)


@pytest.mark.parametrize("quantity", [0, -1, 10_001])
def test_a_quantity_outside_the_range_is_refused(quantity: int) -> None:
    with pytest.raises(QuantityOutOfRange, match=r"from 1 to 10000"):
        priced(BRACKET, quantity)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (geometry("0", "110", "60", "40", "30"), "volume_cm3 is 0"),
        (geometry("25", "-1", "60", "40", "30"), "surface_area_cm2 is -1"),
        (geometry("25", "110", "60", "NaN", "30"), "bounding_box.y_mm is NaN"),
        (geometry("Infinity", "110", "60", "40", "30"), "volume_cm3 is Infinity"),
        (geometry("72.1", "110", "60", "40", "30"), "more than the 72"),
        # 25 cm3 of foil, 0.01 mm thick, have 50 000 cm2 on both sides
        (geometry("25", "50001", "60", "40", "30"), "more than the 50000"),
        (geometry("25", "1e308", "60", "40", "30"), r"1e\+308, more than the 50000"),
        # a sphere of 25 cm3 has 41.35 cm2
        (geometry("25", "41.2", "60", "40", "30"), "less than the 41.3"),
    ],
)
def test_impossible_geometry_is_refused(part: Geometry, says: str) -> None:
    with pytest.raises(ImpossibleGeometry, match=says):
        priced((part, BRACKET[1]), 1)


def test_a_sphere_and_a_block_are_possible() -> None:
    sphere = geometry("4.18879020", "12.5663706", "20", "20", "20")
    block = geometry("72.00", "108", "60", "40", "30")
    assert priced((sphere, BRACKET[1]), 1).unit_price > 0
    assert priced((block, BRACKET[1]), 1).unit_price > 0


@pytest.mark.parametrize("box", [("300", "195", "290"), ("195", "290", "300"), ("290.01", "300.01", "195.01")])
def test_a_part_fits_in_any_axis_aligned_orientation(box: tuple[str, ...]) -> None:
    assert priced((geometry("100", "5000", *box), BRACKET[1]), 1).unit_price > 0


@pytest.mark.parametrize(
    ("box", "axis"), [(("301", "195", "290"), "x"), (("100", "196", "196"), None), (("200", "200", "200"), "x")]
)
def test_a_part_beyond_the_material_is_refused_with_its_axis(box: tuple[str, ...], axis: str | None) -> None:
    part = (geometry("100", "5000", *box), BRACKET[1])
    if axis is None:
        assert priced(part, 1).unit_price > 0
        return
    with pytest.raises(PartTooLarge, match=f"its {axis} side is"):
        priced(part, 1)
