"""Convexity, curves and ends of edges, counted by hand."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.geometry.part import Circle, Convexity, Line, Part


def part(recipe: CsgNode) -> Part:
    return load(build(recipe), "part.step").part


def kinds(recipe: CsgNode) -> dict[Convexity, int]:
    return dict(Counter(edge.convexity for edge in part(recipe).edges))


STEPPED: CsgNode = {"union": [{"box": [30, 20, 10]}, {"box": [10, 20, 25]}]}
POCKET: CsgNode = {"cut": [{"box": [40, 40, 20]}, {"move": {"of": {"box": [20, 20, 20]}, "by": [10, 10, 8]}}]}


def test_box_has_twelve_square_convex_edges() -> None:
    edges = part({"box": [10, 20, 30]}).edges
    assert len(edges) == 12
    assert {edge.convexity for edge in edges} == {Convexity.CONVEX}
    assert [edge.angle_deg for edge in edges] == pytest.approx([90.0] * 12, abs=1e-4)
    assert sorted(edge.length_mm for edge in edges) == pytest.approx([10] * 4 + [20] * 4 + [30] * 4)
    assert len({vertex for edge in edges for vertex in edge.vertices}) == 8


def test_step_has_one_concave_edge() -> None:
    concave = [edge for edge in part(STEPPED).edges if edge.convexity is Convexity.CONCAVE]
    assert [edge.angle_deg for edge in concave] == pytest.approx([270.0], abs=1e-4)


def test_pocket_counts() -> None:
    # 12 of the block, 4 of the mouth; 4 upright corners and 4 of the floor are concave
    assert kinds(POCKET) == {Convexity.CONVEX: 16, Convexity.CONCAVE: 8}


def test_blind_hole_closed_edges() -> None:
    recipe: CsgNode = {
        "cut": [{"box": [30, 30, 20]}, {"move": {"of": {"cylinder": {"d": 8, "h": 20}}, "by": [15, 15, 5]}}]
    }
    circles = [edge for edge in part(recipe).edges if isinstance(edge.curve, Circle)]
    mouth = next(edge for edge in circles if edge.curve.center[2] == pytest.approx(20))
    floor = next(edge for edge in circles if edge.curve.center[2] == pytest.approx(5))
    assert len(circles) == 2
    assert (mouth.convexity, floor.convexity) == (Convexity.CONVEX, Convexity.CONCAVE)
    for edge in (mouth, floor):
        assert edge.vertices[0] == edge.vertices[1]
        assert edge.curve.extent_deg == pytest.approx(360.0)
        assert edge.length_mm == pytest.approx(8 * math.pi)


def test_seams_are_not_edges() -> None:
    assert len(part({"cylinder": {"d": 10, "h": 20}}).edges) == 2
    assert len(part({"sphere": {"d": 10}}).edges) == 0
    assert len(part({"torus": {"D": 20, "d": 6}}).edges) == 0
    assert len(part({"cone": {"d": 10, "d2": 0, "h": 12}}).edges) == 1


def test_fillets_are_smooth() -> None:
    # all edges of a block rounded: 6 planes, 12 quarter cylinders, 8 eighths of a sphere, everything tangent
    rounded = part({"fillet": {"of": {"box": [20, 30, 40]}, "r": 3, "edges": "all"}})
    assert len(rounded.faces) == 26
    assert dict(Counter(edge.convexity for edge in rounded.edges)) == {Convexity.SMOOTH: 48}


@pytest.mark.parametrize("taper_deg", [0.5, 3.0])
def test_tangency_tolerance_is_one_degree(taper_deg: float) -> None:
    # a prism of two wedges that meet at a ridge of 180 minus the taper: below a degree it counts as smooth
    rise = 10 * math.tan(math.radians(taper_deg / 2))
    ridge = part({"prism": {"points": [[0, 0], [20, 0], [20, 10], [10, 10 + rise], [0, 10]], "h": 5}})
    top = next(edge for edge in ridge.edges if edge.points[:, 1].min() > 10 + rise / 2)
    assert top.angle_deg == pytest.approx(180 - taper_deg, abs=1e-3)
    assert top.convexity is (Convexity.SMOOTH if taper_deg < 1 else Convexity.CONVEX)


def test_lines_point_from_first_to_second_vertex() -> None:
    for edge in part(STEPPED).edges:
        assert isinstance(edge.curve, Line)
        span = edge.points[-1] - edge.points[0]
        assert edge.curve.direction @ span == pytest.approx(edge.length_mm)


def test_every_edge_is_used_once_each_way() -> None:
    for recipe in (POCKET, STEPPED, {"fillet": {"of": {"box": [20, 30, 40]}, "r": 3, "edges": "all"}}):
        solid = part(recipe)
        uses = Counter(
            (number, backwards)
            for face in solid.faces
            for loop in face.loops
            for number, backwards in zip(loop.edges, loop.reversed, strict=True)
        )
        assert uses == Counter({(number, way): 1 for number in range(len(solid.edges)) for way in (False, True)})


def test_mirrored_part_keeps_its_convexity() -> None:
    assert kinds({"mirror": {"of": POCKET, "normal": [1, 0, 0]}}) == kinds(POCKET)
