"""Axis-aligned boxes of kernel shapes.

The kernel's exact box asks every face and takes longer than reading the file. Here the mesh says where the extremes
are, and only what may reach beyond it is looked at: arcs in closed form, tops of spheres and tori, and those pieces of
splines that the hulls of their poles do not prove to stay inside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepClass import BRepClass_FaceClassifier
from OCP.gp import gp_Pnt2d
from OCP.TopAbs import TopAbs_IN, TopAbs_ON
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from fettle.geometry.exact.face_meshes import FaceMeshes
from fettle.geometry.exact.spline_bounds import hill_tops, reach
from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.freeform import Spline
from fettle.geometry.kernel.surfaces import FaceSample
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.kernel.trim_gaps import has_no_trims
from fettle.geometry.part import Sphere, Surface, Torus
from fettle.geometry.surfaces.encoding import PLANE, SPHERE, TORUS
from fettle.geometry.surfaces.frames import axis_frame

Array = NDArray[np.float64]

RESOLUTION_MM = 1e-6
"""The kernel widens its boxes by a tenth of this; nothing below it is looked for."""

UV_TOLERANCE = 1e-9
_ON_FACE = (TopAbs_IN, TopAbs_ON)

ABOVE = 4.0
"""How far above its triangles the top of a round face may lie, in deflections."""

_TOP_POINTS = 48


def loose_box(topology: Topology, kinds: NDArray[np.int8]) -> Array:
    """Shape (2, 3): encloses the faces of a shape, cheap, and far too large around splines; kinds (faces,): of their
    surfaces."""
    box = Bnd_Box()
    straight: set[int] = set()
    for number, (face, wires, kind) in enumerate(zip(topology.faces, topology.wires, kinds.tolist(), strict=True)):
        if not wires or (kind != PLANE and not has_no_trims(topology, number)):
            BRepBndLib.Add_s(face, box, False)
        elif kind == PLANE:
            straight.update(use.number for wire in wires for use in wire)
        elif kind in (SPHERE, TORUS):
            box.Add(_box_with_arcs([topology.edges[use.number] for use in wires[0]]))
        else:
            # it goes round no axis: every point of it lies on a straight line between two of its outline
            straight.update(use.number for use in wires[0])
    # each edge once, not for each of its faces
    for edge in straight:
        BRepBndLib.Add_s(topology.edges[edge], box, False)
    return _corners(box)


def _box_with_arcs(edges: Sequence[TopoDS_Shape | None]) -> Bnd_Box:
    """Encloses the edges around a face on a ball or ring that goes round no axis: every point of it lies on an arc
    between two of them."""
    box = Bnd_Box()
    for edge in edges:
        BRepBndLib.Add_s(edge, box, False)
    box.Enlarge(math.sqrt(box.SquareExtent()))
    return box


def body_boxes(
    topology: Topology, places: list[FaceSample], meshes: FaceMeshes, samples: Samples, deflection_mm: float
) -> Array:
    """Exact box of each body, shape (bodies, 2, 3). `deflection_mm`: how far the mesh may lie from the surface."""
    face_body = np.array(topology.face_body)
    edge_body = np.array([topology.face_body[uses[0][0]] if uses else -1 for uses in topology.uses])
    return np.array(
        [
            _exact_box(topology, places, meshes, samples, deflection_mm, face_body == body, edge_body == body)
            for body in range(len(topology.bodies))
        ]
    )


def _exact_box(
    topology: Topology,
    places: list[FaceSample],
    meshes: FaceMeshes,
    samples: Samples,
    deflection_mm: float,
    own: NDArray[np.bool_],
    used: NDArray[np.bool_],
) -> Array:
    """Shape (2, 3): of the faces and edges that the masks `own` and `used` select."""
    low_high = meshes.box[own]
    low_high = low_high[~np.isnan(low_high).any(axis=(1, 2))]
    box = np.array([[np.inf] * 3, [-np.inf] * 3])
    if len(low_high):
        box = np.stack([low_high[:, 0].min(axis=0), low_high[:, 1].max(axis=0)])
    firm = samples.bounds[~samples.loose & used]
    if len(firm):
        box = np.stack([np.minimum(box[0], firm[:, 0].min(axis=0)), np.maximum(box[1], firm[:, 1].max(axis=0))])
    # faces that the mesh shows within its deflection of a side of the box; none where there is no mesh
    low, high = meshes.box[:, 0] - box[0], box[1] - meshes.box[:, 1]
    near = np.flatnonzero(own & ((low < 2 * deflection_mm) | (high < 2 * deflection_mm)).any(axis=1)).tolist()
    for face in near:
        place = places[face]
        if place.convex and not place.parametric:
            _add_tops(box, place.surface, meshes, face, deflection_mm)
    # the box only grows: what does not reach out of it now never will
    for edge in np.flatnonzero(samples.loose & used & _beyond(samples.bounds, box).any(axis=1)).tolist():
        kernel_edge = topology.edges[edge]
        if kernel_edge is None or not _beyond(samples.bounds[edge], box).any():
            continue
        rows = samples.points[samples.start[edge] : samples.start[edge + 1]]
        close = (rows.min(axis=0) < box[0] + deflection_mm) | (rows.max(axis=0) > box[1] - deflection_mm)
        if (_beyond(samples.bounds[edge], box) & close).any():
            _widen(box, kernel_edge)
    for face in near:
        spline = places[face].spline
        if spline is not None:
            _add_summits(box, topology.faces[face], spline)
        elif places[face].parametric:
            _widen(box, topology.faces[face])
    return box


def _beyond(bounds: Array, box: Array) -> NDArray[np.bool_]:
    """Shape (..., 3): axes along which bounds (..., 2, 3) reach out of the box."""
    lowest, highest = bounds[..., 0, :], bounds[..., 1, :]
    beyond: NDArray[np.bool_] = (lowest < box[0] - RESOLUTION_MM) | (highest > box[1] + RESOLUTION_MM)
    return beyond


def _add_summits(box: Array, face: TopoDS_Face, spline: Spline) -> None:
    """Widen by a spline's points beyond the box that lie on the face; by the kernel's exact box where that is not
    clear."""
    proved, wider, where = reach(*spline.surface, spline.domain, box, RESOLUTION_MM)
    is_on_face = [_is_on(face, place) for place in where[~np.isnan(where[..., 0])]]
    if proved and all(is_on_face):
        box[:] = wider
    elif not proved or any(is_on_face) or _has_hill(box, face, spline):
        _widen(box, face)


def _has_hill(box: Array, face: TopoDS_Face, spline: Spline) -> bool:
    """Whether the face may reach out of a box that holds its edges: it has the whole of a hill of its surface out of
    the box, or nothing of it, so that the top tells. The kernel asks the highest top only, at a hundred times the
    price."""
    if not np.isfinite(spline.domain).all():
        return True
    return any(_is_on(face, top) for top in hill_tops(*spline.surface, spline.domain, box, RESOLUTION_MM))


def _is_on(face: TopoDS_Face, place: Array) -> bool:
    """Whether a place (u, v) of its surface lies on the face."""
    return BRepClass_FaceClassifier(face, gp_Pnt2d(*place.tolist()), UV_TOLERANCE).State() in _ON_FACE


def _widen(box: Array, shape: TopoDS_Shape) -> None:
    """Take in the kernel's exact box of one face or edge."""
    own = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, own, False, False)
    corners = _corners(own)
    box[0] = np.where(corners[0] < box[0] - RESOLUTION_MM, corners[0], box[0])
    box[1] = np.where(corners[1] > box[1] + RESOLUTION_MM, corners[1], box[1])


