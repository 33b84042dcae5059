"""Volume, area and box of parts whose figures are known in closed form."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
)
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
from OCP.collections import Array1_double, Array1_gp_Pnt, Array1_int
from OCP.Geom import Geom_BSplineCurve
from OCP.gp import gp_Pnt, gp_Vec

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.exact.spline_bounds import hill_tops, reach
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.load import Model, load
from fettle.geometry.part import Cone, Cylinder, Plane, Sphere, Torus

PI = math.pi


def model(recipe: CsgNode, unit: str = "mm") -> Model:
    return load(build(recipe, unit), "part.step")


# name: recipe, volume, area, box size; formulas of school geometry
FORMS: dict[str, tuple[CsgNode, float, float, tuple[float, float, float]]] = {
    "box": ({"box": [10, 20, 30]}, 6000.0, 2200.0, (10, 20, 30)),
    "cylinder": ({"cylinder": {"d": 10, "h": 30}}, PI * 25 * 30, 2 * PI * 25 + PI * 10 * 30, (10, 10, 30)),
    "cone": (
        {"cone": {"d": 20, "d2": 10, "h": 12}},
        PI * 12 / 3 * (100 + 50 + 25),
        PI * (100 + 25) + PI * 15 * 13,
        (20, 20, 12),
    ),
    "full cone": ({"cone": {"d": 10, "d2": 0, "h": 12}}, PI * 25 * 12 / 3, PI * 25 + PI * 5 * 13, (10, 10, 12)),
    "sphere": ({"sphere": {"d": 14}}, 4 / 3 * PI * 343, 4 * PI * 49, (14, 14, 14)),
    "torus": ({"torus": {"D": 40, "d": 10}}, 2 * PI**2 * 20 * 25, 4 * PI**2 * 20 * 5, (50, 50, 10)),
    "half turn of a torus": (
        # a pipe bend, its boundary winding round the tube
        {"common": [{"torus": {"D": 40, "d": 10}}, {"move": {"of": {"box": [100, 50, 100]}, "by": [-50, 0, -50]}}]},
        PI**2 * 20 * 25,
        2 * PI**2 * 20 * 5 + 2 * PI * 25,
        (50, 25, 10),
    ),
    "upper outer quarter of a torus": (
        # Pappus: a quarter disc of radius 5, its centroid 4 r / 3 pi outside of the center line; its arc 2 r / pi
        {
            "common": [
                {"torus": {"D": 40, "d": 10}},
                {"cut": [{"cylinder": {"d": 60, "h": 60}}, {"cylinder": {"d": 40, "h": 60}}]},
            ]
        },
        2 * PI * (20 + 20 / (3 * PI)) * (PI * 25 / 4),
        2 * PI * ((20 + 10 / PI) * (PI * 5 / 2) + 22.5 * 5 + 20 * 5),
        (50, 50, 5),
    ),
    "octant of a sphere": (
        {"common": [{"sphere": {"d": 20}}, {"box": [20, 20, 20]}]},
        4 / 3 * PI * 1000 / 8,
        4 * PI * 100 / 8 + 3 * PI * 100 / 4,
        (10, 10, 10),
    ),
    "spherical cap": (
        {"common": [{"sphere": {"d": 20}}, {"move": {"of": {"box": [40, 40, 40]}, "by": [-20, -20, 6]}}]},
        PI * 16 * (30 - 4) / 3,
        2 * PI * 10 * 4 + PI * 64,
        (16, 16, 4),
    ),
    "bored plate": (
        {"cut": [{"box": [40, 30, 10]}, {"move": {"of": {"cylinder": {"d": 8, "h": 10}}, "by": [20, 15, 0]}}]},
        12000 - PI * 16 * 10,
        2 * (1200 + 400 + 300) - 2 * PI * 16 + PI * 8 * 10,
        (40, 30, 10),
    ),
    "all edges rounded": (
        # Steiner: the 14 x 24 x 34 core grown by 3
        {"fillet": {"of": {"box": [20, 30, 40]}, "r": 3, "edges": "all"}},
        14 * 24 * 34 + 2 * 3 * (14 * 24 + 24 * 34 + 14 * 34) + PI * 9 * (14 + 24 + 34) + 4 / 3 * PI * 27,
        2 * (14 * 24 + 24 * 34 + 14 * 34) + 2 * PI * 3 * (14 + 24 + 34) + 4 * PI * 9,
        (20, 30, 40),
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_closed_forms(name: str) -> None:
    recipe, volume, area, size = FORMS[name]
    part = model(recipe).part
    assert part.volume_mm3 == pytest.approx(volume, rel=1e-6)
    assert part.area_mm2 == pytest.approx(area, rel=1e-6)
    assert part.size_mm == pytest.approx(size, rel=1e-6)
    assert part.watertight
    assert sum(face.area_mm2 for face in part.faces) == pytest.approx(part.area_mm2)


def test_half_an_ellipse_in_one_rational_span_holds_what_its_formula_says() -> None:
    """The half circle as a cubic with weights 3, 1, 1, 3 (Piegl and Tiller, The NURBS Book, 7.3), stretched by 2 so
    that it is no cylinder, 10 deep: pi / 2 of 2 x 1 x 10, and Ramanujan's second formula for its girth."""
    poles, weights = Array1_gp_Pnt(1, 4), Array1_double(1, 4)
    for k, (x, y, w) in enumerate(((2, 0, 3), (2, 2, 1), (-2, 2, 1), (-2, 0, 3)), start=1):
        poles.SetValue(k, gp_Pnt(x, y, 0))
        weights.SetValue(k, w)
    knots, times = Array1_double(1, 2), Array1_int(1, 2)
    for k in (1, 2):
        knots.SetValue(k, k)
        times.SetValue(k, 4)
    arc = BRepBuilderAPI_MakeEdge(Geom_BSplineCurve(poles, weights, knots, times, 3)).Edge()
    wire = BRepBuilderAPI_MakeWire(arc, BRepBuilderAPI_MakeEdge(gp_Pnt(-2, 0, 0), gp_Pnt(2, 0, 0)).Edge()).Wire()
    solid = BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(wire).Face(), gp_Vec(0, 0, 10)).Shape()
    part = load(step_bytes(BRepBuilderAPI_NurbsConvert(solid, True).Shape(), "mm"), "part.step").part
    assert part.volume_mm3 == pytest.approx(math.pi / 2 * 2 * 1 * 10, rel=1e-7)
    h = ((2 - 1) / (2 + 1)) ** 2
    girth = math.pi * (2 + 1) * (1 + 3 * h / (10 + math.sqrt(4 - 3 * h)))
    assert part.area_mm2 == pytest.approx(10 * (girth / 2 + 4) + math.pi * 2, rel=1e-6)


