"""More work never costs less, and quantity never raises the unit price."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fettle.quote.process_price import price_once
from fettle.results.making import AskedTolerance, MakingFacts
from tests.counts import examples
from tests.quote.made_facts import block, hole, pocket, shaft

HARDER = ("Aluminum 6061-T6", "Steel 1018", "Steel 4140", "Stainless steel 304", "Titanium Ti-6Al-4V")
HARDER_TURNED = ("Aluminum 6061-T6", "Steel 1045", "Steel 4140", "Stainless steel 303", "Titanium Ti-6Al-4V")
MILLS = ("cnc:3-axis", "cnc:5-axis")
LATHES = ("turning:bar", "turning:mill-turn")
side = st.floats(30, 200)
grows = st.floats(1.0, 3.0)
properties = settings(max_examples=examples(60))


def unit_price(facts: MakingFacts, process: str, material: str | None = None, quantity: int = 10) -> Decimal:
    return price_once(facts, process, quantity, material).unit_price


@pytest.mark.parametrize("process", MILLS)
@properties
@given(size=st.tuples(side, side, st.floats(10, 80)), factor=grows, diameter=st.floats(2, 15))
def test_a_larger_part(process: str, size: tuple[float, float, float], factor: float, diameter: float) -> None:
    """The same hole and pocket in a block that is larger all ways. (A pocket scaled with it has larger corners, which a
    larger and faster tool cuts.)"""
    length, width, height = size
    features = (hole(diameter, height / 2), pocket(20, 12, 5, 3))
    scaled = block((length * factor, width * factor, height * factor), features)
    assert unit_price(scaled, process) >= unit_price(block(size, features), process)


@pytest.mark.parametrize("process", MILLS)
@properties
@given(size=st.tuples(side, side, st.floats(10, 80)), factor=grows, axis=st.integers(0, 2))
def test_more_volume(process: str, size: tuple[float, float, float], factor: float, axis: int) -> None:
    """The same features in a block that is larger one way."""
    larger = tuple(value * (factor if number == axis else 1.0) for number, value in enumerate(size))
    features = (hole(6, 8), pocket(20, 12, 5, 3))
    grown = unit_price(block((larger[0], larger[1], larger[2]), features), process)
    assert grown >= unit_price(block(size, features), process)


@pytest.mark.parametrize("process", MILLS)
@properties
@given(
    radii=st.tuples(st.floats(0.5, 10), st.floats(0.5, 10)),
    depth=st.floats(1, 40),
    other=st.floats(2, 12),
    material=st.sampled_from(HARDER),
)
def test_a_smaller_radius(process: str, radii: tuple[float, float], depth: float, other: float, material: str) -> None:
    small, large = sorted(radii)
    costs = [
        unit_price(block((100, 80, 50), (hole(other, 10), pocket(60, 40, depth, radius))), process, material)
        for radius in (small, large)
    ]
    assert costs[0] >= costs[1]


@pytest.mark.parametrize("process", MILLS)
@properties
@given(
    depths=st.tuples(st.floats(1, 45), st.floats(1, 45)),
    radius=st.floats(0.5, 8),
    width=st.floats(17, 50),
    material=st.sampled_from(HARDER),
)
def test_a_deeper_pocket(process: str, depths: tuple[float, float], radius: float, width: float, material: str) -> None:
    shallow, deep = sorted(depths)
    costs = [
        unit_price(block((100, 80, 50), (pocket(60, width, depth, radius),)), process, material)
        for depth in (shallow, deep)
    ]
    assert costs[0] <= costs[1]


@properties
@given(depths=st.tuples(st.floats(1, 45), st.floats(1, 45)), diameter=st.floats(1, 30))
def test_a_deeper_hole(depths: tuple[float, float], diameter: float) -> None:
    shallow, deep = sorted(depths)
    costs = [unit_price(block((100, 80, 50), (hole(diameter, depth),)), "cnc:3-axis") for depth in (shallow, deep)]
    assert costs[0] <= costs[1]


@properties
@given(size=st.tuples(side, side, st.floats(10, 80)), diameter=st.floats(2, 12))
def test_more_set_ups(size: tuple[float, float, float], diameter: float) -> None:
    """The same holes from two, three and four sides."""
    costs = [
        unit_price(block(size, (hole(diameter, 8), hole(diameter, 8, setup=count)), count), "cnc:3-axis")
        for count in (2, 3, 4)
    ]
    assert costs == sorted(costs)


@pytest.mark.parametrize(
    ("process", "materials"), [*((one, HARDER) for one in MILLS), *((one, HARDER_TURNED) for one in LATHES)]
)
@properties
@given(length=side, diameter=st.floats(8, 60), depth=st.floats(2, 6))
def test_a_harder_material(
    process: str, materials: tuple[str, ...], length: float, diameter: float, depth: float
) -> None:
    milled = block((length, 2 * diameter, diameter), (pocket(12, 10, depth, 2), hole(4, depth)))
    facts = milled if process in MILLS else shaft(diameter, length, 0.7 * diameter)
    costs = [unit_price(facts, process, material) for material in materials]
    assert costs == sorted(costs)


@pytest.mark.parametrize("process", [*MILLS, *LATHES])
@properties
@given(
    size=st.tuples(side, side, st.floats(3, 60)),
    quantities=st.lists(st.integers(1, 10_000), min_size=2, max_size=6),
    material=st.sampled_from(("6061", "4140", "titanium")),
)
def test_quantity(process: str, size: tuple[float, float, float], quantities: list[int], material: str) -> None:
    facts = block(size, (hole(4, 2),)) if process in MILLS else shaft(size[2], size[0], size[2] / 2)
    curve = [unit_price(facts, process, material, quantity) for quantity in sorted(quantities)]
    assert all(fewer >= more for fewer, more in pairwise(curve))


@pytest.mark.parametrize("process", LATHES)
@properties
@given(diameter=st.floats(3, 60), length=st.floats(5, 200), factor=grows, seat=st.floats(0.3, 1.0))
def test_a_longer_or_thicker_shaft(process: str, diameter: float, length: float, factor: float, seat: float) -> None:
    here = unit_price(shaft(diameter, length, seat * diameter), process)
    assert unit_price(shaft(diameter, length * factor, seat * diameter), process) >= here
    assert unit_price(shaft(diameter * factor, length * factor, seat * diameter * factor), process) >= here


@properties
@given(diameter=st.floats(5, 60), length=st.floats(5, 200), seats=st.tuples(st.floats(0.2, 1.0), st.floats(0.2, 1.0)))
def test_a_thinner_seat_is_roughed_longer(diameter: float, length: float, seats: tuple[float, float]) -> None:
    """What is turned away grows; finishing a thinner seat is faster, so roughing alone is compared."""
    thin, thick = sorted(seats)
    roughing = [
        sum(
            line.minutes or 0.0
            for line in price_once(shaft(diameter, length, seat * diameter), "turning:bar", 10).lines
            if line.what.startswith("Rough")
        )
        for seat in (thin, thick)
    ]
    assert roughing[0] >= roughing[1]


@properties
@given(grades=st.tuples(st.integers(0, 18), st.integers(0, 18)), diameter=st.floats(3, 15))
def test_a_tighter_tolerance(grades: tuple[int, int], diameter: float) -> None:
    fine, coarse = sorted(grades)
    costs = [
        unit_price(
            block((60, 40, 20), (hole(diameter, 10),), tolerances=(AskedTolerance("bore", grade, True, ("2",)),)),
            "cnc:3-axis",
        )
        for grade in (fine, coarse)
    ]
    assert costs[0] >= costs[1]


def test_three_grades_below_the_drill_make_the_hole_four_times_as_dear() -> None:
    """Cost doubles for each 1.5 grades below IT11: IT8 takes 2^(3 / 1.5) = 4 times the time of the hole."""
    tolerance = AskedTolerance("diameter 8 mm H8", 8, True, ("2",))
    price = price_once(block((60, 40, 20), (hole(8, 10),), tolerances=(tolerance,)), "cnc:3-axis", 10)
    minutes = {line.what: line.minutes or 0.0 for line in price.lines if line.kind == "operation" and line.fid == "2"}
    assert minutes["Hold diameter 8 mm H8"] == pytest.approx(3.0 * minutes["Drill 8 mm, 10.0 deep"], rel=1e-6)
    assert "Measure diameter 8 mm H8" in minutes


def test_what_the_process_holds_by_itself_costs_nothing() -> None:
    free = price_once(block((60, 40, 20), (hole(8, 10),)), "cnc:3-axis", 10)
    held = AskedTolerance("diameter 8 mm H11", 11, True, ("2",))
    assert price_once(block((60, 40, 20), (hole(8, 10),), tolerances=(held,)), "cnc:3-axis", 10).lines == free.lines
