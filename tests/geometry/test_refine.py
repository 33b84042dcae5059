"""Refined meshes: bounded edges, points and normals on the true surfaces, watertight as before."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from math import pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.BRepBuilderAPI import BRepBuilderAPI_GTransform
from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere
from OCP.gp import gp_GTrsf

from fettle.errors import TooDetailed
from fettle.geometry.csg import build
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.load import Model, load
from fettle.geometry.mesh import MAX_TRIANGLES, Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.meshing.weld import open_edges
from fettle.geometry.part import Cylinder, Plane

CROSSED = {
    "cut": [
        {"box": [40, 30, 20]},
        {"move": {"of": {"cylinder": {"d": 8, "h": 20}}, "by": [15, 15, 0]}},
        {
            "move": {
                "of": {"turn": {"of": {"cylinder": {"d": 6, "h": 40}}, "axis": [0, 1, 0], "deg": 90}},
                "by": [0, 15, 10],
            }
        },
    ]
}
ROUNDS: dict[str, dict[str, object]] = {
    "cylinder": {"cylinder": {"d": 20, "h": 30}},
    "cone": {"cone": {"d": 20, "d2": 10, "h": 30}},
    "sphere": {"sphere": {"d": 20}},
    "torus": {"torus": {"D": 40, "d": 10}},
}
OPTIONS = MeshOptions(max_edge_mm=1.0)


@cache
def model(name: str) -> Model:
    recipe = ROUNDS.get(name, CROSSED if name == "crossed" else {"box": [40, 30, 20]})
    return load(build(recipe), "part.step", MeshOptions())


@cache
def refined(name: str) -> Mesh:
    found = model(name)
    return refine(found.mesh, found.part, OPTIONS)


def side_lengths(mesh: Mesh) -> NDArray[np.float64]:
    corners = mesh.points[mesh.triangles]
    return np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)


def volume_mm3(mesh: Mesh) -> float:
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("name", ["box", "crossed", *ROUNDS])
def test_no_edge_is_longer_than_asked_and_the_mesh_stays_closed(name: str) -> None:
    mesh = refined(name)
    assert side_lengths(mesh).max() <= 1.0
    assert len(open_edges(mesh.welded)) == 0
    assert mesh.max_edge_mm == 1.0
    first = np.unique(mesh.vertex, return_index=True)[1]
    np.testing.assert_array_equal(mesh.points, mesh.points[first][mesh.vertex])
    np.testing.assert_array_equal(mesh.point_face[mesh.triangles], np.repeat(mesh.triangle_face[:, None], 3, axis=1))


def test_an_edge_is_divided_into_the_fewest_equal_parts() -> None:
    """21, 25 and 52 mm by edges of 10 at most: 3 of 7, 3 of 8.33 and 6 of 8.67."""
    found = load(build({"box": [21, 25, 52]}), "part.step", MeshOptions())
    mesh = refine(found.mesh, found.part, MeshOptions(max_edge_mm=10.0))
    for axis, (length, parts) in enumerate(((21.0, 3), (25.0, 3), (52.0, 6))):
        along = mesh.points[(np.abs(np.delete(mesh.points, axis, axis=1)) < 1e-9).all(axis=1), axis]
        assert np.unique(along.round(9)) == pytest.approx(np.arange(parts + 1) * length / parts)


def test_planar_faces_keep_their_area() -> None:
    mesh = refined("box")
    areas = np.bincount(mesh.triangle_face, weights=mesh.triangle_areas_mm2())
    assert sorted(areas) == pytest.approx([600.0] * 2 + [800.0] * 2 + [1200.0] * 2, rel=1e-12)
    assert volume_mm3(mesh) == pytest.approx(24000.0, rel=1e-12)


@pytest.mark.parametrize("name", ["box", "crossed", *ROUNDS])
def test_the_fewest_triangles_cover_the_same_faces(name: str) -> None:
    mesh, count = refined(name), len(model(name).part.faces)
    fewest = mesh.coarse()
    fine_mm2, few_mm2 = (np.bincount(m.triangle_face, m.triangle_areas_mm2(), count) for m in (mesh, fewest))
    assert few_mm2 == pytest.approx(fine_mm2, rel=1e-9)
    assert np.array_equal(fewest.points, mesh.points)


def test_planes_stay_undivided_unless_a_curved_edge_was_divided() -> None:
    """A box has two triangles a side. Around a hole whose chords are shorter than asked a side has as many triangles as
    corners (Euler). The ends of a cylinder of 20 mm have longer ones, and their new points lie outside of them."""
    assert len(refined("box").coarse().triangles) == 12
    base, fewest = model("crossed").mesh, refined("crossed").coarse()
    for index, face in enumerate(model("crossed").part.faces):
        if isinstance(face.surface, Plane):
            corners = int((base.point_face == index).sum())
            assert (fewest.triangle_face == index).sum() == (2 if corners == 4 else corners)
    rod = refined("cylinder")
    assert np.array_equal(rod.coarse().triangles, rod.triangles)


def test_triangles_on_a_plane_are_well_shaped() -> None:
    mesh = refined("box")
    quality = 4.0 * sqrt(3.0) * mesh.triangle_areas_mm2() / (side_lengths(mesh) ** 2).sum(axis=1)
    assert np.median(quality) > 0.8  # 1 is equilateral
    assert quality.min() > 0.3


def off_surface(name: str, p: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Distance from the round face and its outward normal, by the formula of the solid."""
    x, y, z = p.T
    radius = np.hypot(x, y)
    outward = np.column_stack((x / radius, y / radius, np.zeros_like(x))) if name != "sphere" else p / 10.0
    if name == "cylinder":
        return radius - 10.0, outward
    if name == "cone":
        # the radius falls by 5 on 30: the normal leans up by that slope
        slope = np.array([0.0, 0.0, 5.0 / 30.0])
        return (radius - (10.0 - z * 5.0 / 30.0)) / sqrt(1 + slope[2] ** 2), (outward + slope) / sqrt(1 + slope[2] ** 2)
    if name == "sphere":
        return np.linalg.norm(p, axis=1) - 10.0, outward
    off = np.column_stack((radius - 20.0, z))
    unit = off / np.linalg.norm(off, axis=1)[:, None]
    return np.linalg.norm(off, axis=1) - 5.0, outward * unit[:, :1] + unit[:, 1:] * np.array([0.0, 0.0, 1.0])