def test_place_and_turn_change_nothing() -> None:
    shape: CsgNode = {
        "cut": [{"fillet": {"of": {"box": [20, 30, 40]}, "r": 3, "edges": "all"}}, {"cylinder": {"d": 8, "h": 50}}]
    }
    here = model(shape).part
    there = model({"move": {"of": {"turn": {"of": shape, "axis": [1, 2, 3], "deg": 37}}, "by": [900, -700, 500]}}).part
    assert there.volume_mm3 == pytest.approx(here.volume_mm3, rel=1e-9)
    assert there.area_mm2 == pytest.approx(here.area_mm2, rel=1e-9)


@pytest.mark.parametrize("unit", ["mm", "cm", "m", "in"])
def test_units_agree(unit: str) -> None:
    part = model({"box": [50.8, 25.4, 76.2]}, unit).part
    assert part.volume_mm3 == pytest.approx(98322.384, rel=1e-6)
    assert part.size_mm == pytest.approx([50.8, 25.4, 76.2], rel=1e-6)


def test_corpus_figures(corpus: Path) -> None:
    cuboid, tet = (load((corpus / "units" / name).read_bytes(), name).part for name in ("cuboid.step", "tet.step"))
    assert cuboid.volume_mm3 == pytest.approx(98322.384, rel=1e-6)
    assert tet.volume_mm3 == pytest.approx(8000 / 3, rel=1e-6)
    first, second = (
        load((corpus / "units" / "twins" / f"base_interface_{ap}.STEP").read_bytes(), "a.step").part
        for ap in ("AP203", "AP214")
    )
    assert first.volume_mm3 == pytest.approx(second.volume_mm3, rel=1e-9)
    assert (first.source.schema, second.source.schema) == ("AP203", "AP214")
    assert first.source.length_unit == "inch"


