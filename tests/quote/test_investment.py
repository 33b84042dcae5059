"""Investment casting behind the interface of all processes costs what the price model of castings says, to the cent."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fettle.errors import BadRequest
from fettle.quote import exact_geometry, price, shipped_catalog
from fettle.quote.lines import FinishCharge
from fettle.quote.process_price import price_once, price_process
from tests.plan.formed_facts import body

BRACKET = replace(body(volume_mm3=25_000.0, area_mm2=11_000.0), box_mm=(60.0, 40.0, 30.0))
"""25 cm3, 110 cm2, 60 x 40 x 30 mm: the first example of the price model."""


@given(quantity=st.integers(1, 10_000), alloy=st.sampled_from([one.name for one in shipped_catalog().materials]))
@settings(max_examples=60)
def test_the_same_price_to_the_cent(quantity: int, alloy: str) -> None:
    catalog = shipped_catalog()
    today = price(exact_geometry(25.0, 110.0, (60.0, 40.0, 30.0)), catalog.material(alloy), quantity)
    found = price_once(BRACKET, "casting:investment", quantity, alloy)
    assert (found.unit_price, found.total_price) == (today.unit_price, today.total_price)
    assert (found.lead_time_days, found.rate_card_version) == (today.lead_time_days, today.rate_card_version)
    assert sum((line.amount for line in found.lines), Decimal(0)) == today.total_price == found.common_amount


def test_a_finish_costs_what_it_costs_today() -> None:
    """Passivation of 110 cm2 at 0.02, 40 times."""
    catalog = shipped_catalog()
    finish = catalog.finish("Passivation ASTM A967")
    alloy = catalog.material("Stainless 316L (CF3M)")
    today = price(exact_geometry(25.0, 110.0, (60.0, 40.0, 30.0)), alloy, 40, [finish])
    charge = FinishCharge(finish.name, finish.cost_per_unit * 110 * 40, finish.days)
    found = price_once(BRACKET, "casting:investment", 40, alloy.name, finishes=[charge])
    assert (found.unit_price, found.lead_time_days) == (today.unit_price, today.lead_time_days)


def test_it_has_a_curve_and_its_own_materials() -> None:
    found = price_process(BRACKET, "casting:investment", 10)
    assert found.material == "Aluminium A356"
    assert [point.quantity for point in found.curve][:3] == [1, 5, 10]
    with pytest.raises(BadRequest, match="Materials: Aluminium A356"):
        price_once(BRACKET, "casting:investment", 10, "Gray iron EN-GJL-250")


def test_a_casting_of_no_kind_is_refused() -> None:
    with pytest.raises(BadRequest, match=r"casting has no configuration .die"):
        price_once(BRACKET, "casting:die", 10)
