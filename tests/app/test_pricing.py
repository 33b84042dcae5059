"""Prices of an analyzed part: by one process, by all of them, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

import fettle
from fettle.app.build_result import build_encoded_result
from fettle.app.pricing.choices import choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import PriceablePart, part_of_json, part_of_result, part_to_json
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.errors import BadRequest
from fettle.geometry.csg import build
from fettle.quote import exact_geometry, price, shipped_catalog
from fettle.quote.calibration import Calibration, CalibrationBasis
from fettle.results import AnalysisResult, encode
from tests.quote.built_pairs import pocket
from tests.recognize.sheets import strip

TERMS = PricingTerms(shipped_catalog(), rate_cards(None))


def analyzed(content: bytes) -> AnalysisResult:
    analysis = fettle.analyze(fettle.read(content, name="part.step"))
    return build_encoded_result(analysis, "0" * 64).result


@pytest.fixture(scope="module")
def block_result() -> AnalysisResult:
    """60 x 40 x 30 mm with a hole of 8 mm through it."""
    hole = {"move": {"of": {"cylinder": {"d": 8, "h": 40}}, "by": [30, 20, -5]}}
    return analyzed(build({"cut": [{"box": [60, 40, 30]}, hole]}))


@pytest.fixture(scope="module")
def block(block_result: AnalysisResult) -> PriceablePart:
    return part_of_result(block_result)


@pytest.fixture(scope="module")
def pocket_result() -> AnalysisResult:
    """A block with a pocket whose corners of 1 mm are smaller than the preferred end mill's."""
    return analyzed(build(pocket(6, 1.0)))


@pytest.fixture(scope="module")
def channel() -> PriceablePart:
    """A channel bent from sheet of 2 mm."""
    return part_of_result(analyzed(build(strip([46, 92, 46], [90, 90], 2, 2, 40))))


@pytest.mark.parametrize("process", ["cnc:3-axis", "cnc:5-axis", "additive:fdm", "additive:dmls", "casting:investment"])
@pytest.mark.parametrize("quantity", [1, 100])
def test_lines_features_and_breakdown_add_up_to_the_cent(block: PriceablePart, process: str, quantity: int) -> None:
    order = price_part(block, OrderRequest(process, quantity, finishes=("CMM report",)), TERMS)
    assert order.total_price == order.unit_price * quantity
    assert sum(line.amount for line in order.lines) == order.total_price
    assert sum((one.amount for one in order.by_feature), order.common_amount) == order.total_price
    breakdown = order.breakdown
    five = (breakdown.metal_cost, breakdown.shell_cost, breakdown.labor_cost)
    assert sum(five) + breakdown.post_processing_cost + breakdown.margin == order.total_price
    assert breakdown.post_processing_cost == Decimal(180)  # the report is paid per order
    assert order.band.low <= order.unit_price <= order.band.high


def test_the_curve_is_the_price_at_each_quantity(block: PriceablePart) -> None:
    order = price_part(block, OrderRequest("cnc:3-axis", 40), TERMS)
    for point in order.curve:
        assert price_part(block, OrderRequest("cnc:3-axis", point.quantity), TERMS).unit_price == point.unit_price
    prices = [point.unit_price for point in order.curve]
    assert prices == sorted(prices, reverse=True)
    assert 40 in [point.quantity for point in order.curve]


def test_investment_casting_costs_what_a_quote_without_process_costs(block: PriceablePart) -> None:
    size = block.geometry
    geometry = exact_geometry(size.volume_cm3, size.surface_area_cm2, size.size_mm)
    known = price(geometry, shipped_catalog().material("Stainless 316L (CF3M)"), 10)
    order = price_part(block, OrderRequest("casting:investment", 10, "316L"), TERMS)
    assert (order.unit_price, order.lead_time_days) == (known.unit_price, known.lead_time_days)
    assert order.breakdown.metal_cost == known.metal_cost