def test_surfaces_of_a_turned_part() -> None:
    # a shaft of 20 with a 45 degree cone to 10 and a hemispherical end of 10
    recipe: CsgNode = {
        "union": [
            {"cylinder": {"d": 20, "h": 30}},
            {"move": {"of": {"cone": {"d": 20, "d2": 10, "h": 5}}, "by": [0, 0, 30]}},
            {"move": {"of": {"sphere": {"d": 10}}, "by": [0, 0, 35]}},
        ]
    }
    part = model(recipe).part
    kinds = {type(face.surface): face for face in part.faces}
    assert set(kinds) == {Plane, Cylinder, Cone, Sphere}
    assert kinds[Cylinder].surface.radius_mm == pytest.approx(10)
    assert kinds[Cylinder].convex is True
    assert kinds[Cone].surface.half_angle_deg == pytest.approx(45)
    assert kinds[Sphere].area_mm2 == pytest.approx(2 * PI * 25, rel=1e-6)
    low, high = kinds[Cylinder].u_range_rad
    assert high - low == pytest.approx(2 * PI)
    bottom, top = kinds[Cylinder].v_range_mm
    assert top - bottom == pytest.approx(30)


def test_torus_face_of_a_filleted_cylinder() -> None:
    part = model({"fillet": {"of": {"cylinder": {"d": 30, "h": 10}}, "r": 2, "edges": "all"}}).part
    tori = [face for face in part.faces if isinstance(face.surface, Torus)]
    assert [round(face.surface.minor_radius_mm, 9) for face in tori] == [2.0, 2.0]
    assert [round(face.surface.major_radius_mm, 9) for face in tori] == [13.0, 13.0]
    assert all(face.convex for face in tori)
    # Pappus: quarter circle of radius 2 whose centroid lies 4/pi beyond 13
    assert [face.area_mm2 for face in tori] == pytest.approx([2 * PI * PI * (13 + 4 / PI)] * 2, rel=1e-6)


def test_loops_are_closed_and_oriented() -> None:
    part = model(FORMS["bored plate"][0]).part
    for face in part.faces:
        for loop in face.loops:
            ends = []
            for number, backwards in zip(loop.edges, loop.reversed, strict=True):
                first, last = part.edges[number].vertices
                ends.append((last, first) if backwards else (first, last))
            assert all(a[1] == b[0] for a, b in pairwise([*ends, ends[0]]))
        if isinstance(face.surface, Plane):
            assert sum(loop.outer for loop in face.loops) == 1
        else:
            assert not any(loop.outer for loop in face.loops)


def quarter_tube() -> tuple[np.ndarray, np.ndarray, np.ndarray, int, int]:
    """A quarter of a cylinder of radius 5 and height 8 about Z as one rational piece: its poles reach out to (5, 5)."""
    root = math.sqrt(0.5)
    row = np.array([[5, 0, 0, 1], [5 * root, 5 * root, 0, root], [0, 5, 0, 1]], dtype=float)
    top = row + row[:, 3:] * np.array([0, 0, 8, 0])
    return np.array([0, 0, 0, 1, 1, 1.0]), np.array([0, 0, 1, 1.0]), np.stack([row, top], axis=1), 2, 1


@pytest.mark.parametrize(
    ("domain", "highest", "top"),
    [
        (((0, 0), (1, 1)), (5, 5, 8), (5, 5, 8)),
        (((0, 0), (1, 1)), (5, 4.9999, 8), (5, 5, 8)),
        # over the first half turn it rises to sin 45 degrees: its poles are far above that
        (((0, 0), (0.5, 1)), (5, 5 * math.sin(PI / 4), 8), (5, 5 * math.sin(PI / 4), 8)),
        (((0, 0), (0.5, 1)), (5, 5 * math.sin(PI / 4) - 1e-4, 8), (5, 5 * math.sin(PI / 4), 8)),
        (((0, 0), (1, 0.25)), (5, 5, 2), (5, 5, 2)),
        (((0, 0), (1, 0.25)), (4, 4, 1), (5, 5, 2)),
    ],
)
def test_a_spline_reaches_as_far_as_its_points_do(
    domain: tuple[tuple[float, float], tuple[float, float]],
    highest: tuple[float, float, float],
    top: tuple[float, float, float],
) -> None:
    box = np.array([(0.0, 0.0, 0.0), highest])
    proved, wider, where = reach(*quarter_tube(), np.array(domain, dtype=float), box, 1e-6)
    assert proved
    assert wider[1] == pytest.approx(top, abs=2e-8)
    assert (wider[0] == 0.0).all()
    # it says where exactly for what was widened
    assert np.array_equal(~np.isnan(where[..., 0]), wider != box)


