# mypy: allow-untyped-defs, allow-untyped-calls
"""Wall thickness and clearance: one routine that looks into the material or out of it.

A ray along the normal meets something; it is a wall when that something faces back. The largest ball between the point
and what faces it confirms the ray or cuts it down. Where something reaches into that ball from the side (near an edge,
on a chamfer, on the narrow side of a plate) the ray may run along the wall instead of through it: there the nearest
reading of a wall that the point lies in counts instead, if it is far smaller and nothing larger has room. The tip of a
wedge and the point of a cone have no reading.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part, Sphere
from fettle.jit import njit
from fettle.measure.bvh import WIDE
from fettle.measure.context import MeasureContext
from fettle.measure.exact_distance import Pairs, exact_distances, pair_up
from fettle.measure.inscribed_ball import EVERYTHING_FACES, FACING, SLACK, fit_balls, has_room
from fettle.measure.propagation import propagate
from fettle.measure.ray_origins import on_border
from fettle.measure.readings import TIP, Method, WallField

INTO_MATERIAL = -1.0
OUT_OF_MATERIAL = 1.0
FEATHER_DEG = 45.0
"""Faces that enclose less than this face each other up to their common edge."""
TRUSTED = 0.7
"""A reading in doubt stands while the other one, of its ball or of the wall nearby, is at least this share of it."""
SPHERE_DIGITS = 4
"""Faces whose center and radius agree to so many digits of a millimeter lie on one sphere."""
_RAY, _BALL = int(Method.RAY), int(Method.BALL)


def measure_walls(context: MeasureContext, side: float) -> WallField:
    """Thickness (`side` INTO_MATERIAL) or clearance (OUT_OF_MATERIAL) at every mesh point.

    A point that sees nothing on that side has no reading.
    """
    mesh = context.mesh
    field, doubtful = _look(context, side)
    pairs = pair_up(mesh.point_face, field.opposite_face, len(context.part.faces))
    exact = exact_distances(context.part, pairs, field.value_mm, mesh.curvature)
    closed = np.isfinite(exact)
    value = np.where(closed, exact, field.value_mm)
    method = np.where(closed, np.int8(Method.ANALYTIC), field.method)
    doubtful &= ~_confirmed(pairs, closed, doubtful)
    field = replace(field, value_mm=value, method=method)
    if doubtful.any():
        field = _settle(context, side, field, doubtful)
    return _fill_stout_bodies(context, field) if side == INTO_MATERIAL else field


def _look(context: MeasureContext, side: float) -> tuple[WallField, NDArray[np.bool_]]:
    """What ray and ball say at each point (n,), and where (n,) something from the side puts that in doubt."""
    part, mesh, scene, origins = context.part, context.mesh, context.scene, context.origins
    tree = scene.tree
    roots = _roots(context, side)
    hit, ray = scene.look(origins.points, mesh.normals, roots, side)
    met = (hit >= 0) & ~origins.pointed
    # Across a ball the ray is the diameter; a ball grown in there would touch the whole sphere, triangle by triangle.
    grown = met & ~_across_sphere(part, mesh.point_face, tree.face[hit])
    width, contact, lateral = fit_balls(tree, origins.points, mesh.normals, roots, side, ray, grown, _slack(mesh))
    reading, ray_mm, method, across = _read(
        tree, mesh.points, origins.points, mesh.normals, met, side, hit, ray, width, contact, lateral
    )
    tips = np.flatnonzero((width <= TIP * scene.diagonal_mm) & (method > 0))
    beyond = tree.face[np.where(contact >= 0, contact, hit)[tips]]
    tips = tips[_meets(mesh, tips, beyond) | _tapers(part, mesh.point_face[tips], beyond)]
    reading[tips], method[tips], across[tips] = np.nan, Method.NONE, -1
    doubtful = met & (lateral | (method == Method.NONE))
    doubtful[tips] = False
    return WallField(reading, ray_mm, np.where(met, width, np.nan), method, across), doubtful


@njit(cache=True)
def _read(tree, points, stand, normals, met, side, hit, ray, width, contact, lateral):
    """Reading, ray in mm, method and opposite face of each point (n,)."""
    n = len(points)
    reading, ray_mm = np.full(n, np.nan), np.full(n, np.nan)
    method, across = np.zeros(n, np.int8), np.full(n, -1, np.int32)
    for i in range(n):
        if hit[i] < 0:
            continue
        shift, cosine = 0.0, 0.0
        for k in range(3):
            # From where the point really is: its origins lies on a facet, a little inside a round face.
            shift += side * normals[i, k] * (stand[i, k] - points[i, k])
            cosine += normals[i, k] * tree.normals[hit[i] // WIDE, k * WIDE + hit[i] % WIDE]
        ray_mm[i] = ray[i] + shift
        faced, stopped = cosine <= FACING, contact[i] >= 0
        if not met[i] or not (faced or stopped):
            continue
        # Beside a rounded edge the ball is cut a little by the round; the ray still reads the wall there.
        cut = stopped and not (faced and lateral[i] and width[i] >= TRUSTED * ray[i])
        reading[i] = (width[i] if cut else ray[i]) + shift
        method[i] = _BALL if cut else _RAY
        across[i] = tree.face[contact[i] if cut else hit[i]]
    return reading, ray_mm, method, across


def _across_sphere(part: Part, own: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which readings (n,) run from a sphere to itself, be it one face or several."""
    numbers: dict[tuple[float, ...], int] = {}
    sphere = np.full(len(part.faces), -1)
    for index, face in enumerate(part.faces):
        if isinstance(face.surface, Sphere):
            place = (*face.surface.center.round(SPHERE_DIGITS).tolist(), round(face.surface.radius_mm, SPHERE_DIGITS))
            sphere[index] = numbers.setdefault(place, len(numbers))
    across: NDArray[np.bool_] = (sphere[own] == sphere[other]) & (sphere[own] >= 0)
    return across


