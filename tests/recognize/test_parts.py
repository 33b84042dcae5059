"""Every part of the table, as built and turned, mirrored, in inches, with its faces in another order."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from OCP.TopoDS import TopoDS_Shape

from fettle.geometry.csg import build
from fettle.geometry.kernel import remesh, solids
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.recognize import recognize
from fettle.recognize.feature import UNCLASSIFIED
from fettle.recognize.kinds.hole import Hole
from tests.counts import some
from tests.geometry.kernel_shapes import leave_out_cylinders
from tests.recognize.awkward import AWKWARD
from tests.recognize.cavities import CAVITIES
from tests.recognize.combined import COMBINED
from tests.recognize.holes import HOLES
from tests.recognize.kernel_parts import KERNEL_PARTS
from tests.recognize.known_faults import KNOWN_FAULTS
from tests.recognize.part_lists import compare, shuffled
from tests.recognize.parts import PARTS
from tests.recognize.sheets import SHEETS
from tests.recognize.steps import STEPS
from tests.recognize.words import Recipe, at, box, cone, cut, cyl, fillet, union

CASES = {**HOLES, **CAVITIES, **PARTS, **SHEETS, **AWKWARD, **COMBINED, **STEPS, **KNOWN_FAULTS, **KERNEL_PARTS}


@pytest.mark.parametrize("name", CASES)
def test_part_has_exactly_its_features(name: str) -> None:
    case, expected = CASES[name]
    part = _read(case)
    found = recognize(part)
    compare(found, expected)
    assert found.coverage_area == 1.0
    assert UNCLASSIFIED.code not in found.roles
    compare(recognize(shuffled(part, random.Random(name))), expected)


@pytest.mark.parametrize("name", some(CASES, every=6))
def test_mirrored_turned_moved_in_inches_and_re_ordered(name: str) -> None:
    """All at once: building and reading the twin is what takes time."""
    case, expected = CASES[name]
    dice = random.Random(name)
    normal, axis = ([dice.gauss(0, 1) for _ in range(3)] for _ in range(2))
    deg, by = dice.uniform(10, 350), [dice.uniform(-500, 500) for _ in range(3)]
    if callable(case):
        shape = solids.rotate(
            solids.mirror(case(), (normal[0], normal[1], normal[2])), (axis[0], axis[1], axis[2]), deg
        )
        part = load(solids.step_bytes(solids.move(shape, (by[0], by[1], by[2])), "in"), "part.step").part
    else:
        turned = {"turn": {"of": {"mirror": {"of": case, "normal": normal}}, "axis": axis, "deg": deg}}
        part = _read({"move": {"of": turned, "by": by}}, "in")
    compare(recognize(shuffled(part, dice)), expected)


def test_apex_of_a_split_drill_point_is_no_sharp_edge() -> None:
    """A mirrored half makes two half cones whose common edges run to the apex; sharp is only the foot of the cone."""
    half = cut(box(30, 60, 40), at(cyl(10, 60), 30, 30, 25), at(cone(0, 10, 5), 30, 30, 20))
    part = _read(
        union(half, at(cut(box(30, 60, 40), at(cyl(10, 60), 0, 30, 25), at(cone(0, 10, 5), 0, 30, 20)), 30, 0, 0))
    )
    sharp = recognize(part).sharp_concave_edges
    assert sum(part.edges[edge].length_mm for edge in sharp) == pytest.approx(math.pi * 10, rel=1e-6)


def test_place_and_direction_of_a_blind_hole() -> None:
    part = _read(cut(box(60, 50, 40), at(cyl(10, 60), 12, 34, 15)))
    (hole,) = [feature for feature in recognize(part).features if isinstance(feature, Hole)]
    assert hole.axis == pytest.approx((0, 0, -1))
    assert hole.position_mm == pytest.approx((12, 34, 40))


def test_sharp_concave_edges_are_those_without_a_blend() -> None:
    step = cut(box(60, 50, 40), at(box(80, 30, 30), -10, 30, 25))
    part = _read(step)
    (edge,) = recognize(part).sharp_concave_edges
    assert part.edges[edge].length_mm == pytest.approx(60)
    softened = _read(fillet(step, 4, [[30, 30, 25]]))
    assert recognize(softened).sharp_concave_edges == ()


def test_a_hole_whose_wall_cannot_be_triangulated_is_a_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug with such cones for drill points ended an analysis: their range along the axis was infinite."""
    monkeypatch.setattr(remesh, "ATTEMPTS", ())
    leave_out_cylinders(monkeypatch, alone=True)
    part = _read(cut(box(40, 30, 20), at(cyl(10, 20), 20, 15, 0)))
    assert "1 of 7 faces could not be triangulated in any way" in part.source.warnings[0]
    (hole,) = [one for one in recognize(part).features if isinstance(one, Hole)]
    assert (hole.diameter_mm, hole.depth_mm, hole.through) == (pytest.approx(10), pytest.approx(20), True)


def test_table_is_long_enough() -> None:
    assert len(CASES) >= 60


def _read(case: Recipe | Callable[[], TopoDS_Shape], unit: str = "mm") -> Part:
    data = solids.step_bytes(case(), unit) if callable(case) else build(case, unit)
    return load(data, "part.step").part
