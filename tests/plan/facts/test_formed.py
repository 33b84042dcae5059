"""Facts of formed parts against sizes by formula, and prices that no position changes."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import pytest

from fettle.analysis import analyze
from fettle.assembly import analyze_model, refine_model
from fettle.errors import BadRequest, CannotUnfold
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.plan.facts import making_facts
from fettle.quote.process_price import price_once
from fettle.results.making import MakingFacts
from fettle.sheet.stock import GROUP_K
from fettle.sheet.unfold import unfold
from tests.sheet.parts import folded, pierced, standing

Recipe = dict[str, Any]
CHANNEL = folded([46.0, 92.0, 46.0], [90.0, 90.0], 2.0)
"""The U channel of t 2, r 2 with outside legs of 50, 100 and 50: flats are shorter by r + t at each bend."""
T_PART: Recipe = {
    "union": [
        {"move": {"of": {"box": [10, 20, 30]}, "by": [25, 0, 0]}},
        {"move": {"of": {"box": [60, 20, 5]}, "by": [0, 0, 30]}},
    ]
}
TRAY: Recipe = {"shell": {"of": {"box": [50, 40, 20]}, "t": 2, "open": [[25, 20, 20]]}}
COVER = {"cut": [TRAY, {"move": {"of": {"cylinder": {"d": 6, "h": 10}}, "by": [12, 12, -5]}}]}
BORED: Recipe = {
    "cut": [
        {"box": [80, 60, 60]},
        {
            "move": {
                "of": {"turn": {"of": {"cylinder": {"d": 30, "h": 100}}, "axis": [0, 1, 0], "deg": 90}},
                "by": [-10, 30, 18],
            }
        },
        {
            "move": {
                "of": {"turn": {"of": {"cylinder": {"d": 14, "h": 80}}, "axis": [1, 0, 0], "deg": -90}},
                "by": [20, -10, 48],
            }
        },
    ]
}
"""A block with a bore of 30 through its 80 mm, and one of 14 above it through its 60 mm."""


def window(x: float, y: float) -> Recipe:
    """A block through the wall of the tray at a place of its outline."""
    return {"move": {"of": {"box": [8, 8, 6]}, "by": [x - 4, y - 4, 8]}}


@cache
def _measured(recipe: str, unit: str) -> MakingFacts:
    model = load(build(json.loads(recipe), unit), "part.step")
    analysis = analyze(model.part, refine(model.mesh, model.part, model.options))

    def flat(_: object) -> Any:
        try:
            return unfold(model.part)
        except CannotUnfold:
            return None

    (facts,) = making_facts(analysis, flat)
    return facts


def measured(recipe: Recipe, unit: str = "mm") -> MakingFacts:
    return _measured(json.dumps(recipe), unit)


def test_flat_of_a_channel() -> None:
    """184 mm of flats and two bends of pi / 2 (2 + K 2); three holes of 6 mm name themselves."""
    holes = [standing({"cylinder": {"d": 6, "h": 30}}, 15.0, z) for z in (10.0, 25.0, 40.0)]
    part = pierced(CHANNEL, holes, 3 * math.pi * 9, 3 * math.pi * 6, ("round",) * 3)
    facts = measured(part.recipe).sheet
    assert facts is not None
    length = 184.0 + math.pi * (2.0 + 2.0 * GROUP_K["medium"])
    assert facts.blank_mm == (pytest.approx(length), pytest.approx(50.0))
    assert facts.blank_area_mm2 == pytest.approx(length * 50.0 - 27 * math.pi)
    assert [loop.length_mm for loop in facts.loops] == [
        pytest.approx(2 * (length + 50.0)),
        *[pytest.approx(6 * math.pi)] * 3,
    ]
    assert [(one.kind, one.angle_deg, one.length_mm) for one in facts.bends] == [("bend", 90.0, 50.0)] * 2
    assert len({loop.fid for loop in facts.loops[1:]} | {one.fid for one in facts.bends}) == 5


def test_a_t_is_printed_on_its_table() -> None:
    """Upright it would need 30,000 mm3 of support, on its table none."""
    facts = measured(T_PART).printing
    assert facts is not None
    for one in facts.orientations:
        assert one.direction == pytest.approx((0.0, 0.0, -1.0))
        assert (one.support_mm3, one.support_fids) == (0.0, ())
        assert (one.height_mm, one.footprint_mm) == (pytest.approx(35.0), pytest.approx((60.0, 20.0)))
        assert one.contact_mm2 == pytest.approx(1200.0)


def test_supports_of_a_ball() -> None:
    """V = pi a^2 R - 2 pi / 3 (R^3 - (R^2 - a^2)^1.5), a = R sin 45: metal powder, whose limit is 45 degrees."""
    radius, a = 20.0, 20.0 * math.sin(math.radians(45.0))
    exact = math.pi * a**2 * radius - 2 * math.pi / 3 * (radius**3 - (radius**2 - a**2) ** 1.5)
    facts = measured({"sphere": {"d": 40}}).printing
    assert facts is not None
    (metal,) = [one for one in facts.orientations if one.configuration == "dmls"]
    assert metal.support_mm3 == pytest.approx(exact, rel=0.03)
    assert metal.support_mm2 == pytest.approx(math.pi * a**2, rel=0.03)


def test_mold_of_a_tray() -> None:
    """Five sides outside, five inside and the rim; a hole through the floor is one patch more and takes its area."""
    tray, cover = measured(TRAY).molding, measured(COVER).molding
    assert tray is not None
    assert cover is not None
    assert (tray.footprint_mm, tray.depth_mm, tray.patches) == (pytest.approx((50.0, 40.0)), pytest.approx(20.0), 11)
    assert tray.projected_mm2 == pytest.approx(2000.0, rel=1e-6)
    assert tray.wall_mm == pytest.approx(2.0)
    assert tray.undercuts == tray.threads == ()
    assert cover.projected_mm2 == pytest.approx(2000.0 - 9 * math.pi, rel=2e-3)
    assert cover.patches == 12


@pytest.mark.parametrize(
    ("windows", "slides"),
    [([(25, 0)], 1), ([(12, 0), (38, 0)], 1), ([(12, 0), (38, 40)], 2), ([(25, 0), (0, 12), (50, 28)], 3)],
)
def test_windows_of_one_side_share_a_slide(windows: list[tuple[float, float]], slides: int) -> None:
    facts = measured({"cut": [TRAY, *(window(x, y) for x, y in windows)]}).molding
    assert facts is not None
    assert len(facts.undercuts) == len(windows)
    assert {one.slide for one in facts.undercuts} == set(range(1, slides + 1))


def test_a_groove_inside_takes_a_lifter() -> None:
    """A slot in the inside of a wall of 6 mm: no slide reaches it from outside."""
    thick: Recipe = {"shell": {"of": {"box": [60, 50, 25]}, "t": 6, "open": [[30, 25, 25]]}}
    slot = {"move": {"of": {"box": [20, 3, 5]}, "by": [20, 3, 10]}}
    facts = measured({"cut": [thick, slot]}).molding
    assert facts is not None
    assert [one.slide for one in facts.undercuts] == [None]


def test_core_of_a_cross_bore() -> None:
    """The mold opens along the larger bore; the other lies in a box of 60 x 14 x 14 mm, 12,000 mm3 to two digits."""
    facts = measured(BORED).casting
    assert facts is not None
    assert (facts.footprint_mm, facts.depth_mm) == (pytest.approx((60.0, 60.0)), pytest.approx(80.0))
    assert [core.volume_mm3 for core in facts.cores] == [12_000.0]


PRICED = {
    "channel": (CHANNEL.recipe, ("sheet-metal:mild-steel-1.5mm", "additive:fdm")),
    "t": (T_PART, ("additive:fdm", "additive:sla", "additive:dmls", "casting:sand")),
    "tray": ({"cut": [TRAY, window(12, 0), window(38, 40)]}, ("injection:side-action", "additive:fdm")),
    "bored": (BORED, ("casting:sand", "casting:investment", "injection:standard")),
}


@pytest.mark.parametrize("name", PRICED)
@pytest.mark.parametrize("way", ["turned", "mirrored", "inch"])
def test_no_position_changes_a_price(name: str, way: str) -> None:
    recipe, processes = PRICED[name]
    moved: dict[str, tuple[Recipe, str]] = {
        "turned": ({"turn": {"of": recipe, "axis": [0.3, 0.7, 1.1], "deg": 37.0}}, "mm"),
        "mirrored": ({"mirror": {"of": recipe, "normal": [1, 0.5, 0.2]}}, "mm"),
        "inch": (recipe, "in"),
    }
    straight, other = measured(recipe), measured(*moved[way])
    for process in processes:
        prices = [price_once(facts, process, 100).unit_price for facts in (straight, other)]
        assert prices[0] == prices[1], process


def test_a_block_is_no_sheet() -> None:
    with pytest.raises(BadRequest, match="Body 1 does not lie flat"):
        price_once(measured(BORED), "sheet-metal:mild-steel-1.5mm", 10)


def test_nuts_on_a_sheet_are_its_hardware() -> None:
    """Two M5 nuts (ISO 4032: 8 across flats, 4.7 high) on a plate."""
    corners = [
        [4 / math.cos(math.pi / 6) * math.cos(k * math.pi / 3), 4 / math.cos(math.pi / 6) * math.sin(k * math.pi / 3)]
        for k in range(6)
    ]
    nut = {
        "cut": [
            {"prism": {"points": corners, "h": 4.7}},
            {"move": {"of": {"cylinder": {"d": 4.2, "h": 10}}, "by": [0, 0, -2]}},
        ]
    }
    plate: Recipe = {
        "cut": [
            {"box": [80, 40, 2]},
            *({"move": {"of": {"cylinder": {"d": 5, "h": 9}}, "by": [x, 20, -3]}} for x in (20, 60)),
        ]
    }
    parts = [plate, *({"move": {"of": nut, "by": [x, 20, 2]}} for x in (20, 60))]
    model = load(build({"bodies": parts}), "part.step")
    analysis = analyze_model(refine_model(model, model.options))
    (facts,) = making_facts(analysis, lambda body: unfold(body.part))
    assert facts.sheet is not None
    assert facts.sheet.hardware == 2
    lines = price_once(facts, "sheet-metal:mild-steel-1.5mm", 10).lines
    assert [line.count for line in lines if line.what == "Press nuts and studs"] == [20.0]
