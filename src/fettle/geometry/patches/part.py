"""A glTF file to a `Part` and its base `Mesh`: what is read from STEP, fitted to triangles instead."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.gltf.reader import read_triangles
from fettle.geometry.mesh import Mesh
from fettle.geometry.part import (
    Body,
    Cone,
    Cylinder,
    Edge,
    Face,
    Freeform,
    Part,
    Plane,
    Shell,
    Source,
    Sphere,
    Surface,
    Torus,
)
from fettle.geometry.patches.algebra import across
from fettle.geometry.patches.base_mesh import build_mesh
from fettle.geometry.patches.borders import as_loops, find_edges, find_loops, outer_loop
from fettle.geometry.patches.primitives import Kind, evaluate
from fettle.geometry.patches.shells import ClosedMesh, close_shells
from fettle.geometry.patches.split import Patches, find_patches

Array = NDArray[np.float64]
_NO_RANGE = (math.nan, math.nan)
_FULL_TURN = 2.0 * math.pi


def read_gltf(data: bytes, filename: str, units: str = "m") -> tuple[Part, Mesh]:
    """Part and base mesh of a .glb or .gltf file; `units` says what one unit of the file is."""
    triangles = read_triangles(data, filename, units)
    closed = close_shells(triangles.corners)
    patches = find_patches(closed)
    mesh = build_mesh(patches)
    form = "GLB" if PurePath(filename).suffix.lower() == ".glb" else "glTF"
    warnings = (*triangles.warnings, *closed.warnings)
    source = Source(form, triangles.schema, units, exact=False, warnings=warnings)
    return _part(patches, mesh, closed, source), mesh


def _part(patches: Patches, mesh: Mesh, closed: ClosedMesh, source: Source) -> Part:
    edges = find_edges(patches, mesh)
    count = len(patches.kinds)
    order = np.argsort(patches.triangle_patch, kind="stable")
    starts = np.searchsorted(patches.triangle_patch[order], np.arange(count + 1))
    members = [order[a:b] for a, b in pairwise(starts.tolist())]
    loops = find_loops(edges, count)
    faces = tuple(_face(patches, closed, edges, number, (members[number], loops[number])) for number in range(count))
    shells = tuple(
        Shell(tuple(k for k, face in enumerate(faces) if face.shell == number), True, float(volume))
        for number, volume in enumerate(closed.volumes_mm3)
    )
    bodies = tuple(_body(closed, shells, faces, number) for number in range(int(closed.bodies.max()) + 1))
    return Part(
        faces=faces,
        edges=edges,
        shells=shells,
        bodies=bodies,
        volume_mm3=sum(body.volume_mm3 for body in bodies),
        area_mm2=sum(body.area_mm2 for body in bodies),
        box=_frozen(np.array([closed.points.min(axis=0), closed.points.max(axis=0)])),
        watertight=True,
        source=source,
    )


def _body(closed: ClosedMesh, shells: tuple[Shell, ...], faces: tuple[Face, ...], number: int) -> Body:
    own = np.flatnonzero(closed.bodies == number).tolist()
    outer = next(shell for shell in own if shells[shell].volume_mm3 > 0)
    return Body(
        outer_shell=outer,
        void_shells=tuple(shell for shell in own if shell != outer),
        volume_mm3=sum(shells[shell].volume_mm3 for shell in own),
        area_mm2=sum(faces[face].area_mm2 for shell in own for face in shells[shell].faces),
    )


def _face(
    patches: Patches,
    closed: ClosedMesh,
    edges: tuple[Edge, ...],
    number: int,
    own: tuple[NDArray[np.int64], list[tuple[list[int], list[bool]]]],
) -> Face:
    triangles, loops = own
    net = patches.net
    corners = net.points[net.triangles[triangles]]
    areas = net.areas[triangles]
    middles = corners.mean(axis=1)
    vectors = (net.normals[triangles] * areas[:, None]).sum(axis=0)
    kind, primitive = int(patches.kinds[number]), patches.primitives[number]
    largest = int(np.argmax(areas))
    point, normal = middles[largest], net.normals[triangles[largest]]
    convex = None
    if kind != Kind.FREEFORM:
        away, exact = evaluate(kind, primitive, point[None])
        point = point - away[0] * exact[0]
        facing = 1.0 if float(exact[0] @ normal) > 0 else -1.0
        normal = exact[0] * facing
        convex = None if kind == Kind.PLANE else facing > 0
    surface = _surface(patches, triangles, kind, primitive, normal)
    u_range, wraps = _turn(kind, primitive, corners)
    outer = -1
    if loops and not (wraps and len(loops) > 1):
        outer = outer_loop(loops, edges, vectors)
    shell = int(closed.triangle_shell[triangles[0]])
    flat = corners.reshape(-1, 3)
    return Face(
        surface=surface,
        area_mm2=float(areas.sum()),
        convex=convex,
        loops=as_loops(loops, outer),
        shell=shell,
        body=int(closed.bodies[shell]),
        point=_frozen(point),
        normal=_frozen(normal),
        centroid=_frozen(np.average(middles, axis=0, weights=areas)),
        u_range_rad=u_range,
        v_range_mm=_reach(kind, primitive, flat),
        box=_frozen(np.array([flat.min(axis=0), flat.max(axis=0)])),
    )


def _surface(patches: Patches, triangles: NDArray[np.int64], kind: int, primitive: Array, normal: Array) -> Surface:
    center, axis = _frozen(primitive[:3].copy()), _frozen(primitive[3:6].copy())
    first, second = float(primitive[6]), float(primitive[7])
    match kind:
        case Kind.PLANE:
            return Plane(center, _frozen(normal.copy()))
        case Kind.CYLINDER:
            return Cylinder(center, axis, first)
        case Kind.CONE:
            return Cone(center, axis, first, math.degrees(second))
        case Kind.SPHERE:
            return Sphere(center, first)
        case Kind.TORUS:
            return Torus(center, axis, first, second)
        case _:
            return Freeform("mesh", *_radii(patches, triangles))


def _radii(patches: Patches, triangles: NDArray[np.int64]) -> tuple[float, float]:
    """Smallest and largest radius of curvature, from the turn between neighbours and the distance of their centres."""
    net = patches.net
    left, right = np.repeat(triangles, 3), net.neighbours[triangles].ravel()
    inside = patches.triangle_patch[left] == patches.triangle_patch[right]
    left, right = left[inside], right[inside]
    if not len(left):
        return math.inf, math.inf
    turn = np.arccos(np.clip(np.einsum("ij,ij->i", net.normals[left], net.normals[right]), -1.0, 1.0))
    apart = np.linalg.norm(
        net.points[net.triangles[left]].mean(axis=1) - net.points[net.triangles[right]].mean(axis=1), axis=1
    )
    radius = np.where(turn > 1e-4, apart / np.maximum(turn, 1e-12), math.inf)
    return float(radius.min()), float(radius.max())


def _turn(kind: int, primitive: Array, corners: Array) -> tuple[tuple[float, float], bool]:
    """Angular range about the axis, and whether the face goes all the way round. corners: (m, 3, 3)."""
    if kind in {Kind.PLANE, Kind.FREEFORM}:
        return _NO_RANGE, False
    u, v = across(primitive[3:6])
    local = corners - primitive[:3]
    angles = np.arctan2(local @ v, local @ u)
    # a corner on the axis has no angle; the triangle's other corners stand for it
    off_axis = np.hypot(local @ u, local @ v) > 1e-9
    ranked = np.sort(angles[off_axis])
    gaps = np.diff(ranked, append=ranked[0] + _FULL_TURN)
    widest = int(np.argmax(gaps))
    middle = ranked[widest] + 0.5 * gaps[widest]
    around = np.where(off_axis, (angles - middle + math.pi) % _FULL_TURN - math.pi, 0.0)
    spans = (around.min(axis=1) < 0) & (around.max(axis=1) > 0) & (np.ptp(around, axis=1) < math.pi)
    if bool(spans[off_axis.all(axis=1)].any()):
        return (float(ranked[0]), float(ranked[0]) + _FULL_TURN), True
    low = float(ranked[(widest + 1) % len(ranked)])
    return (low, low + _FULL_TURN - float(gaps[widest])), False


def _reach(kind: int, primitive: Array, corners: Array) -> tuple[float, float]:
    """Range along the axis from the surface's origin (cylinder, cone)."""
    if kind not in {Kind.CYLINDER, Kind.CONE}:
        return _NO_RANGE
    along = (corners - primitive[:3]) @ primitive[3:6]
    return float(along.min()), float(along.max())


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
