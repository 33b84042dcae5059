"""Flats of sheet parts known by formula, in every position, mirrored, in inches and written as splines."""

from __future__ import annotations

import math

import pytest

from fettle.errors import CannotUnfold, NotSheet
from fettle.recognize.graph_building import build_graph
from fettle.sheet.allowance import Din6935, KFactor
from fettle.sheet.expected_volume import largest_area_mm2, sheet_area_mm2
from fettle.sheet.flat import FlatSheet
from fettle.sheet.islands import find_islands
from fettle.sheet.skin import develop
from fettle.sheet.thickness import FEW_PLANES, find_sides
from fettle.sheet.unfold import Unfolded, unfold
from tests.counts import FULL
from tests.recognize.sheets import strip
from tests.recognize.words import at, box, cut, cyl, fillet, union
from tests.sheet.parts import CONE, FOLDED, VARIANTS, SheetPart, cone, read, variant

EXACT = 1e-6


def check(flat: FlatSheet, part: SheetPart, k: float) -> None:
    long, short = sorted((part.length(k), part.width), reverse=True)
    assert flat.size_mm == (pytest.approx(long, rel=EXACT), pytest.approx(short, rel=EXACT))
    assert flat.thickness_mm == pytest.approx(part.t, rel=EXACT)
    assert flat.area_mm2 == pytest.approx(part.area(k), rel=EXACT)
    assert flat.cut_length_mm == pytest.approx(part.cut_length(k), rel=EXACT)
    assert sorted(one.shape for one in flat.cutouts) == sorted(part.shapes)
    assert [one.kind for one in flat.marks] == list(part.marks)
    found = sorted((round(bend.angle_deg, 6), round(bend.inner_radius_mm, 6)) for bend in flat.bends)
    assert found == sorted((round(angle, 6), round(radius, 6)) for angle, radius in part.bends)
    assert sum(not bend.up for bend in flat.bends) == part.downs
    for bend in flat.bends:
        assert bend.length_mm == pytest.approx(part.width - part.slot, rel=EXACT)
        assert len(bend.segments) == (2 if part.slot else 1)
    if part.kinds:
        assert sorted(bend.kind for bend in flat.bends) == sorted(part.kinds)


def folds_back(unfolded: Unfolded) -> None:
    assert unfolded.refold.max_deviation_mm < 1e-3
    assert not unfolded.refold.box_error_mm > 0.01  # nan where forms share the box


@pytest.mark.parametrize("name", FOLDED)
def test_flats_are_those_of_the_formula(name: str) -> None:
    """With full counts each part in every way, else as modeled, and one part in two in one other way by turns."""
    part = FOLDED[name]
    turn, alone = divmod(list(FOLDED).index(name), 2)
    other = 0 if alone else 1 + turn % (len(VARIANTS) - 1)
    for seed, way in enumerate(VARIANTS):
        if not FULL and seed not in (0, other):
            continue
        solid = variant(part.recipe, way, seed + len(name))
        unfolded = unfold(solid, KFactor(0.43))
        check(unfolded.flat, part, 0.43)
        folds_back(unfolded)
        middle = unfold(solid, KFactor(0.5)).flat
        if not part.marks:
            assert middle.area_mm2 * middle.thickness_mm == pytest.approx(solid.volume_mm3, rel=EXACT), way


def test_there_are_as_many_parts_as_asked_for() -> None:
    assert len(FOLDED) >= 40


@pytest.mark.parametrize("way", VARIANTS)
def test_cone(way: str) -> None:
    """A conical shell unrolls to the sector of a ring about its apex; its middle layer has its volume."""
    t, deg, half = CONE["t"], CONE["deg"], math.radians(CONE["half_deg"])
    solid = variant(cone(**CONE), way, 3)
    unfolded = unfold(solid, KFactor(0.5))
    flat = unfolded.flat
    slant = CONE["height"] / math.cos(half)
    inner = CONE["radius"] / math.sin(half) + 0.5 * t / math.tan(half)
    turn = math.radians(deg) * math.sin(half)
    assert flat.area_mm2 == pytest.approx(turn / 2 * ((inner + slant) ** 2 - inner**2), rel=EXACT)
    assert flat.cut_length_mm == pytest.approx(turn * (2 * inner + slant) + 2 * slant, rel=EXACT)
    assert flat.area_mm2 * t == pytest.approx(solid.volume_mm3, rel=EXACT)
    folds_back(unfolded)


