"""A file of several bodies: each judged and priced for itself, equal ones once, bought parts named."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from decimal import Decimal

import numpy as np
import pytest

from fettle import assembly
from fettle.analysis import Analysis, with_pull
from fettle.app.build_result import build_result
from fettle.app.flats.request import FlatRequest
from fettle.app.flats.unfolding import unfold_part
from fettle.app.prices import price_file
from fettle.assembly import analyze_model, identify_bodies, refine_model
from fettle.errors import TooDetailed
from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.quote import exact_geometry, price, shipped_catalog
from fettle.results import AnalysisResult
from fettle.rules import modules_in_force
from fettle.rules.assembly import judge_file
from tests.assemblies import (
    BRACKET,
    COUNTS,
    HEX_BOLT,
    MADE,
    PIN,
    PLATE,
    PRODUCTS,
    Placed,
    hexagon,
    moved,
    place_at_random,
    write_assembly,
)

VOLUMES_CM3 = {
    "bracket": (60 * 40 * 5 + 5 * 40 * 45 - math.pi * (4**2 + 2.5**2) * 5) / 1e3,
    "bracket mirrored": (60 * 40 * 5 + 5 * 40 * 45 - math.pi * (4**2 + 2.5**2) * 5) / 1e3,
    "base plate": (80 * 60 * 6 - 4 * math.pi * 2.75**2 * 6) / 1e3,
    "spacer": math.pi * (7**2 - 3**2) * 20 / 1e3,
    "fixing": (math.sqrt(3) / 2 * 8**2 * 3.5 + math.pi * 2.5**2 * 20) / 1e3,
    "fixing 2": (math.sqrt(3) / 2 * 8**2 - math.pi * 2.1**2) * 4.7 / 1e3,
    "ring": math.pi * (5**2 - 2.65**2) / 1e3,
    "M3x8 SHCS": (math.pi * (2.75**2 * 3 + 1.5**2 * 8) - math.sqrt(3) / 2 * 2.5**2 * 1.5) / 1e3,
    "dowel pin 4x20": math.pi * 2**2 * 20 / 1e3,
}
QUANTITY = 10
MATERIAL = "Aluminium A356"


def analyzed(data: bytes) -> Analysis:
    model = load(data, "assembly.step")
    return analyze_model(refine_model(model, model.options))


def judged(data: bytes) -> AnalysisResult:
    return build_result(analyzed(data), "")


@pytest.fixture(scope="module")
def result() -> AnalysisResult:
    return judged(write_assembly(PRODUCTS, place_at_random(COUNTS, seed=1)))


def verdicts(result: AnalysisResult) -> dict[str, dict[str, str]]:
    """Severity of every made body by process."""
    return {
        body.name: {f"{one.module_key}:{one.configuration_key}": one.severity for one in body.processes}
        for body in result.bodies
        if body.made
    }


def test_equal_bodies_are_counted_and_bought_ones_named(result: AnalysisResult) -> None:
    assert {body.name: body.count for body in result.bodies} == COUNTS
    assert sorted(number for body in result.bodies for number in body.members) == list(range(1, 28))
    assert {body.name for body in result.bodies if body.made} == set(MADE)
    bought = {body.name: body.bought.what for body in result.bodies if body.bought}
    assert bought == {
        "fixing": "hexagon screw M5",
        "fixing 2": "hexagon nut M5",
        "ring": "washer",
        "M3x8 SHCS": "socket head cap screw M3",
        "dowel pin 4x20": "pin",
    }
    assert result.headline.startswith("27 bodies: 7 made, 20 bought; ")


def test_sizes_are_those_of_one_body(result: AnalysisResult) -> None:
    for body in result.bodies:
        assert body.geometry.volume_cm3 == pytest.approx(VOLUMES_CM3[body.name], rel=1e-6)
        assert len(body.fids) == len(set(body.fids)) > 0
    total = sum(VOLUMES_CM3[name] * count for name, count in COUNTS.items())
    assert result.geometry.volume_cm3 == pytest.approx(total, rel=1e-6)


def test_a_body_is_judged_as_if_it_were_alone_in_its_file(result: AnalysisResult) -> None:
    for name in MADE:
        alone = judged(build(PRODUCTS[name]))
        (body,) = [body for body in result.bodies if body.name == name]
        assert len(alone.bodies) == 1
        assert alone.bodies[0].made
        expected = {f"{one.module_key}:{one.configuration_key}": one.severity for one in alone.processes}
        assert verdicts(result)[name] == expected
        assert body.processes[0].name == alone.processes[0].name
        assert Counter(cause.rule for cause in body.processes[0].causes) == Counter(
            cause.rule for cause in alone.processes[0].causes
        )


SIZES_MM = {
    "bracket": [40, 50, 60],
    "bracket mirrored": [40, 50, 60],
    "base plate": [6, 60, 80],
    "spacer": [14, 14, 20],
}


def sizes(result: AnalysisResult) -> dict[str, list[float]]:
    """Sides of the boxes of the made bodies, the shortest first, mm."""
    return {body.name: sorted(round(side, 4) for side in body.geometry.size_mm) for body in result.bodies if body.made}


@pytest.mark.parametrize(("unit", "seed"), [("mm", 2), ("in", 3)])
def test_other_positions_and_inches_change_no_verdict(result: AnalysisResult, unit: str, seed: int) -> None:
    other = judged(write_assembly(PRODUCTS, place_at_random(COUNTS, seed), unit))
    assert {body.name: body.count for body in other.bodies} == COUNTS
    assert {body.name for body in other.bodies if body.made} == set(MADE)
    assert verdicts(other) == verdicts(result)
    assert {one.name: one.fit for one in other.processes} == {one.name: one.fit for one in result.processes}
    assert sizes(other) == sizes(result) == SIZES_MM
    prices = [price_file(one.geometry, one.bodies, shipped_catalog(), MATERIAL, QUANTITY) for one in (result, other)]
    assert prices[0].whole.unit_price == prices[1].whole.unit_price


def test_the_file_is_as_bad_as_the_worst_body_that_is_a_candidate(result: AnalysisResult) -> None:
    levels = ["pass", "warning", "fail"]
    for process in result.processes:
        own = [
            one
            for body in result.bodies
            for one in body.processes
            if (one.module_key, one.configuration_key) == (process.module_key, process.configuration_key)
        ]
        suited = [one for one in own if all(cause.rule not in FIT_RULES for cause in one.causes)] or own
        assert process.severity == max((one.severity for one in suited), key=levels.index)


FIT_RULES = {module.fit.rule for module in modules_in_force() if module.fit is not None}


def test_findings_point_at_the_faces_of_the_file() -> None:
    thin: CsgNode = {"box": [40, 30, 0.3]}
    data = write_assembly({"plate": PLATE, "foil": thin}, [Placed("plate"), Placed("foil", move_mm=(0, 0, 100))])
    result = judged(data)
    foil = next(body for body in result.bodies if body.name == "foil")
    assert foil.fids == tuple(str(number) for number in range(11, 17))  # after the 6 + 4 faces of the plate
    milled = next(one for one in foil.processes if one.module_key == "cnc" and one.configuration_key == "3-axis")
    walls = [cause for cause in milled.causes if "wall" in cause.rule and cause.severity == "fail"]
    assert walls
    assert all(set(cause.fids) <= set(foil.fids) for cause in walls)
    assert all(cause.position_mm is None or cause.position_mm[2] > 99 for cause in walls)
    whole = next(one for one in result.processes if (one.module_key, one.configuration_key) == ("cnc", "3-axis"))
    assert whole.severity == "fail"
    assert any(cause.message.startswith("foil: ") for cause in whole.causes)


def test_another_body_blocks_no_tool_and_makes_no_wall_thin() -> None:
    pocketed: CsgNode = {"cut": [{"box": [60, 40, 20]}, moved({"box": [40, 20, 10]}, 10, 10, 10)]}
    lid: CsgNode = {"box": [60, 40, 5]}
    apart = write_assembly({"tray": pocketed, "lid": lid}, [Placed("tray"), Placed("lid", move_mm=(0, 0, 80))])
    closed = write_assembly({"tray": pocketed, "lid": lid}, [Placed("tray"), Placed("lid", move_mm=(0, 0, 20))])
    one, two = judged(apart), judged(closed)
    assert verdicts(one) == verdicts(two)
    assert [body.contacts for body in one.bodies] == [(), ()]
    (tray, lid_body) = two.bodies
    assert [(contact.body, len(contact.fids)) for contact in tray.contacts] == [(2, 1)]
    assert [(contact.body, len(contact.fids)) for contact in lid_body.contacts] == [(1, 1)]


def test_features_of_the_file_read_what_their_body_reads() -> None:
    """A tray, 10 deep, under a lid with a pin in a hole of 8: the pin narrows no hole, the lid hides no floor."""
    tray: CsgNode = {"cut": [{"box": [60, 40, 20]}, moved({"box": [40, 20, 10]}, 10, 10, 10)]}
    lid: CsgNode = {"cut": [{"box": [60, 40, 5]}, moved({"cylinder": {"d": 8, "h": 5}}, 30, 20, 0)]}
    pin: CsgNode = {"cylinder": {"d": 7.5, "h": 12}}
    result = judged(
        write_assembly(
            {"tray": tray, "lid": lid, "pin": pin},
            [Placed("tray"), Placed("lid", move_mm=(0, 0, 20)), Placed("pin", move_mm=(30, 20, 15))],
        )
    )
    (hole,) = [one for one in result.features.features if one.kind == "HOLE"]
    assert hole.clearance_min_mm == pytest.approx(8.0)
    assert result.features.manufacturability.n_undercuts == 0
    (pocket,) = [one for one in result.features.features if one.kind == "POCKET"]
    assert pocket.clearance_min_mm == pytest.approx(20.0)
    assert pocket.draft_min_deg == 0.0


def test_another_pull_gives_the_same_before_and_after_storing() -> None:
    """A bracket that is shown as analyzed and a ball that is too small for it."""
    data = write_assembly(
        {"bracket": BRACKET, "ball": {"sphere": {"d": 6}}}, [Placed("bracket"), Placed("ball", move_mm=(30, 20, 30))]
    )
    first = analyzed(data)
    stored = pickle.loads(pickle.dumps(first))
    assert stored.visibility is None
    kept, fresh = with_pull(first, "1,2,3"), with_pull(stored, "1,2,3")
    for name in ("pull", "draft"):
        assert pickle.dumps(getattr(kept, name)) == pickle.dumps(getattr(fresh, name))
    x, y, z = kept.pull.direction
    signed = np.degrees(np.arcsin(kept.mesh.normals @ np.array([x, y, z])))
    assert kept.draft.signed_deg == pytest.approx(signed, abs=1e-5)


def test_the_flat_is_that_of_the_largest_body_by_the_numbers_of_the_file() -> None:
    data = write_assembly({"pin": PIN, "plate": PLATE}, [Placed("pin", move_mm=(0, 0, 90)), Placed("plate")])
    flat = judged(data).flat
    assert flat is not None
    assert flat.to_dict() == unfold_part(load(data, "assembly.step").part, FlatRequest()).to_dict()
    assert all(int(fid) > 3 for panel in flat.panels for fid in panel.fids)  # after the three faces of the pin
    assert flat.warnings == ("1 other body is left out: hardware is not part of the sheet.",)


def test_bodies_that_are_too_fine_together_are_refused() -> None:
    """Of 11,000 mm2 each: the mesh of one would have some 900,000 triangles."""
    data = write_assembly({"plate": PLATE}, [Placed("plate"), Placed("plate", move_mm=(0, 0, 50))])
    with pytest.raises(TooDetailed, match="more than 1,000,000 triangles"):
        refine_model(load(data, "plates.step"), MeshOptions(max_edge_mm=0.22))


def test_the_price_is_the_sum_of_what_is_made(result: AnalysisResult) -> None:
    catalog = shipped_catalog()
    priced = price_file(result.geometry, result.bodies, catalog, MATERIAL, QUANTITY)
    expected = {}
    for body in result.bodies:
        if body.made:
            geometry = body.geometry
            alone = exact_geometry(geometry.volume_cm3, geometry.surface_area_cm2, geometry.size_mm)
            expected[body.name] = price(alone, catalog.material(MATERIAL), QUANTITY * body.count, (), catalog.rates)
    assert {one.piece.name: one.price.total_price for one in priced.pieces} == {
        name: one.total_price for name, one in expected.items()
    }
    whole = priced.whole
    assert whole.total_price == sum(one.total_price for one in expected.values())
    assert whole.unit_price * QUANTITY == whole.total_price
    lines = (whole.metal_cost, whole.shell_cost, whole.labor_cost, whole.post_processing_cost, whole.margin)
    assert sum(lines, Decimal(0)) == whole.total_price


def test_a_part_of_one_body_is_priced_as_before() -> None:
    result = judged(build(BRACKET))
    catalog, geometry = shipped_catalog(), result.geometry
    alone = exact_geometry(geometry.volume_cm3, geometry.surface_area_cm2, geometry.size_mm)
    priced = price_file(geometry, result.bodies, catalog, MATERIAL, QUANTITY)
    assert priced.is_single
    assert priced.whole == price(alone, catalog.material(MATERIAL), QUANTITY, (), catalog.rates)


def test_a_single_screw_is_made_and_so_are_screws_alone() -> None:
    assert [body.bought for body in identify_bodies(load(build(HEX_BOLT), "bolt.step"))] == [None]
    pair = write_assembly({"M5x20": HEX_BOLT}, place_at_random({"M5x20": 3}, seed=4))
    assert [(body.bought, body.count) for body in identify_bodies(load(pair, "bolts.step"))] == [(None, 3)]


def test_a_module_of_ones_own_is_judged_body_by_body() -> None:
    data = write_assembly({"plate": PLATE, "bracket": BRACKET}, place_at_random({"plate": 1, "bracket": 1}, seed=5))
    module = next(module for module in modules_in_force() if module.key == "cnc")
    analysis = analyzed(data)
    verdict = judge_file(analysis, module, ("3-axis",)).configurations[0]
    counted = [rule for rule in verdict.rules if rule.metric == "part.body_count"]
    assert all(rule.severity == "pass" for rule in counted)
    holes = {rule.key: rule.n_inspected for rule in verdict.rules if rule.n_inspected}
    assert max(holes.values()) >= 6  # four holes of the plate and two of the bracket


def test_many_different_bodies_are_cut_off_and_the_file_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "MAX_ANALYZED", 5)
    sizes = {f"block {n}": {"box": [10 + n, 8, 6]} for n in range(8)}
    result = judged(write_assembly(sizes, place_at_random(dict.fromkeys(sizes, 1), seed=6)))
    left = [body for body in result.bodies if body.severity is None]
    assert {body.name for body in left} == {"block 0", "block 1", "block 2"}
    assert all("Not judged" in body.headline for body in left)
    assert ", 3 not judged" in result.headline


def test_hexagons_measure_what_is_asked_for() -> None:
    points = hexagon(8)
    assert max(y for _, y in points) - min(y for _, y in points) == pytest.approx(8)
