# mypy: allow-untyped-defs
"""Wall thickness and clearance: one routine that looks into the material or out of it.

A ray along the normal meets something; it is a wall when that something faces back. The largest ball between the point
and what faces it confirms the ray or cuts it down. Where something reaches into that ball from the side (near an edge,
on a chamfer, on the narrow side of a plate) the ray may run along the wall instead of through it: there a far smaller
reading nearby counts instead. The tip of a wedge and the point of a cone have no reading.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part, Sphere
from fettle.measure.ball import EVERYTHING_FACES, FACING, SLACK, Tree, fit_balls, has_room, neighbouring
from fettle.measure.footing import NUDGE
from fettle.measure.ground import Ground
from fettle.measure.offsets import exact_distances
from fettle.measure.reading import Method, WallField

INTO_MATERIAL = -1.0
OUT_OF_MATERIAL = 1.0
TIP = 8.0 * NUDGE
"""A reading this small (share of the diagonal) between two faces that meet at the very point, or in a feather edge
anywhere, is the tip of a wedge."""
FEATHER_DEG = 45.0
"""Faces that enclose less than this face each other up to their common edge."""
REACH = 2.0
"""How far around its own place a reading counts for points in doubt, in multiples of itself."""
TRUSTED = 0.7
"""A reading in doubt stands while the other one, of its ball or of the wall nearby, is at least this share of it."""
SKEW = 1e-3
"""By how much a lost ray is turned for its second try."""
MAX_SWEEPS = 200


@njit(cache=True)
def _share(points, vertex, welded, value, doubtful):
    """For each point the row whose reading counts there, -1 for none: the smallest one at its vertex or, over doubtful
    vertices, the smallest one within its reach."""
    count = 0
    for v in vertex:
        count = max(count, v + 1)
    best, carries = np.full(count, -1, np.int64), np.zeros(count, np.bool_)
    for i in range(len(vertex)):
        v = vertex[i]
        if doubtful[i]:
            carries[v] = True
        if np.isfinite(value[i]) and (best[v] < 0 or value[i] < value[best[v]]):
            best[v] = i
    place = np.zeros(count, np.int64)
    for i in range(len(vertex)):
        place[vertex[i]] = i
    for _ in range(MAX_SWEEPS):
        changed = False
        for t in range(len(welded)):
            for k in range(6):
                a, b = welded[t, k % 3], welded[t, (k + 1 + k // 3) % 3]
                if not carries[b] or best[a] < 0:
                    continue
                s = best[a]
                if best[b] >= 0 and value[s] >= value[best[b]]:
                    continue
                p = place[b]
                gap2 = 0.0
                for c in range(3):
                    gap2 += (points[p, c] - points[s, c]) ** 2
                if gap2 <= (REACH * value[s]) ** 2:
                    best[b] = s
                    changed = True
        if not changed:
            break
    return best


def _meets(mesh: Mesh, rows: NDArray[np.int64], faces: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether the welded vertex of each row also belongs to the given face."""
    stride = int(mesh.point_face.max()) + 1
    known = mesh.vertex.astype(np.int64) * stride + mesh.point_face
    asked = mesh.vertex[rows].astype(np.int64) * stride + faces
    return np.isin(asked, known)