class TestWorkedExamples:
    """The table of our facts on sheet metal."""

    def test_channel(self) -> None:
        flat = unfold(read(strip([46, 92, 46], [90, 90], 2, 2, 40)), KFactor(0.43)).flat
        assert flat.bends[0].developed.length_mm == pytest.approx(4.4924775, abs=1e-7)
        assert flat.size_mm[0] == pytest.approx(192.98495499, abs=1e-6)

    def test_volume_law(self) -> None:
        solid = read(strip([56, 26], [90], 2, 2, 40))
        flat = unfold(solid, KFactor(0.5)).flat
        assert solid.volume_mm3 == pytest.approx(6936.99112, abs=1e-5)
        assert flat.area_mm2 * flat.thickness_mm == pytest.approx(solid.volume_mm3, rel=1e-9)

    def test_volume_law_of_base_and_flange(self) -> None:
        """Base 60 x 40 x 2 and a flange of 30 outside over it: 60 flat, 26 in the flange."""
        solid = read(strip([60, 26], [90], 2, 2, 40))
        flat = unfold(solid, KFactor(0.5)).flat
        assert solid.volume_mm3 == pytest.approx(7256.99112, abs=1e-5)
        assert flat.size_mm[0] == pytest.approx(90.71239, abs=1e-5)

    def test_din_bracket(self) -> None:
        flat = unfold(read(strip([56, 36], [90], 2, 2, 40)), Din6935()).flat
        assert flat.size_mm[0] == pytest.approx(96.1626103, abs=1e-6)

    def test_din_two_bends(self) -> None:
        flat = unfold(read(strip([19, 8, 9], [90, 90], 4, 2, 60)), Din6935()).flat
        assert sorted(flat.size_mm)[0] == pytest.approx(25 + 20 + 15 - 2 * 4.4593687, abs=1e-6)

    def test_din_oblique(self) -> None:
        legs = 50 - 6 * math.tan(math.radians(22.5))
        flat = unfold(read(strip([legs, legs], [45], 3, 3, 40)), Din6935()).flat
        assert flat.size_mm[0] == pytest.approx(98.1514, abs=5e-5)

    def test_mold_line(self) -> None:
        """A mold line of 50 measured to the corner of the insides: leg 48.11504, flange 51.75504 outside."""
        part = unfold(read(strip([60, 48.11504], [90], 1.64, 2, 40)), KFactor(0.38)).flat
        assert part.bends[0].developed.length_mm == pytest.approx(3.76991, abs=1e-5)


class TestRefusals:
    def test_block(self) -> None:
        with pytest.raises(NotSheet, match="plate or a block"):
            unfold(read(box(40, 30, 28)))

    def test_ball_has_no_two_sides(self) -> None:
        with pytest.raises(NotSheet, match="back to back"):
            unfold(read({"sphere": {"d": 30}}))

    def test_milled_pocket(self) -> None:
        with pytest.raises(NotSheet):
            unfold(read(cut(box(80, 60, 20), at(box(60, 40, 14), 10, 10, 6))))

    def test_closed_tube(self) -> None:
        ring = {"revolve": {"points": [[20, 0], [21, 0], [21, 40], [20, 40]], "deg": 360}}
        with pytest.raises(CannotUnfold, match="closes round into a ring") as refusal:
            unfold(read(ring))
        assert refusal.value.faces

    def test_closed_ring_of_bends(self) -> None:
        outer = fillet(box(40, 40, 60), 4, "z")
        inner = at(fillet(box(36, 36, 60), 2, "z"), 2, 2, 0)
        with pytest.raises(CannotUnfold, match="ring") as refusal:
            unfold(read(cut(outer, inner)))
        assert refusal.value.faces

    def test_drawn_corner(self) -> None:
        bowl = cut(fillet(box(60, 40, 40), 5, "all"), at(box(80, 60, 30), -10, -10, 20))
        cup = {"shell": {"of": bowl, "t": 1.5, "open": [[30, 20, 20]]}}
        with pytest.raises(CannotUnfold, match="drawn") as refusal:
            unfold(read(cup))
        assert refusal.value.faces