def _roots(context: MeasureContext, side: float) -> NDArray[np.int64]:
    """Below which nodes (n,) of the tree a point looks. Thickness is that of its own body: where bodies touch on round
    faces their facets cross, and what lies behind a wall would be another body's facet."""
    return context.body_roots if side == INTO_MATERIAL else np.zeros_like(context.body_roots)


def _slack(mesh: Mesh) -> float:
    return max(SLACK, 1.5 * (1.0 - math.cos(math.pi / mesh.curvature)))


def _meets(mesh: Mesh, rows: NDArray[np.int64], faces: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether the welded vertex of each row also belongs to the given face."""
    stride = int(mesh.point_face.max()) + 1
    asked = mesh.vertex[rows].astype(np.int64) * stride + faces
    there = np.zeros(int(mesh.vertex.max()) + 1, np.bool_)
    there[mesh.vertex[rows]] = True
    around = np.flatnonzero(there[mesh.vertex])
    return np.isin(asked, mesh.vertex[around].astype(np.int64) * stride + mesh.point_face[around])


def _tapers(part: Part, own: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which pairs of faces run together in a feather edge, of material or of a gap (two rounds that touch)."""
    if len(own) == 0:
        return np.empty(0, np.bool_)
    count = len(part.faces)
    feather = [
        side * count + across
        for edge in part.edges
        if edge.faces[1] >= 0
        and (edge.angle_range_deg[0] < FEATHER_DEG or edge.angle_range_deg[1] > 360.0 - FEATHER_DEG)
        for side, across in (edge.faces, edge.faces[::-1])
    ]
    return np.isin(own.astype(np.int64) * count + other, np.array(feather, np.int64))


def _confirmed(pairs: Pairs, exact: NDArray[np.bool_], doubtful: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Exact readings (n,) between two faces that are read the same way elsewhere, where nothing is in doubt: beside a
    pocket the top of a plate is still as thick as the plate."""
    sure = np.zeros(len(pairs.faces) + 1, np.bool_)
    sure[pairs.of_reading[exact & ~doubtful]] = True
    confirmed: NDArray[np.bool_] = exact & sure[pairs.of_reading]
    return confirmed


def _settle(context: MeasureContext, side: float, field: WallField, doubtful: NDArray[np.bool_]) -> WallField:
    """The field with the readings in doubt (n,) replaced by those of the wall nearby where that one goes on.

    What has no reading of its own takes that of a wall beside it.
    """
    value, method = field.value_mm, field.method
    # A ball cut far below its ray beside an edge is only roughly right: it gives way to a wall near it of about its
    # own size, and counts for others only where they read far more.
    rough = doubtful & (method == Method.BALL)
    source = propagate(context.mesh, context.origins.points, side, np.where(doubtful, np.nan, value), doubtful)
    there = np.where(source >= 0, value[source], np.inf)
    along = _thinner(context, side, doubtful & (there < TRUSTED * value), there)
    # A ray in doubt gives way to an exact wall beside it that is as thick, but for facets, or thinner (on a round).
    exactly = (method[source] == Method.ANALYTIC) & (method != Method.ANALYTIC) & (there <= (1.0 + SLACK) * value)
    taken = doubtful & (source >= 0) & np.where(rough, TRUSTED * there <= value, np.isnan(value) | along | exactly)
    field = _take(field, source, taken)
    left = doubtful & ~taken & ~rough
    if left.any():
        value = field.value_mm
        # A small plate is all edge: where faces meet, the least that any of them reads is better than nothing.
        offered = np.where(left & ~on_border(context.mesh), np.nan, value)
        source = propagate(context.mesh, context.origins.points, side, offered, left)
        there = np.where(source >= 0, value[source], np.inf)
        field = _take(field, source, _thinner(context, side, left & (there < TRUSTED * value), there))
    lost = doubtful & np.isnan(field.value_mm)
    if lost.any():
        source = propagate(context.mesh, context.origins.points, side, field.value_mm, lost, beside=True)
        field = _take(field, source, lost & (source >= 0))
    return field


def _take(field: WallField, source: NDArray[np.int64], taken: NDArray[np.bool_]) -> WallField:
    """The field with the readings of other rows (n,) where they are taken (n,)."""
    return replace(
        field,
        value_mm=np.where(taken, field.value_mm[source], field.value_mm),
        method=np.where(taken, np.int8(Method.NEAR), field.method),
        opposite_face=np.where(taken, field.opposite_face[source], field.opposite_face),
    )


def _thinner(
    context: MeasureContext, side: float, asked: NDArray[np.bool_], there_mm: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Of the points asked for (n,), those where the far thinner wall nearby goes on: no ball that is clearly wider than
    that wall has room there. The side of a block that stands on a plate is not as thin as the plate."""
    thinner = asked.copy()
    rows = np.flatnonzero(asked)
    thinner[rows] = ~has_room(
        context.scene.tree,
        context.origins.points,
        context.mesh.normals,
        _roots(context, side),
        side,
        there_mm / TRUSTED,
        rows,
    )
    return thinner


def _fill_stout_bodies(context: MeasureContext, field: WallField) -> WallField:
    """A body on which no two walls face each other (a cone, a tetrahedron) is as thick as the largest ball in it."""
    mesh, origins = context.mesh, context.origins
    body_of = np.array([face.body for face in context.part.faces], np.int32)[mesh.point_face]
    read = np.bincount(body_of[np.isfinite(field.value_mm)], minlength=len(context.part.bodies)) > 0
    if read.all():
        return field
    asked = ~read[body_of] & np.isfinite(field.ray_mm) & ~origins.pointed
    ball, _, _ = fit_balls(
        context.scene.tree, origins.points, mesh.normals, context.body_roots, INTO_MATERIAL, field.ray_mm, asked,
        _slack(mesh), EVERYTHING_FACES,
    )  # fmt: skip
    value, method = field.value_mm.copy(), field.method.copy()
    for body in np.unique(body_of[asked]).tolist():
        rows = np.flatnonzero(asked & (body_of == body))
        value[rows], method[rows] = ball[rows].max(), Method.NEAR
        method[rows[ball[rows].argmax()]] = Method.BALL
    return replace(field, value_mm=value, ball_mm=np.where(asked, ball, field.ball_mm), method=method)
