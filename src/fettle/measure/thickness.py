# mypy: allow-untyped-defs, allow-untyped-calls
"""Wall thickness and clearance at every mesh point: one routine, into the material or out of it.

A ray along the normal hits a triangle; there is a wall between if that triangle faces back. The largest ball between
the point and the facing triangles confirms the ray's length or replaces it. If a triangle reaches into that ball from
the side (near an edge, on a chamfer, on the narrow side of a plate) the ray may run along the wall instead of through
it: the reading is doubtful, and the nearest reading of a wall that the point lies in replaces it if that is much
smaller and no larger ball fits. The tip of a wedge and the apex of a cone have no reading.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part, Sphere
from fettle.jit import njit
from fettle.jit.lanes import LANES
from fettle.measure.context import MeasureContext
from fettle.measure.exact_distance import COAXIAL_MM, Pairs, exact_distances, facet_depth, pair_up
from fettle.measure.grazing_rays import recast_grazing
from fettle.measure.inscribed_ball import ALL_FACE, FACING_COS, PENETRATION, balls_fit, fit_balls
from fettle.measure.propagation import propagate, surroundings
from fettle.measure.readings import TIP, Method, WallField

INTO_MATERIAL = -1.0
OUT_OF_MATERIAL = 1.0
"""Factors on the outward normal: side of the surface on which walls are measured."""
WEDGE_DEG = 45.0
"""Two faces with a smaller angle at their common edge form a wedge: they face each other up to the edge."""
CONFIRMING_RATIO = 0.7
"""A doubtful reading is kept if the second measurement, by ball or nearby wall, is at least this fraction of it."""
CONFIRMING_SHARE = 0.05
"""Share of the area between two faces that must be free of doubt to confirm the rest, as in every reading of a face: a
single point may lie either way."""
SPHERE_DECIMALS = round(-math.log10(COAXIAL_MM))
"""Sphere faces whose center and radius agree to this many decimals in mm lie on one sphere."""
_RAY, _BALL = int(Method.RAY), int(Method.BALL)


def measure_walls(context: MeasureContext, side: float) -> WallField:
    """Measure thickness (`side` INTO_MATERIAL) or clearance (OUT_OF_MATERIAL) at every mesh point.

    Only the point's own body counts: each is made for itself, and where bodies touch on round faces their facets cross,
    so that a ray would hit the other body's facet behind a wall. A point whose ray to that side hits nothing has no
    reading.
    """
    mesh = context.mesh
    field, doubtful = _measure_ray_and_ball(context, side)
    pairs = pair_up(mesh.point_face, field.opposite_face, len(context.part.faces))
    exact = exact_distances(context.part, pairs, field.value_mm, mesh.curvature)
    closed = np.isfinite(exact)
    value = np.where(closed, exact, field.value_mm)
    method = np.where(closed, np.int8(Method.ANALYTIC), field.method)
    doubtful &= ~_confirmed(pairs, closed, doubtful, context.area_mm2)
    field = replace(field, value_mm=value, method=method)
    if doubtful.any():
        field = _replace_doubtful(context, side, field, doubtful)
    return _fill_bodies_without_walls(context, field) if side == INTO_MATERIAL else field


def _measure_ray_and_ball(context: MeasureContext, side: float) -> tuple[WallField, NDArray[np.bool_]]:
    """Readings by ray and ball at each point (n,), and a mask (n,) of the doubtful ones."""
    part, mesh, scene, origins = context.part, context.mesh, context.scene, context.origins
    tree, starts, normals = scene.tree, context.starts, context.normals
    roots = context.body_roots
    hit, ray = scene.cast_along_normals(starts, normals, roots, side)
    hit = recast_grazing(tree, starts, normals, roots, side, scene.start_mm, hit, ray)
    met = (hit >= 0) & ~origins.apex
    # Across a spherical body the ray is the diameter; a ball in there would touch every triangle of the sphere.
    fitted = met & ~_across_sphere(part, mesh.point_face, tree.face[hit])
    width, contact, lateral = fit_balls(tree, starts, normals, roots, side, ray, fitted, _penetration_on(mesh))
    reading, ray_mm, method, across = _readings(
        tree, scene.points, starts, normals, met, side, hit, ray, width, contact, lateral
    )
    tips = np.flatnonzero((width <= TIP * scene.diagonal_mm) & (method > 0))
    beyond = tree.face[np.where(contact >= 0, contact, hit)[tips]]
    tips = tips[_vertex_on_face(mesh, tips, beyond) | _form_wedge(part, mesh.point_face[tips], beyond)]
    reading[tips], method[tips], across[tips] = np.nan, Method.NONE, -1
    doubtful = met & (lateral | (method == Method.NONE))
    doubtful[tips] = False
    return WallField(reading, ray_mm, np.where(met, width, np.nan), method, across), doubtful


@njit(cache=True)
def _readings(tree, points, origins, normals, met, side, hit, ray, width, contact, lateral):
    """Reading, ray in mm, method and opposite face of each point (n,)."""
    n = len(points)
    reading, ray_mm = np.full(n, np.nan), np.full(n, np.nan)
    method, across = np.zeros(n, np.int8), np.full(n, -1, np.int32)
    for i in range(n):
        if hit[i] < 0:
            continue
        shift, cosine = 0.0, 0.0
        for k in range(3):
            # Distance from the mesh point itself: the ray's origin lies on a facet, slightly inside a round face.
            shift += side * normals[i, k] * (origins[i, k] - points[i, k])
            cosine += normals[i, k] * tree.normals[hit[i] // LANES, k * LANES + hit[i] % LANES]
        ray_mm[i] = ray[i] + shift
        faced, stopped = cosine <= FACING_COS, contact[i] >= 0
        if not met[i] or not (faced or stopped):
            continue
        # Beside a rounded edge the rounding makes the ball slightly too small; the ray still measures the wall.
        cut = stopped and not (faced and lateral[i] and width[i] >= CONFIRMING_RATIO * ray[i])
        reading[i] = (width[i] if cut else ray[i]) + shift
        method[i] = _BALL if cut else _RAY
        across[i] = tree.face[contact[i] if cut else hit[i]]
    return reading, ray_mm, method, across


def _across_sphere(part: Part, own: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mask (n,) of the readings from a sphere to itself, which may consist of several faces."""
    numbers: dict[tuple[float, ...], int] = {}
    sphere = np.full(len(part.faces), -1)
    for index, face in enumerate(part.faces):
        if isinstance(face.surface, Sphere):
            key = (*face.surface.center.round(SPHERE_DECIMALS).tolist(), round(face.surface.radius_mm, SPHERE_DECIMALS))
            sphere[index] = numbers.setdefault(key, len(numbers))
    if not numbers:
        return np.zeros(len(own), np.bool_)
    across: NDArray[np.bool_] = (sphere[own] == sphere[other]) & (sphere[own] >= 0)
    return across