def _tapers(part: Part, own: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which pairs of faces run together in a feather edge, of material or of a gap (two rounds that touch)."""
    count = len(part.faces)
    feather = [
        side * count + across
        for edge in part.edges
        if edge.faces[1] >= 0
        and (edge.angle_range_deg[0] < FEATHER_DEG or edge.angle_range_deg[1] > 360.0 - FEATHER_DEG)
        for side, across in (edge.faces, edge.faces[::-1])
    ]
    return np.isin(own.astype(np.int64) * count + other, np.array(feather, np.int64))


def _across_sphere(part: Part, own: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which readings run from a spherical face to itself."""
    spherical = np.array([isinstance(face.surface, Sphere) for face in part.faces], np.bool_)
    across: NDArray[np.bool_] = spherical[own] & (own == other)
    return across


def _confirmed(
    own: NDArray[np.int32], other: NDArray[np.int32], exact: NDArray[np.bool_], doubtful: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Exact readings between two faces that are read the same way elsewhere, where nothing is in doubt: beside a pocket
    the top of a plate is still as thick as the plate."""
    pair = own.astype(np.int64) * (int(other.max(initial=0)) + 2) + other
    confirmed: NDArray[np.bool_] = exact & np.isin(pair, np.unique(pair[exact & ~doubtful]))
    return confirmed


def _slack(mesh: Mesh) -> float:
    return max(SLACK, 1.5 * (1.0 - math.cos(math.pi / mesh.curvature)))


def measure_walls(ground: Ground, tree: Tree, side: float) -> WallField:
    """Thickness (`side` INTO_MATERIAL) or clearance (OUT_OF_MATERIAL) at every mesh point.

    A point that sees nothing on that side has no reading.
    """
    part, mesh, scene, footing = ground.part, ground.mesh, ground.scene, ground.footing
    n, stand = len(mesh.points), footing.points
    toward = side * mesh.normals
    triangle, distance = scene.first_hit(stand + scene.start_mm * toward, toward)
    if side == INTO_MATERIAL:
        # From inside there is always a wall: a ray that met none slipped through a corner between triangles.
        lost = np.flatnonzero(triangle < 0)
        askew = toward[lost] + SKEW * np.roll(toward[lost], 1, axis=1)
        triangle[lost], distance[lost] = scene.first_hit(stand[lost] + scene.start_mm * toward[lost], askew)
    ray = distance + scene.start_mm
    # From where the point really is: its footing lies on a facet, a little inside a round face.
    shift = np.einsum("ij,ij->i", stand - mesh.points, toward)
    met = np.flatnonzero((triangle >= 0) & ~footing.pointed)

    normal_of = np.empty((len(mesh.triangles), 3))
    normal_of[tree.triangle] = tree.normals
    faced = np.einsum("ij,ij->i", mesh.normals[met], normal_of[triangle[met]]) <= FACING

    width, contact, lateral = ray[met].copy(), np.full(len(met), -1, np.int32), np.zeros(len(met), np.bool_)
    # Across a ball the ray is the diameter; a ball grown in there would touch the whole sphere, triangle by triangle.
    grow = ~_across_sphere(part, mesh.point_face[met], mesh.triangle_face[triangle[met]])
    grown = met[grow]
    width[grow], contact[grow], lateral[grow] = fit_balls(
        tree, stand[grown], mesh.normals[grown], side, ray[grown], neighbouring(tree, mesh, grown), _slack(mesh)
    )
    opposite = mesh.triangle_face[np.where(contact >= 0, contact, triangle[met])]
    wall = faced | (contact >= 0)
    tip = (width <= TIP * scene.diagonal_mm) & wall
    tip[tip] = _meets(mesh, met[tip], opposite[tip]) | _tapers(part, mesh.point_face[met[tip]], opposite[tip])
    wall &= ~tip

    value, ball = np.full(n, np.nan), np.full(n, np.nan)
    method, across = np.zeros(n, np.int8), np.full(n, -1, np.int32)
    ball[met] = width
    # Beside a rounded edge the ball is cut a little by the round; the ray still reads the wall there.
    cut = (contact >= 0) & ~(faced & lateral & (width >= TRUSTED * ray[met]))
    opposite = np.where(cut, opposite, mesh.triangle_face[triangle[met]])
    reading = np.where(cut, width, ray[met]) + shift[met]
    walls = met[wall]
    exact = exact_distances(part, mesh.point_face[walls], opposite[wall], reading[wall], mesh.curvature)
    value[walls] = np.where(np.isnan(exact), reading[wall], exact)
    method[walls] = np.where(np.isnan(exact), np.where(cut[wall], Method.BALL, Method.RAY), Method.ANALYTIC)
    across[walls] = opposite[wall]

    doubtful = np.zeros(n, np.bool_)
    doubtful[met] = (lateral | ~wall) & ~tip
    doubtful &= ~_confirmed(mesh.point_face, across, (method == Method.ANALYTIC), doubtful)
    # A ball cut far below its ray beside an edge is only roughly right: it gives way to a wall near it of about its
    # own size, and counts for others only where they read far more.
    rough = doubtful & (method == Method.BALL)
    # A ray in doubt gives way to an exact wall beside it that is as thick, but for facets, or thinner (on a round).
    offered = np.where(doubtful & (method != Method.ANALYTIC), (1.0 + SLACK) * value, value)
    offered[rough] = np.nan
    source = _share(mesh.points, mesh.vertex, mesh.welded, offered, doubtful)[mesh.vertex]
    there = np.where(source >= 0, value[source], np.inf)
    along = _thinner(ground, tree, side, doubtful & (there < TRUSTED * value), there)
    exactly = (method[source] == Method.ANALYTIC) & (method != Method.ANALYTIC) & (there <= (1.0 + SLACK) * value)
    taken = doubtful & (source >= 0) & np.where(rough, TRUSTED * there <= value, np.isnan(value) | along | exactly)
    value, across = np.where(taken, there, value), np.where(taken, across[source], across)
    method[taken] = Method.NEAR
    if rough.any():
        source = _share(mesh.points, mesh.vertex, mesh.welded, value, doubtful)[mesh.vertex]
        there = np.where(source >= 0, value[source], np.inf)
        taken = _thinner(ground, tree, side, doubtful & (there < TRUSTED * value), there)
        value, across = np.where(taken, there, value), np.where(taken, across[source], across)
        method[taken] = Method.NEAR
    field = WallField(value, ray + shift, ball, method, across)
    return _fill_stout_bodies(ground, tree, field) if side == INTO_MATERIAL else field


def _thinner(
    ground: Ground, tree: Tree, side: float, asked: NDArray[np.bool_], there_mm: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Of the points asked for (n,), those where the far thinner wall nearby goes on: no ball that is clearly wider than
    that wall has room there. The side of a block that stands on a plate is not as thin as the plate."""
    thinner = asked.copy()
    rows = np.flatnonzero(asked)
    thinner[rows] = ~has_room(
        tree, ground.footing.points[rows], ground.mesh.normals[rows], side, there_mm[rows] / TRUSTED
    )
    return thinner


def _fill_stout_bodies(ground: Ground, tree: Tree, field: WallField) -> WallField:
    """A body on which no two walls face each other (a cone, a tetrahedron) is as thick as the largest ball in it."""
    mesh, footing = ground.mesh, ground.footing
    body_of = np.array([face.body for face in ground.part.faces], np.int32)[mesh.point_face]
    value, ball, method = field.value_mm.copy(), field.ball_mm.copy(), field.method.copy()
    read = np.isfinite(value)
    for body in range(len(ground.part.bodies)):
        own = body_of == body
        if (read & own).any():
            continue
        rows = np.flatnonzero(own & np.isfinite(field.ray_mm) & ~footing.pointed)
        if len(rows) == 0:
            continue
        start = field.ray_mm[rows]
        order = neighbouring(tree, mesh, rows)
        ball[rows], _, _ = fit_balls(
            tree, footing.points[rows], mesh.normals[rows], INTO_MATERIAL, start, order, _slack(mesh), EVERYTHING_FACES
        )
        value[rows], method[rows] = ball[rows].max(), Method.NEAR
        method[rows[ball[rows].argmax()]] = Method.BALL
    return replace(field, value_mm=value, ball_mm=ball, method=method)