def test_a_price_says_what_it_rests_on_and_flags_a_failing_verdict(block: PriceablePart) -> None:
    order = price_part(block, OrderRequest("cnc:3-axis", 10), TERMS)
    assert order.foundation.result_sha256 == block.result_sha256
    assert (order.foundation.severity, order.flag) == ("pass", None)
    flagged = price_part(block, OrderRequest("casting:sand", 10), TERMS)
    failing = next(one for one in block.processes if (one.module_key, one.configuration_key) == ("casting", "sand"))
    assert (flagged.flag is not None) == (failing.severity == "fail")


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (OrderRequest("cnc:3-axis", 10, "ABS"), "Aluminum 6061-T6"),
        (OrderRequest("cnc:9-axis", 10), "cnc has no configuration '9-axis'"),
        (OrderRequest("forging:drop", 10), "Processes with one: additive, casting, cnc"),
        (OrderRequest("cnc", 10), "for example cnc:3-axis"),
        (OrderRequest("cnc:3-axis", 10, "Titanium", ("Anodize type II",)), "Choose from: Bead blast"),
        (OrderRequest("additive:fdm", 10, None, ("Powder coat",)), "not done on PETG filament"),
        (OrderRequest("casting:investment", 10, "Inconel 718", ("Anodize type II",)), "not done on Inconel 718"),
        (OrderRequest("cnc:3-axis", 0), "from 1 to 10000"),
        (OrderRequest("sheet-metal:mild-steel-1.5mm", 10), "sheet"),
    ],
)
def test_impossible_pairs_are_refused_with_the_choices(block: PriceablePart, request_: OrderRequest, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        price_part(block, request_, TERMS)


def test_a_block_is_milled_and_a_channel_is_bent(block: PriceablePart, channel: PriceablePart) -> None:
    assert choose(block, 100, TERMS).processes[0].process == "cnc:3-axis"
    first = choose(channel, 100, TERMS).processes[0]
    assert first.module_key == "sheet-metal"
    assert first.material == first.materials[0]


def test_processes_come_by_verdict_then_by_price(channel: PriceablePart) -> None:
    choices = choose(channel, 100, TERMS)
    best = max(one.fit or 0 for one in choices.processes if one.severity != "fail")
    order = [
        (one.price is None, one.severity == "fail", one.fit is not None and one.fit < 0.75 * best, one.price or 0)
        for one in choices.processes
    ]
    assert order == sorted(order)
    assert len(choices.processes) == len(channel.processes)
    for one in choices.processes:
        assert (one.price is None) == (one.refusal is not None)


def test_a_price_in_the_ranking_is_the_price_of_the_quote(block: PriceablePart) -> None:
    for one in choose(block, 25, TERMS).processes:
        if one.price is not None:
            order = price_part(block, OrderRequest(one.process, 25), TERMS)
            assert (one.price, one.total_price) == (float(order.unit_price), order.total_price)


def test_a_break_even_is_where_the_prices_change_places(block: PriceablePart) -> None:
    for one in choose(block, 100, TERMS).break_even:
        below, above = max(one.cheaper_from - 2, 1), one.cheaper_from + 1

        def each(process: str, quantity: int) -> Decimal:
            return price_part(block, OrderRequest(process, quantity), TERMS).unit_price

        assert each(one.process, above) <= each(one.than, above)
        assert each(one.process, below) >= each(one.than, below)


def test_a_break_even_names_no_process_that_fails(channel: PriceablePart) -> None:
    """A channel of sheet fails sand casting (walls of 2 mm), which would be cheaper than others at some quantity."""
    for quantity in (1, 100, 5000):
        choices = choose(channel, quantity, TERMS)
        failing = {one.process for one in choices.processes if one.severity == "fail"}
        assert failing
        assert not failing & {key for one in choices.break_even for key in (one.process, one.than)}


def test_only_processes_with_the_material_get_a_price(block: PriceablePart) -> None:
    priced = [one for one in choose(block, 100, TERMS, "316L").processes if one.price is not None]
    assert {one.process for one in priced} >= {"cnc:3-axis", "casting:investment", "additive:dmls"}
    assert all("316L" in (one.material or "") for one in priced)


def test_what_is_stored_gives_the_same_price(block_result: AnalysisResult, block: PriceablePart) -> None:
    stored = part_of_json("job_1", part_to_json(block_result))
    assert replace(stored, job_id=None) == block
    asked = OrderRequest("cnc:3-axis", 100)
    order, again = price_part(block, asked, TERMS), price_part(stored, asked, TERMS)
    assert replace(again, foundation=order.foundation) == order
    assert again.foundation.job_id == "job_1"


def test_a_quote_reads_the_findings_of_its_process_alone(pocket_result: AnalysisResult) -> None:
    stored, whole = part_to_json(pocket_result), part_of_result(pocket_result)
    assert len(whole.findings) == len(whole.processes)
    for one in whole.findings:
        assert part_of_json("job_1", stored, one.process) == replace(whole, job_id="job_1", findings=(one,))


def test_what_earlier_versions_stored_is_read(block: PriceablePart) -> None:
    """One line of JSON, with the findings of every process."""
    stored = encode(block)
    assert replace(part_of_json("job_1", stored), job_id=None) == block
    assert part_of_json("job_1", stored, "cnc:3-axis").findings == tuple(
        one for one in block.findings if one.process == "cnc:3-axis"
    )


def test_savings_are_those_of_the_calibrated_price(pocket_result: AnalysisResult) -> None:
    """With every price of the card half as high again, so is every saving, to a cent of rounding."""
    part = part_of_result(pocket_result)
    learned = Calibration("cnc:3-axis", CalibrationBasis.PRICE, 30, 1.5, 0.9, 1.2, 0.8, 0.1, 0.4)
    asked = OrderRequest("cnc:3-axis", 100, "Titanium Ti-6Al-4V")
    plain = price_part(part, asked, TERMS)
    dear = price_part(part, asked, replace(TERMS, learned={"cnc:3-axis": learned}))
    (saving,) = (one for one in plain.savings if one.rule == "min_internal_radius")
    (dearer,) = (one for one in dear.savings if one.rule == "min_internal_radius")
    assert float(dearer.saves_each) == pytest.approx(1.5 * float(saving.saves_each), abs=0.02)
    assert dearer.unit_price == dear.unit_price - dearer.saves_each


def test_a_price_of_several_bodies_says_that_one_process_makes_them() -> None:
    shaft = {"move": {"of": {"cylinder": {"d": 10, "h": 60}}, "by": [100, 0, 0]}}
    part = part_of_result(analyzed(build({"bodies": [{"box": [60, 40, 30]}, shaft]})))
    assert len(part.bodies) == 2
    order = price_part(part, OrderRequest("cnc:3-axis", 10), TERMS)
    assert order.assumptions[0].startswith("All 2 bodies are made by cnc:3-axis")


def test_a_calibration_of_the_account_is_applied_with_its_band(block: PriceablePart) -> None:
    learned = Calibration("cnc:3-axis", CalibrationBasis.PRICE, 30, 1.5, 0.9, 1.2, 0.8, 0.1, 0.4)
    terms = replace(TERMS, learned={"cnc:3-axis": learned})
    plain = price_part(block, OrderRequest("cnc:3-axis", 100), TERMS)
    dear = price_part(block, OrderRequest("cnc:3-axis", 100), terms)
    assert float(dear.unit_price / plain.unit_price) == pytest.approx(1.5, rel=0.002)
    assert float(dear.band.low / dear.unit_price) == pytest.approx(0.9, rel=0.002)
    assert float(dear.band.high / dear.unit_price) == pytest.approx(1.2, rel=0.002)
    assert "30 jobs" in dear.band.reason
    assert sum(line.amount for line in dear.lines) == dear.total_price
