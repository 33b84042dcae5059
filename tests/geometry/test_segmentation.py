"""Mesh parts: what patches recover from the bare triangles of parts whose faces are known by construction."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks.segmentation import compare, rounded
from fettle.geometry.csg import build
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.weld import open_edges
from fettle.geometry.part import Circle, Convexity, Cylinder, Line, Part, Sphere, Torus
from fettle.geometry.surfaces.linear_algebra import least_axis

DRILLED: dict[str, Any] = {
    "cut": [
        {"box": [60, 40, 20]},
        {"move": {"of": {"cylinder": {"d": 8, "h": 30}}, "by": [15, 20, -5]}},
        {"move": {"of": {"cylinder": {"d": 12, "h": 30}}, "by": [40, 20, 10]}},
    ]
}
FILLETED = {"fillet": {"of": {"fillet": {"of": DRILLED, "r": 3, "edges": "z"}}, "r": 2, "edges": [[30, 0, 20]]}}
TURNED = {"revolve": {"points": [[0, 0], [20, 0], [20, 10], [12, 22], [12, 40], [0, 40]]}}
PARTS: dict[str, dict[str, Any]] = {
    "drilled": DRILLED,
    "filleted": FILLETED,
    "turned": TURNED,
    "ball": {"union": [{"sphere": {"d": 30}}, {"cylinder": {"d": 10, "h": 40}}]},
    "ring": {"torus": {"D": 40, "d": 10}},
    "countersunk": {
        "cut": [
            {"box": [30, 30, 10]},
            {"move": {"of": {"cylinder": {"d": 6, "h": 30}}, "by": [15, 15, -5]}},
            {"move": {"of": {"cone": {"d": 6, "d2": 12, "h": 3}}, "by": [15, 15, 7]}},
        ]
    },
}


@cache
def mesh_part(name: str) -> tuple[Part, Mesh]:
    model = load(write_glb(load(build(PARTS[name]), "part.step").mesh), "part.glb")
    return model.part, model.mesh


def kinds(part: Part) -> Counter[str]:
    return Counter(type(face.surface).__name__ for face in part.faces)


@pytest.mark.parametrize("turn", [12.6, 60.0])
@pytest.mark.parametrize("name", ["filleted", "turned", "countersunk"])
def test_at_any_density(name: str, turn: float) -> None:
    """Half a radian and a tenth of one between elements."""
    assert compare(load(build(PARTS[name]), "part.step", MeshOptions(curvature=turn))).right >= 0.95


@pytest.mark.parametrize("name", ["drilled", "filleted", "ball"])
def test_on_a_grid_of_14_bits(name: str) -> None:
    assert compare(rounded(load(build(PARTS[name]), "part.step"), 14)).right >= 0.95


def test_the_least_axis_is_the_plane_of_the_points() -> None:
    """Points of a plane tilted by two degrees, spread nearly evenly: where sweeps by the larger angle go round."""
    normal = np.array([np.cos(np.radians(2.0)), 0.0, -np.sin(np.radians(2.0))])
    along = np.array([np.sin(np.radians(2.0)), 0.0, np.cos(np.radians(2.0))])
    grid = np.random.default_rng(3).uniform(-100.0, 100.0, (60, 2))
    points = grid[:, :1] * along + grid[:, 1:] * [0.0, 1.0, 0.0]
    centered = points - points.mean(axis=0)
    assert abs(float(least_axis(centered.T @ centered) @ normal)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", PARTS)
def test_at_least_95_percent_of_the_area_is_right(name: str) -> None:
    score = compare(load(build(PARTS[name]), "part.step"))
    assert score.right >= 0.95
    assert score.analytic > 0.95


def test_a_drilled_block_has_nine_faces_and_its_holes() -> None:
    """Six sides, a through hole, a blind hole and its floor; 12 straight edges and 4 circles."""
    part, _ = mesh_part("drilled")
    assert kinds(part) == {"Plane": 7, "Cylinder": 2}
    assert len(part.edges) == 12 + 4
    holes = sorted((f for f in part.faces if isinstance(f.surface, Cylinder)), key=lambda f: f.surface.radius_mm)
    assert [f.surface.radius_mm for f in holes] == pytest.approx([4.0, 6.0], rel=1e-5)
    assert [f.convex for f in holes] == [False, False]
    assert [f.v_range_mm[1] - f.v_range_mm[0] for f in holes] == pytest.approx([20.0, 10.0], rel=1e-5)
    assert all(f.u_range_rad[1] - f.u_range_rad[0] == pytest.approx(2 * math.pi) for f in holes)
    assert all(not loop.outer for f in holes for loop in f.loops)
    circles = sorted(e.curve.radius_mm for e in part.edges if isinstance(e.curve, Circle))
    assert circles == pytest.approx([4.0, 4.0, 6.0, 6.0], rel=1e-5)
    lines = [e for e in part.edges if isinstance(e.curve, Line)]
    assert sorted(e.length_mm for e in lines) == pytest.approx([20] * 4 + [40] * 4 + [60] * 4, rel=1e-6)
    concave = [e for e in part.edges if e.convexity is Convexity.CONCAVE]
    assert [e.angle_deg for e in concave] == pytest.approx([270.0], abs=0.01)
    assert [e.angle_deg for e in part.edges if e.convexity is Convexity.CONVEX] == pytest.approx([90.0] * 15, abs=0.01)


def test_top_of_the_drilled_block_has_one_outer_loop_and_two_holes() -> None:
    part, _ = mesh_part("drilled")
    loops = sorted((sorted(loop.outer for loop in face.loops) for face in part.faces), key=len)
    assert loops[-1] == [False, False, True]
    for face in part.faces:
        for loop in face.loops:
            ends = [
                part.edges[e].vertices[::-1] if back else part.edges[e].vertices
                for e, back in zip(loop.edges, loop.reversed, strict=True)
            ]
            assert all(one[1] == following[0] for one, following in zip(ends, ends[1:] + ends[:1], strict=True))


def test_fillets_between_planes_are_cylinders_with_smooth_edges() -> None:
    """Four corner rounds of 3 mm, four rounds of 2 mm along the top, four torus corners between them."""
    part, _ = mesh_part("filleted")
    rounds = [f.surface.radius_mm for f in part.faces if isinstance(f.surface, Cylinder) and f.convex]
    assert sorted(rounds) == pytest.approx([2.0] * 4 + [3.0] * 4, rel=1e-3)
    corners = [f.surface for f in part.faces if isinstance(f.surface, Torus)]
    assert [s.minor_radius_mm for s in corners] == pytest.approx([2.0] * 4, rel=1e-3)
    assert [s.major_radius_mm for s in corners] == pytest.approx([1.0] * 4, rel=1e-3)
    assert sum(e.convexity is Convexity.SMOOTH for e in part.edges) >= 20


def test_sphere_and_torus() -> None:
    ball, _ = mesh_part("ball")
    spheres = [f.surface for f in ball.faces if isinstance(f.surface, Sphere)]
    assert [s.radius_mm for s in spheres] == pytest.approx([15.0], rel=1e-4)
    ring, _ = mesh_part("ring")
    assert kinds(ring) == {"Torus": 1}
    torus = ring.faces[0].surface
    assert isinstance(torus, Torus)
    assert (torus.major_radius_mm, torus.minor_radius_mm) == pytest.approx((20.0, 5.0), rel=1e-4)
    assert ring.faces[0].loops == ()


@pytest.mark.parametrize("name", PARTS)
def test_the_mesh_is_watertight_and_its_normals_are_the_surfaces(name: str) -> None:
    part, mesh = mesh_part(name)
    assert len(open_edges(mesh.welded)) == 0
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0)
    for face in range(len(part.faces)):
        surface = part.faces[face].surface
        if isinstance(surface, Sphere):
            rows = mesh.point_face == face
            radial = (mesh.points[rows] - surface.center) / surface.radius_mm
            assert mesh.normals[rows] == pytest.approx(radial, abs=1e-4)
    areas = [f.area_mm2 for f in part.faces]
    assert areas == sorted(areas, reverse=True)
    assert sum(areas) == pytest.approx(part.area_mm2)
    assert part.source.exact is False


def test_same_bytes_same_part() -> None:
    glb = write_glb(load(build(DRILLED), "part.step").mesh)
    first, second = load(glb, "a.glb"), load(glb, "a.glb")
    assert first.mesh.points.tobytes() == second.mesh.points.tobytes()
    assert first.mesh.normals.tobytes() == second.mesh.normals.tobytes()
    assert [e.faces for e in first.part.edges] == [e.faces for e in second.part.edges]