def test_countersink_is_cut_narrow_and_marked_wide() -> None:
    sink = {"cone": {"d": 6, "d2": 10, "h": 2}}
    flat = unfold(read(cut(box(80, 60, 2), at(sink, 40, 30, 0), at(cyl(6, 4), 40, 30, -1)))).flat
    assert flat.area_mm2 == pytest.approx(80 * 60 - math.pi * 9, rel=EXACT)
    (mark,) = flat.marks
    assert mark.kind == "countersink"


def test_tab_bent_out_of_its_window_is_part_of_the_flat() -> None:
    """A flange inside a window: the flat has a U-shaped cut-out around the tab."""
    tab = strip([1, 14], [90], 2, 2, 20)
    standing = {"turn": {"of": tab, "axis": [1, 0, 0], "deg": 90}}
    plate = cut(box(80, 60, 2), at(box(30, 26, 10), 30, 17, -4))
    solid = read({"union": [plate, at(standing, 29, 40, 2)]})
    flat = unfold(solid, KFactor(0.5)).flat
    assert len(flat.bends) == 1
    assert flat.area_mm2 * 2 == pytest.approx(solid.volume_mm3, rel=EXACT)
    assert not flat.marks


def test_hardware_stays_apart() -> None:
    nut = at(cyl(10, 6), 20, 20, 2)
    flat = unfold(read({"bodies": [box(80, 60, 2), at(nut, 0, 0, 0.5)]})).flat
    assert flat.size_mm == pytest.approx((80, 60))
    assert flat.other_bodies == (1,)


@pytest.mark.parametrize(("side", "height"), [(30, 16), (20, 14)])
def test_a_block_on_a_plate_is_told_by_the_volume_of_the_plate(side: float, height: float) -> None:
    """Of 100 x 60 x 4: its share of the volume is what a sheet of 4 mm would have."""
    part = read(union(box(100, 60, 4), at(box(side, side, height), 35, 20, 4)))
    share = 24000 / (24000 + side * side * height)
    with pytest.raises(NotSheet, match=f"a sheet of 4 mm .* has {1 - share:.2%} less volume"):
        unfold(part)


def test_areas_are_known_before_the_sheet_is_laid_out() -> None:
    """A channel of 2 mm: the flat at K = 0.5 is its middle layer. A plate of 100 x 60 with a hole of 20 across."""
    channel = FOLDED["channel"]
    for recipe, area in (
        (channel.recipe, channel.area(0.5)),
        (cut(box(100, 60, 4), at(cyl(20, 4), 50, 30, 0)), 6000 - 100 * math.pi),
    ):
        part = read(recipe)
        graph = build_graph(part)
        sides = find_sides(graph, 0)
        assert sides is not None
        root = max(graph.regions, key=lambda region: region.area_mm2).number
        skin = develop(graph, root, sides.thickness_mm, KFactor(0.5), ())
        assert sheet_area_mm2(skin, find_islands(graph, sides)) == pytest.approx(area, rel=EXACT)
        filled = area + (100 * math.pi if recipe is not channel.recipe else 0.0)
        assert filled <= largest_area_mm2(graph, sides, root, math.inf) * 1.001  # holes by the points of their edges
        assert largest_area_mm2(graph, sides, root, math.inf) < 1.25 * filled
        assert largest_area_mm2(graph, sides, root, 100.0) >= 100.0


@pytest.mark.parametrize("slots", [3, 35])
def test_walls_of_few_and_of_many_slots_are_no_sides_of_the_sheet(slots: int) -> None:
    """A sheet of 2 mm with slots 3 mm apart: only its two broad faces are 2 mm apart. With 35 slots more planes lie
    beside each of them than are compared one by one."""
    sheet = cut(box(200, 20, 2), *(at(box(2, 10, 2), 5 + 5 * k, 5, 0) for k in range(slots)))
    graph = build_graph(read(sheet))
    assert (len(graph.regions) > FEW_PLANES) == (slots == 35)
    sides = find_sides(graph, 0)
    assert sides is not None
    assert sides.thickness_mm == pytest.approx(2.0, abs=1e-9)
    broad = [region.number for region in graph.regions if region.area_mm2 > 1000]
    assert sides.partner == {broad[0]: broad[1], broad[1]: broad[0]}
