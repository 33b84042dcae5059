"""The check that folds the flat again: it fails by the amount that each kind of wrong flat predicts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fettle.errors import CannotUnfold
from fettle.geometry.part import Part
from fettle.recognize.graph_building import build_graph
from fettle.sheet.allowance import Allowance, Developed, KFactor
from fettle.sheet.flat import FlatSheet
from fettle.sheet.layout import lay_out
from fettle.sheet.plane_curves import PlaneMotion
from fettle.sheet.refold import refold
from fettle.sheet.skin import Skin, develop
from fettle.sheet.thickness import find_sides
from fettle.sheet.unfold import check_refold
from tests.recognize.sheets import strip
from tests.sheet.test_unfold import read

T, WIDTH, FLANGE, RADIUS = 2.0, 40.0, 26.0, 2.0
TRUE = KFactor(0.43)


@dataclass(frozen=True)
class OffBy:
    """An allowance that is wrong by some mm."""

    mm: float

    def develop(self, inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> Developed:
        right = TRUE.develop(inner_radius_mm, thickness_mm, angle_deg)
        k = ((right.length_mm + self.mm) / math.radians(angle_deg) - inner_radius_mm) / thickness_mm
        return replace(right, length_mm=right.length_mm + self.mm, k_factor=k)


@pytest.fixture(scope="module")
def bracket() -> Part:
    return read(strip([56, FLANGE], [90], RADIUS, T, WIDTH))


def laid_flat(part: Part, allowance: Allowance) -> tuple[FlatSheet, Skin, PlaneMotion]:
    graph = build_graph(part)
    sides = find_sides(graph, 0)
    assert sides is not None
    root = max(sides.partner, key=lambda number: graph.regions[number].area_mm2)
    skin = develop(graph, root, sides.thickness_mm, allowance, ())
    return (*lay_out(skin, sides, [], 0)[:1], skin, lay_out(skin, sides, [], 0)[1])


def test_right_flat_passes(bracket: Part) -> None:
    flat, skin, motion = laid_flat(bracket, TRUE)
    folded = refold(flat, skin, motion, TRUE)
    assert folded.max_deviation_mm < 1e-9
    assert abs(folded.volume_error) < 1e-12
    check_refold(bracket, flat, folded)


def test_allowance_off_by_a_millimeter(bracket: Part) -> None:
    """A flat 1 mm too long has a flange 1 mm too long: 1 x t x width of volume, 1 mm in place and box."""
    flat, skin, motion = laid_flat(bracket, OffBy(1.0))
    folded = refold(flat, skin, motion, TRUE)
    assert folded.volume_error * bracket.volume_mm3 == pytest.approx(1.0 * T * WIDTH, rel=1e-9)
    # points of the bend itself are off by the arc that they are turned too far
    assert 1.0 <= folded.max_deviation_mm < 1.2
    assert folded.box_error_mm == pytest.approx(1.0, rel=1e-6)
    with pytest.raises(CannotUnfold, match="misses the part by 1"):
        check_refold(bracket, flat, folded)


def test_angle_off_by_a_degree(bracket: Part) -> None:
    """The end of the flange swings by its length: the outer corner of the developed side, seen from the bend's axis."""
    flat, skin, motion = laid_flat(bracket, TRUE)
    wrong = replace(flat, bends=(replace(flat.bends[0], angle_deg=89.0),))
    folded = refold(wrong, skin, motion, TRUE)
    side = RADIUS if flat.bends[0].up == (np.linalg.det(motion.matrix) > 0) else RADIUS + T
    swing = 2 * math.hypot(FLANGE, side) * math.sin(math.radians(0.5))
    # one degree less of bend also takes theta (r + K t) less of the sheet: the flange ends that much later
    taken = math.radians(1.0) * (RADIUS + 0.43 * T)
    assert folded.max_deviation_mm == pytest.approx(swing, abs=taken + 1e-9)
    assert folded.box_error_mm == pytest.approx(swing, abs=2 * taken)
    with pytest.raises(CannotUnfold):
        check_refold(bracket, wrong, folded)


def test_bend_to_the_wrong_side(bracket: Part) -> None:
    """The flange stands on the other side: its end is off by twice its height."""
    flat, skin, motion = laid_flat(bracket, TRUE)
    wrong = replace(flat, bends=(replace(flat.bends[0], up=not flat.bends[0].up),))
    folded = refold(wrong, skin, motion, TRUE)
    assert folded.max_deviation_mm > 2 * FLANGE
    with pytest.raises(CannotUnfold):
        check_refold(bracket, wrong, folded)


def test_wrong_radius(bracket: Part) -> None:
    flat, skin, motion = laid_flat(bracket, TRUE)
    wrong = replace(flat, bends=(replace(flat.bends[0], inner_radius_mm=RADIUS + 0.5),))
    with pytest.raises(CannotUnfold):
        check_refold(bracket, wrong, refold(wrong, skin, motion, TRUE))
