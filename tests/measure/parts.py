"""Parts for the tests of measurements, as CSG trees in mm, and functions that mesh and measure them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.part import Part
from fettle.measure.access import SIDE_MILLING_DEG, measure_access
from fettle.measure.context import MeasureContext, prepare
from fettle.measure.draft import measure_draft
from fettle.measure.pull import choose_pull, parse_pull
from fettle.measure.readings import Access, Draft, Method, Pull, WallField
from fettle.measure.thickness import INTO_MATERIAL, OUT_OF_MATERIAL, measure_walls
from fettle.measure.visibility import Visibility

CsgTree = dict[str, Any]


def box(x: float, y: float, z: float, at: tuple[float, float, float] = (0, 0, 0)) -> CsgTree:
    return {"move": {"of": {"box": [x, y, z]}, "by": list(at)}}


def rod(d: float, length: float, along: str, at: tuple[float, float, float]) -> CsgTree:
    """A cylinder that starts at `at` and runs along +x, +y or +z."""
    cylinder: CsgTree = {"cylinder": {"d": d, "h": length}}
    if along == "x":
        cylinder = {"turn": {"of": cylinder, "axis": [0, 1, 0], "deg": 90}}
    if along == "y":
        cylinder = {"turn": {"of": cylinder, "axis": [1, 0, 0], "deg": -90}}
    return {"move": {"of": cylinder, "by": list(at)}}


def field_of(values: NDArray[np.float64]) -> WallField:
    """A field of these readings (n,), nan for none."""
    method = np.where(np.isnan(values), Method.NONE, Method.RAY).astype(np.int8)
    return WallField(values, values, values, method, np.full(len(values), -1, np.int32))


def tilted(of: CsgTree) -> CsgTree:
    """The part rotated about an oblique axis."""
    return {"turn": {"of": of, "axis": [1, 2, 3], "deg": 37}}


def tilt(vector: tuple[float, float, float]) -> NDArray[np.float64]:
    """A vector rotated as `tilted` rotates a part."""
    return rotated_by(vector, (1, 2, 3), 37.0)


def rotated_by(
    vector: tuple[float, float, float], around: tuple[float, float, float], deg: float
) -> NDArray[np.float64]:
    """A vector rotated around an axis, by Rodrigues' formula."""
    axis, v, angle = np.array(around) / np.linalg.norm(around), np.array(vector), np.radians(deg)
    turned: NDArray[np.float64] = (
        v * np.cos(angle) + np.cross(axis, v) * np.sin(angle) + axis * (axis @ v) * (1.0 - np.cos(angle))
    )
    return turned


CUP: CsgTree = {"shell": {"of": {"box": [40, 40, 30]}, "t": 2, "open": [[20, 20, 30]]}}


@cache
def _prepared(tree: str, max_edge_mm: float | None, curvature: float | None) -> MeasureContext:
    options = MeshOptions(max_edge_mm, curvature)
    model = load(build(json.loads(tree)), "part.step", options)
    return prepare(model.part, refine(model.mesh, model.part, options))


def context(tree: CsgTree, max_edge_mm: float | None = None, curvature: float | None = None) -> MeasureContext:
    """The part of a CSG tree, meshed and prepared for measurement; cached."""
    return _prepared(json.dumps(tree), max_edge_mm, curvature)


def thickness(on: MeasureContext) -> WallField:
    return measure_walls(on, INTO_MATERIAL)


def clearance(on: MeasureContext) -> WallField:
    return measure_walls(on, OUT_OF_MATERIAL)


def visibility(on: MeasureContext) -> Visibility:
    return Visibility(on, SIDE_MILLING_DEG)


def draft(on: MeasureContext, pull: str) -> Draft:
    direction = parse_pull(pull)
    assert not isinstance(direction, str)
    return measure_draft(on, visibility(on), direction, 0.5, 3.0)


def pull(on: MeasureContext, option: str) -> Pull:
    return choose_pull(on, visibility(on), parse_pull(option), 0.5, 3.0)


def access(on: MeasureContext, along: str = "0,0,1") -> Access:
    direction = parse_pull(along)
    assert not isinstance(direction, str)
    return measure_access(on, visibility(on), direction)


def normals_near(mesh: Mesh, normal: tuple[float, float, float]) -> NDArray[np.bool_]:
    """Mask (n,) of the points with the given normal."""
    near: NDArray[np.bool_] = mesh.normals @ np.asarray(normal, float) > 1.0 - 1e-9
    return near


def face_at(part: Part, point: tuple[float, float, float], normal: tuple[float, float, float]) -> int:
    """Number of the plane face through a point with that normal."""
    for number, face in enumerate(part.faces):
        aligned = float(face.normal @ np.asarray(normal, float)) > 1.0 - 1e-6
        if aligned and abs(float((face.point - np.asarray(point, float)) @ face.normal)) < 1e-6:
            return number
    raise AssertionError(f"no face at {point}")
