"""Prices of sheet, molded, printed and sand-cast parts: what never makes them cheaper, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fettle.errors import BadRequest
from fettle.plan.rate_card import shipped_rates
from fettle.quote.process_price import price_once
from fettle.results.making import MakingFacts
from fettle.sheet.stock import shipped_stock
from tests.counts import examples
from tests.plan.formed_facts import body, casting, molding, printing, sheet

MILD, STAINLESS = "sheet-metal:mild-steel-1.5mm", "sheet-metal:stainless-1.0mm"
EVERY = body(
    sheet=sheet(),
    molding=molding(slides=1, lifters=1, threads=1),
    printing=printing(support_mm3=2000.0),
    casting=casting(cores_mm3=(20_000.0,)),
)
PROCESSES = (
    MILD,
    STAINLESS,
    "injection:standard",
    "injection:side-action",
    "additive:fdm",
    "additive:sla",
    "additive:dmls",
    "casting:sand",
)
FORMED = ("sheet-metal", "injection", "additive", "casting")
QUANTITIES = st.integers(1, 10_000)


def unit(facts: MakingFacts, process: str, quantity: int = 100, material: str | None = None) -> Decimal:
    return price_once(facts, process, quantity, material).unit_price


@pytest.mark.parametrize("process", PROCESSES)
@given(quantities=st.tuples(QUANTITIES, QUANTITIES).map(sorted))
@settings(max_examples=examples(60))
def test_quantity_never_raises_the_unit_price(process: str, quantities: list[int]) -> None:
    few, many = quantities
    assert unit(EVERY, process, many) <= unit(EVERY, process, few)


@pytest.mark.parametrize("process", PROCESSES)
def test_the_next_piece_never_raises_the_unit_price(process: str) -> None:
    """Where plates, cavities and flasks change, one piece more is the hardest case."""
    prices = [unit(EVERY, process, quantity) for quantity in range(1, 400)]
    assert all(later <= earlier for earlier, later in pairwise(prices))


@pytest.mark.parametrize("process", PROCESSES)
@given(quantity=QUANTITIES)
@settings(max_examples=examples(30))
def test_lines_and_features_add_up_to_the_cent(process: str, quantity: int) -> None:
    price = price_once(EVERY, process, quantity)
    assert sum((line.amount for line in price.lines), Decimal(0)) == price.total_price == price.unit_price * quantity
    assert sum((one.amount for one in price.by_feature), price.common_amount) == price.total_price


LARGER: dict[str, tuple[str, Callable[[float], MakingFacts], float, float]] = {
    # process, body by a size, least and greatest size
    "longer blank": (MILD, lambda x: body(sheet=sheet(blank_mm=(100.0 + x, 100.0))), 0.0, 1800.0),
    "wider blank": (MILD, lambda x: body(sheet=sheet(blank_mm=(1200.0, 50.0 + x))), 0.0, 1100.0),
    "thicker sheet": (MILD, lambda x: body(sheet=sheet(thickness_mm=x)), 0.4, 20.0),
    "more holes": (MILD, lambda x: body(sheet=sheet(holes=int(x))), 0, 60),
    "more bends": (MILD, lambda x: body(sheet=sheet(bends=int(x))), 0, 12),
    "more countersinks": (MILD, lambda x: body(sheet=sheet(forms=int(x))), 0, 20),
    "more press nuts": (MILD, lambda x: body(sheet=sheet(hardware=int(x))), 0, 20),
    "larger mold": ("injection:standard", lambda x: body(molding=molding(side_mm=x)), 10.0, 280.0),
    "deeper mold": ("injection:standard", lambda x: body(molding=molding(depth_mm=x)), 1.0, 300.0),
    "thicker wall": ("injection:standard", lambda x: body(molding=molding(wall_mm=x)), 0.5, 8.0),
    "more patches": ("injection:standard", lambda x: body(molding=molding(patches=int(x))), 4, 400),
    "more slides": ("injection:side-action", lambda x: body(molding=molding(slides=int(x))), 0, 4),
    "more lifters": ("injection:side-action", lambda x: body(molding=molding(lifters=int(x))), 0, 4),
    "more threads": ("injection:standard", lambda x: body(molding=molding(threads=int(x))), 0, 4),
    "more plastic": ("injection:standard", lambda x: body(volume_mm3=x, molding=molding()), 200.0, 900_000.0),
    "higher print": ("additive:fdm", lambda x: body(printing=printing(height_mm=x)), 1.0, 210.0),
    "more filament": ("additive:fdm", lambda x: body(volume_mm3=x, printing=printing()), 100.0, 300_000.0),
    "more supports": ("additive:fdm", lambda x: body(printing=printing(support_mm3=x)), 0.0, 50_000.0),
    "more resin": ("additive:sla", lambda x: body(volume_mm3=x, printing=printing()), 100.0, 300_000.0),
    "higher in resin": ("additive:sla", lambda x: body(printing=printing(height_mm=x)), 1.0, 290.0),
    "more powder": ("additive:dmls", lambda x: body(volume_mm3=x, printing=printing()), 100.0, 300_000.0),
    "higher in powder": ("additive:dmls", lambda x: body(printing=printing(height_mm=x)), 1.0, 320.0),
    "wider on the plate": ("additive:dmls", lambda x: body(printing=printing(footprint_mm=(x, 20.0))), 20.0, 250.0),
    "more metal": ("casting:sand", lambda x: body(volume_mm3=x, casting=casting()), 1_000.0, 900_000.0),
    "larger casting": ("casting:sand", lambda x: body(casting=casting(side_mm=x)), 20.0, 1400.0),
    "deeper casting": ("casting:sand", lambda x: body(casting=casting(depth_mm=x)), 5.0, 300.0),
    "larger core": ("casting:sand", lambda x: body(casting=casting(cores_mm3=(x,))), 0.0, 500_000.0),
    "more cores": ("casting:sand", lambda x: body(casting=casting(cores_mm3=(9_000.0,) * int(x))), 0, 5),
}


@pytest.mark.parametrize("name", LARGER)
@given(data=st.data())
@settings(max_examples=examples(40))
def test_more_never_costs_less(name: str, data: st.DataObject) -> None:
    process, make, least, greatest = LARGER[name]
    sizes = st.floats(least, greatest) if isinstance(least, float) else st.integers(least, int(greatest))
    small, large = sorted(data.draw(st.tuples(sizes, sizes)))
    quantity = data.draw(st.integers(1, 2000))
    assert unit(make(small), process, quantity) <= unit(make(large), process, quantity)


def test_the_harder_sheet_costs_more() -> None:
    assert unit(EVERY, MILD) < unit(EVERY, STAINLESS, material="304") < unit(EVERY, STAINLESS, material="316L")


def test_a_larger_order_takes_more_cavities() -> None:
    """Ten pieces do not pay for a second cavity. With a wall of 5 mm, which cools for 51 s, ten thousand do."""
    plain = body(molding=molding(wall_mm=5.0))
    few, many = (price_once(plain, "injection:standard", quantity) for quantity in (10, 10_000))
    cavities = [next(line for line in one.lines if line.what == "Mold").figures["cavities"] for one in (few, many)]
    assert cavities[0] == 1.0
    assert cavities[1] > 1.0


@given(quantity=QUANTITIES, wall_mm=st.floats(0.8, 8.0))
@settings(max_examples=examples(40))
def test_no_other_number_of_cavities_is_cheaper(quantity: int, wall_mm: float) -> None:
    part, card = body(molding=molding(wall_mm=wall_mm)), shipped_rates("injection")
    single = [replace(card, process_data={**card.process_data, "cavities": [number]}) for number in (1, 2, 4, 8)]
    prices = [price_once(part, "injection:standard", quantity, rates=one).unit_price for one in single]
    assert unit(part, "injection:standard", quantity) <= min(prices)


@pytest.mark.parametrize(
    ("process", "material", "choices"),
    [
        (MILD, "Stainless steel 304", "Steel DC01, Steel S235, Steel S355, Galvanized steel DX51D"),
        (STAINLESS, "Steel DC01", "Stainless steel 304, Stainless steel 316L"),
        ("additive:fdm", "Standard resin", "PETG filament, PLA filament"),
        ("additive:sla", "PLA filament", "Standard resin, Tough resin"),
        ("additive:dmls", "PLA filament", "Aluminum AlSi10Mg powder, Stainless steel 316L powder"),
        ("injection:standard", "Steel DC01", "ABS, PP, PE-HD"),
        ("casting:sand", "ABS", "Gray iron EN-GJL-250, Ductile iron EN-GJS-400-15"),
    ],
)
def test_materials_of_another_process_are_refused_with_the_choices(process: str, material: str, choices: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        unit(EVERY, process, material=material)
    assert f"{material!r} is no material of {process}" in str(refusal.value)
    assert choices in str(refusal.value)


@pytest.mark.parametrize("process", PROCESSES)
def test_every_material_of_a_configuration_has_a_price(process: str) -> None:
    key, _, configuration = process.partition(":")
    materials = shipped_rates(key).materials_of(configuration)
    assert materials
    assert all(unit(EVERY, process, material=one.name) > 0 for one in materials)


@pytest.mark.parametrize("process", PROCESSES)
def test_a_body_that_the_process_knows_nothing_of_is_refused(process: str) -> None:
    with pytest.raises(BadRequest, match=r"Body 1|body 1"):
        unit(body(), process)


@pytest.mark.parametrize("process", [one for one in PROCESSES if not one.startswith("sheet")])
@pytest.mark.parametrize("volume_mm3", [None, 0.0, -5.0])
def test_a_body_without_volume_is_refused(process: str, volume_mm3: float | None) -> None:
    with pytest.raises(BadRequest, match="could not be told"):
        unit(replace(EVERY, volume_mm3=volume_mm3), process)


@pytest.mark.parametrize(
    ("facts", "process", "words"),
    [
        (body(sheet=sheet(blank_mm=(3100.0, 100.0))), MILD, "3100 x 100 mm; the largest sheet in stock is 3000 x 1500"),
        (body(sheet=sheet(thickness_mm=22.0)), MILD, "22 mm thick; the laser of the rate card cuts up to 20 mm"),
        (body(printing=printing(height_mm=250.0)), "additive:fdm", "the printer builds 250 x 210 x 210 mm"),
        (body(molding=molding(side_mm=900.0)), "injection:standard", "too large for the largest press"),
        (body(casting=casting(side_mm=3000.0)), "casting:sand", "the largest flask is 2000 x 1500 mm"),
    ],
)
def test_too_large_is_refused_with_both_sizes(facts: MakingFacts, process: str, words: str) -> None:
    with pytest.raises(BadRequest, match=words):
        unit(facts, process)


def test_sheet_of_the_rate_card_is_the_sheet_of_the_flat() -> None:
    """Density of a sheet material stands in two files for two readers: they agree."""
    stock = {one.name: one.density_kg_m3 for one in shipped_stock().materials}
    card = shipped_rates("sheet-metal").materials
    assert {one.name: one.density_kg_m3 for one in card} == {one.name: stock[one.name] for one in card}


@pytest.mark.parametrize("process", FORMED)
def test_every_figure_of_the_cards_has_a_source(process: str) -> None:
    card = shipped_rates(process)
    rows = [*card.machines.values(), *card.materials, *card.purchases.values(), card.markup, card.lead_time]
    assert all(len(row.source) > 3 for row in rows)
    assert card.band.reason


def test_undercuts_name_their_price() -> None:
    """A side pull is 65 h and a lifter 150 h of the tool room, which costs 65 an hour."""
    price = price_once(EVERY, "injection:side-action", 1)
    amounts = {one.fid: one.amount for one in price.by_feature}
    assert amounts["70"] == Decimal(65) * 65
    assert amounts["80"] == Decimal(150) * 65
    assert amounts["90"] == Decimal(250) * 65


def test_each_hole_and_bend_of_a_sheet_names_its_price() -> None:
    """A hole of 8 mm: 25.133 mm and one start; nothing but the outline and handling is common."""
    price = price_once(EVERY, MILD, 100)
    assert {one.fid for one in price.by_feature} == {"10", "11", "12", "13", "30", "31"}
    holes = [one.amount for one in price.by_feature if one.fid.startswith("1")]
    assert len(set(holes)) == 1