@pytest.mark.parametrize("name", ROUNDS)
def test_points_and_normals_lie_on_the_true_surface(name: str) -> None:
    mesh = refined(name)
    round_faces = [f for f, face in enumerate(model(name).part.faces) if not isinstance(face.surface, Plane)]
    rows = np.isin(mesh.point_face, round_faces)
    distance, normal = off_surface(name, mesh.points[rows])
    assert np.abs(distance).max() < 1e-9
    np.testing.assert_allclose(mesh.normals[rows], normal, atol=1e-9)


def test_edge_between_two_holes_lies_on_both() -> None:
    mesh, part = refined("crossed"), model("crossed").part
    holes = [f for f, face in enumerate(part.faces) if isinstance(face.surface, Cylinder)]
    upright = [f for f in holes if part.faces[f].surface.radius_mm == pytest.approx(4.0)]
    across = [f for f in holes if part.faces[f].surface.radius_mm == pytest.approx(3.0)]
    shared = np.intersect1d(
        mesh.vertex[np.isin(mesh.point_face, upright)], mesh.vertex[np.isin(mesh.point_face, across)]
    )
    assert len(shared) > 40
    points = mesh.points[np.unique(mesh.vertex, return_index=True)[1]][shared]
    np.testing.assert_allclose(np.hypot(points[:, 0] - 15.0, points[:, 1] - 15.0), 4.0, atol=1e-6)
    np.testing.assert_allclose(np.hypot(points[:, 1] - 15.0, points[:, 2] - 10.0), 3.0, atol=1e-6)


@pytest.mark.parametrize("curvature", [12.0, 24.0, 60.0])
@pytest.mark.parametrize("name", ["sphere", "torus"])
def test_no_edge_of_a_curved_face_turns_by_more_than_an_element(name: str, curvature: float) -> None:
    options = MeshOptions(max_edge_mm=100.0, curvature=curvature)
    found = load(build(ROUNDS[name]), "part.step", options)
    mesh = refine(found.mesh, found.part, options)
    normals = mesh.normals[mesh.triangles]
    cosines = np.einsum("ijk,ijk->ij", normals, np.roll(normals, -1, axis=1))
    assert np.degrees(np.arccos(np.clip(cosines.min(), -1, 1))) <= 1.002 * 360.0 / curvature