def _add_tops(box: Array, surface: Surface, meshes: FaceMeshes, face: int, deflection_mm: float) -> None:
    """Where a ball or ring reaches farthest along each axis, if that point lies on the face."""
    if not isinstance(surface, Sphere | Torus):
        return
    for axis in range(3):
        reach = _reach(surface, axis)
        for side, sign in ((0, -1.0), (1, 1.0)):
            top = float(surface.center[axis]) + sign * reach
            if sign * (top - box[side, axis]) <= 0.0:
                continue
            direction = np.zeros(3)
            direction[axis] = sign
            triangles = meshes.mesh.points[meshes.mesh.triangles[meshes.start[face] : meshes.start[face + 1]]]
            low, high = triangles.min(axis=(0, 1)) - ABOVE * deflection_mm, triangles.max(axis=(0, 1))
            high += ABOVE * deflection_mm
            places = [place for place in _tops(surface, direction) if ((low <= place) & (place <= high)).all()]
            if any(_covers(triangles, place, direction, deflection_mm) for place in places):
                box[side, axis] = top


def _reach(surface: Sphere | Torus, axis: int) -> float:
    """How far the surface reaches from its center along a coordinate axis, in mm."""
    if isinstance(surface, Sphere):
        return surface.radius_mm
    across = math.hypot(surface.axis[axis - 1], surface.axis[axis - 2])
    return surface.major_radius_mm * across + surface.minor_radius_mm


def _tops(surface: Sphere | Torus, direction: Array) -> list[Array]:
    if isinstance(surface, Sphere):
        return [surface.center + surface.radius_mm * direction]
    across = direction - (direction @ surface.axis) * surface.axis
    length = float(np.linalg.norm(across))
    if length < 1e-9:
        # a whole circle is the top: some points of it
        x, y = axis_frame(surface.axis)
        turns = np.arange(_TOP_POINTS) * (2.0 * np.pi / _TOP_POINTS)
        around = surface.major_radius_mm * (np.cos(turns)[:, None] * x + np.sin(turns)[:, None] * y)
        return list(surface.center + around + surface.minor_radius_mm * direction)
    return [surface.center + surface.major_radius_mm * across / length + surface.minor_radius_mm * direction]


def _covers(triangles: Array, point: Array, direction: Array, deflection_mm: float) -> bool:
    """Whether the point lies right above a triangle (n, 3, 3) that faces `direction`."""
    a, b, c = (triangles[:, k] - point for k in range(3))
    parts = np.stack([np.cross(p, q) @ direction for p, q in ((a, b), (b, c), (c, a))])
    facing = parts.sum(axis=0)
    below = np.maximum.reduce([a @ direction, b @ direction, c @ direction]) > -ABOVE * deflection_mm
    inside = (parts >= -1e-9 * facing).all(axis=0) & (facing > 0.0)
    return bool((inside & below).any())


def _corners(box: Bnd_Box) -> Array:
    if box.IsVoid():
        return np.full((2, 3), np.nan)
    return np.array([box.CornerMin().Coord(), box.CornerMax().Coord()])