def two_hills() -> tuple[np.ndarray, np.ndarray, np.ndarray, int, int]:
    """z = -(x^2 - 1/4)^2 - (y - 0.2)^2 over x and y from -1 to 1 as one piece; its hills are at x = 1/2 and -1/2."""
    # poles of 1, t, t^2, t^4 over t = -1 to 1: their blossoms at so many -1 and 1
    x, y = np.linspace(-1.0, 1.0, 5), np.linspace(-1.0, 1.0, 3)
    x_square, x_fourth = np.array([1.0, 0.0, -1.0 / 3.0, 0.0, 1.0]), np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    poles = np.ones((5, 3, 4))
    poles[..., 0], poles[..., 1] = x[:, None], y
    y_square = np.array([1.0, -1.0, 1.0])
    poles[..., 2] = -(x_fourth - 0.5 * x_square + 0.0625)[:, None] - (y_square - 0.4 * y + 0.04)
    return np.repeat([0.0, 1.0], 5), np.repeat([0.0, 1.0], 3), poles, 4, 2


def test_every_hill_of_a_spline_has_a_top() -> None:
    domain, box = np.array([(0.0, 0.0), (1.0, 1.0)]), np.array([(-1.0, -1.0, -9.0), (1.0, 1.0, -0.01)])
    tops = hill_tops(*two_hills(), domain, box, 1e-6)
    left = tops[:, 0] < 0.5
    assert 0 < left.sum() < len(left)
    assert tops[:, 0] == pytest.approx(np.where(left, 0.25, 0.75), abs=0.04)
    assert tops[:, 1] == pytest.approx(0.6, abs=0.04)
    box[1, 2] = 0.0
    assert not len(hill_tops(*two_hills(), domain, box, 1e-6))


def test_a_spline_whose_top_is_drilled_away_ends_at_the_rim() -> None:
    ball = {"turn": {"of": {"sphere": {"d": 20}}, "axis": [1, 0, 0], "deg": 90}}
    cap = {"common": [ball, {"move": {"of": {"box": [40, 40, 40]}, "by": [-20, -20, 6]}}]}
    box = model({"splines": {"of": {"cut": [cap, {"cylinder": {"d": 4, "h": 20}}]}}}).part.box
    assert box[1, 2] == pytest.approx(math.sqrt(100 - 4), abs=1e-6)
    # drilled beside its top it still has that
    aside = {"move": {"of": {"cylinder": {"d": 4, "h": 20}}, "by": [4, 0, 0]}}
    box = model({"splines": {"of": {"cut": [cap, aside]}}}).part.box
    assert box[1, 2] == pytest.approx(10.0, abs=1e-6)


def test_tops_of_splines_inside_a_face() -> None:
    turned = {"turn": {"of": {"sphere": {"d": 20}}, "axis": [1, 2, 3], "deg": 40}}
    box = model({"splines": {"of": turned}}).part.box
    assert box == pytest.approx(np.array([[-10.0] * 3, [10.0] * 3]), abs=1e-7)
    # of the same ball only a cap that looks obliquely up: its rim reaches farthest sideways, its middle upwards
    cap = {"common": [{"sphere": {"d": 20}}, {"move": {"of": {"box": [40, 40, 40]}, "by": [-20, -20, 6]}}]}
    box = model({"splines": {"of": {"turn": {"of": cap, "axis": [0, 1, 0], "deg": 30}}}}).part.box
    assert box[1, 2] == pytest.approx(10.0, abs=1e-7)
    assert box[1, 0] - 6 * math.sin(PI / 6) == pytest.approx(8 * math.cos(PI / 6), abs=1e-6)
    assert box[:, 1] == pytest.approx([-8.0, 8.0], abs=1e-6)