def _penetration_on(mesh: Mesh) -> float:
    """Depth to which facets may reach into a free ball on this mesh, as a fraction of its radius."""
    return max(PENETRATION, facet_depth(mesh.curvature))


def _vertex_on_face(mesh: Mesh, rows: NDArray[np.int64], faces: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mask (k,) of the points, given by rows (k,), whose vertex also belongs to the given face (k,)."""
    stride = int(mesh.point_face.max()) + 1
    wanted = mesh.vertex[rows].astype(np.int64) * stride + faces
    relevant = np.zeros(int(mesh.vertex.max()) + 1, np.bool_)
    relevant[mesh.vertex[rows]] = True
    around = np.flatnonzero(relevant[mesh.vertex])
    return np.isin(wanted, mesh.vertex[around].astype(np.int64) * stride + mesh.point_face[around])


def _form_wedge(part: Part, own: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mask (k,) of the pairs of faces that form a wedge at a common edge, of material or of a gap (touching rounds)."""
    if len(own) == 0:
        return np.empty(0, np.bool_)
    count = len(part.faces)
    wedges = [
        side * count + across
        for edge in part.edges
        if edge.faces[1] >= 0 and (edge.angle_range_deg[0] < WEDGE_DEG or edge.angle_range_deg[1] > 360.0 - WEDGE_DEG)
        for side, across in (edge.faces, edge.faces[::-1])
    ]
    return np.isin(own.astype(np.int64) * count + other, np.array(wedges, np.int64))


def _confirmed(
    pairs: Pairs, exact: NDArray[np.bool_], doubtful: NDArray[np.bool_], area_mm2: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Mask (n,) of the exact readings whose pair of faces also has exact readings that are not doubtful: the top of a
    plate beside a pocket is as thick as elsewhere. area_mm2 (n,): of the points."""
    number = pairs.of_reading + 1
    known, sure = (
        np.bincount(number, area_mm2 * chosen, minlength=len(pairs.faces) + 1) for chosen in (exact, exact & ~doubtful)
    )
    reliable = (sure > 0.0) & (sure >= CONFIRMING_SHARE * known)
    confirmed: NDArray[np.bool_] = exact & reliable.take(number)
    return confirmed


def _replace_doubtful(context: MeasureContext, side: float, field: WallField, doubtful: NDArray[np.bool_]) -> WallField:
    """Replace doubtful readings (n,) by those of the nearby wall where the point lies in it.

    A point without any reading takes that of a wall beside it.
    """
    value, method = field.value_mm, field.method
    # A ball much smaller than its ray beside an edge is only approximate: a nearby wall of about its size replaces it,
    # and it replaces others only where they are much larger.
    approximate = doubtful & (method == Method.BALL)
    around = surroundings(context.mesh, context.origins.points, side, doubtful)
    source = propagate(around, np.where(doubtful, np.nan, value), doubtful)
    rows = np.flatnonzero(source >= 0)
    own, nearby, is_approximate = value[rows], value[source[rows]], approximate[rows]
    along = _lie_in_thinner_wall(context, side, rows, np.where(is_approximate, np.nan, own), nearby)
    # An exact reading nearby replaces a doubtful one that is equal but for facets, or larger (on a round).
    exactly = (
        (method[source[rows]] == Method.ANALYTIC)
        & (method[rows] != Method.ANALYTIC)
        & (nearby <= (1.0 + PENETRATION) * own)
    )
    taken = np.where(is_approximate, CONFIRMING_RATIO * nearby <= own, np.isnan(own) | along | exactly)
    field = _take_from(field, source, rows[taken])
    left = doubtful & ~approximate
    left[rows[taken]] = False
    if left.any():
        value = field.value_mm
        # On a small plate every point is near an edge: there the smallest reading of the meeting faces is used.
        source = propagate(around, np.where(left & ~context.origins.ways.on_border, np.nan, value), left)
        rows = np.flatnonzero(source >= 0)
        thinner = _lie_in_thinner_wall(context, side, rows, value[rows], value[source[rows]])
        field = _take_from(field, source, rows[thinner])
    missing = doubtful & np.isnan(field.value_mm)
    if missing.any():
        source = propagate(around, field.value_mm, missing, beside=True)
        field = _take_from(field, source, np.flatnonzero(source >= 0))
    return field


def _take_from(field: WallField, source: NDArray[np.int64], rows: NDArray[np.int64]) -> WallField:
    """The field with the readings of their source rows (n,) at some rows (k,)."""
    value, method, across = field.value_mm.copy(), field.method.copy(), field.opposite_face.copy()
    value[rows], across[rows] = field.value_mm[source[rows]], field.opposite_face[source[rows]]
    method[rows] = Method.NEAR
    return replace(field, value_mm=value, method=method, opposite_face=across)


def _lie_in_thinner_wall(
    context: MeasureContext,
    side: float,
    rows: NDArray[np.int64],
    own_mm: NDArray[np.float64],
    nearby_mm: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Mask (k,) of the points, given by rows (k,), that lie in a nearby wall of nearby_mm (k,) much thinner than their
    own reading own_mm (k,): no clearly larger ball fits there. The side of a block that stands on a plate is not as
    thin as the plate."""
    inside = np.zeros(len(rows), np.bool_)
    thinner = np.flatnonzero(nearby_mm < CONFIRMING_RATIO * own_mm)
    inside[thinner] = ~balls_fit(
        context.scene.tree,
        context.starts,
        context.normals,
        context.body_roots,
        side,
        nearby_mm[thinner] / CONFIRMING_RATIO,
        rows[thinner],
    )
    return inside


def _fill_bodies_without_walls(context: MeasureContext, field: WallField) -> WallField:
    """Give bodies without facing walls (a cone, a tetrahedron) the diameter of their largest ball as thickness."""
    mesh, origins = context.mesh, context.origins
    body_of = np.array([face.body for face in context.part.faces], np.int32)[mesh.point_face]
    measured = np.bincount(body_of[np.isfinite(field.value_mm)], minlength=len(context.part.bodies)) > 0
    if measured.all():
        return field
    selected = ~measured[body_of] & np.isfinite(field.ray_mm) & ~origins.apex
    ball, _, _ = fit_balls(
        context.scene.tree,
        context.starts,
        context.normals,
        context.body_roots,
        INTO_MATERIAL,
        field.ray_mm,
        selected,
        _penetration_on(mesh),
        ALL_FACE,
    )
    value, method = field.value_mm.copy(), field.method.copy()
    for body in np.unique(body_of[selected]).tolist():
        rows = np.flatnonzero(selected & (body_of == body))
        value[rows], method[rows] = ball[rows].max(), Method.NEAR
        method[rows[ball[rows].argmax()]] = Method.BALL
    return replace(field, value_mm=value, ball_mm=np.where(selected, ball, field.ball_mm), method=method)