def test_points_on_a_freeform_face_are_off_by_far_less_than_chords_would_be() -> None:
    stretch = gp_GTrsf()
    stretch.SetValue(1, 1, 2.0)
    stretch.SetValue(2, 2, 1.5)
    ellipsoid = BRepBuilderAPI_GTransform(BRepPrimAPI_MakeSphere(10.0).Shape(), stretch, True).Shape()
    found = load(step_bytes(ellipsoid, "mm"), "part.step", MeshOptions())
    mesh = refine(found.mesh, found.part, MeshOptions(max_edge_mm=0.5))
    off_mm = np.abs(np.linalg.norm(mesh.points / [20.0, 15.0, 10.0], axis=1) - 1.0) * 10.0
    # an element of a 24th of a turn at the mean radius of 15 mm rises by 15 (1 - cos 7.5 deg) over its chord
    chord_rise_mm = 15.0 * (1.0 - np.cos(pi / 24.0))
    assert np.quantile(off_mm, 0.99) < chord_rise_mm / 10.0


def test_facets_of_a_mesh_file_are_divided_and_not_bent() -> None:
    found = model("cylinder")
    part = replace(found.part, source=replace(found.part.source, exact=False))
    mesh = refine(found.mesh, part, OPTIONS)
    assert side_lengths(mesh).max() <= 1.0
    assert volume_mm3(mesh) == pytest.approx(volume_mm3(found.mesh), rel=1e-9)


def test_edge_shared_by_four_triangles_is_split_in_all_of_them() -> None:
    corner = {"move": {"of": {"box": [10, 10, 10]}, "by": [10, 10, 0]}}
    found = load(build({"bodies": [{"box": [10, 10, 10]}, corner]}), "part.step", MeshOptions())
    welded = np.unique(found.mesh.points, axis=0, return_inverse=True)[1].astype(np.int32)
    assert int(welded.max()) + 1 == 14
    mesh = refine(replace(found.mesh, vertex=welded), found.part, OPTIONS)
    assert len(open_edges(mesh.welded)) == 0
    on_edge = np.unique(mesh.vertex[(mesh.points[:, 0] == 10.0) & (mesh.points[:, 1] == 10.0)])
    heights = np.unique(mesh.points[np.isin(mesh.vertex, on_edge), 2])
    assert len(on_edge) == len(heights)


@pytest.mark.parametrize("size", [[1, 1, 1], [300, 300, 300], [200, 200, 2], [300, 3, 3], [3000, 2000, 1000]])
def test_auto_gives_twenty_to_two_hundred_thousand_triangles_at_any_size(size: list[float]) -> None:
    found = load(build({"box": size}), "part.step", MeshOptions())
    assert 20_000 <= len(refine(found.mesh, found.part, MeshOptions()).triangles) <= 200_000


def test_scaling_a_part_scales_its_mesh() -> None:
    small, large = (load(build({"scale": {"of": CROSSED, "by": by}}), "part.step", MeshOptions()) for by in (1, 8))
    first, second = (refine(found.mesh, found.part, MeshOptions()) for found in (small, large))
    assert second.max_edge_mm == pytest.approx(8.0 * first.max_edge_mm, rel=1e-9)
    assert len(second.triangles) == pytest.approx(len(first.triangles), rel=0.02)


def test_same_input_gives_the_same_mesh() -> None:
    found = model("crossed")
    again = refine(found.mesh, found.part, OPTIONS)
    for field in ("points", "normals", "point_face", "vertex", "triangles", "triangle_face"):
        np.testing.assert_array_equal(getattr(refined("crossed"), field), getattr(again, field))


@pytest.mark.parametrize("max_edge_mm", [0.001, 0.1])
def test_too_fine_a_mesh_is_refused_with_a_length_that_works(max_edge_mm: float) -> None:
    found = model("box")
    with pytest.raises(TooDetailed, match="coarser max_edge") as refusal:
        refine(found.mesh, found.part, MeshOptions(max_edge_mm=max_edge_mm))
    remedy = re.search(r"coarser max_edge, ([\d.]+) mm", str(refusal.value))
    assert remedy is not None
    assert len(refine(found.mesh, found.part, MeshOptions(max_edge_mm=float(remedy[1]))).triangles) <= MAX_TRIANGLES
