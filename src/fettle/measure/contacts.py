# mypy: allow-untyped-defs
"""Contacts between bodies: faces of one body that lie on a face of another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Cylinder, Face, Part, Plane
from fettle.jit import njit

Array = NDArray[np.float64]

GAP_MM = 0.01
"""Faces nearer than this touch: less than any clearance that is drawn on purpose."""
PARALLEL_COS = 0.99999
FEWEST_MM = 0.05
"""Overlap of round faces along their axis that is more than a touching edge."""

Contacts = dict[int, dict[int, tuple[int, ...]]]


def find_contacts(part: Part, mesh: Mesh) -> Contacts:
    """For every body the bodies that it touches, with its own faces that lie on them: planes against planes and
    cylinders in holes of their radius. Numbers from 0; bodies and faces in rising order."""
    triangles = _Triangles(mesh)
    found: dict[int, dict[int, set[int]]] = {}
    for one, two in _near_pairs(part):
        if not _touch(part.faces[one], part.faces[two], one, two, triangles):
            continue
        for face, other in ((one, two), (two, one)):
            own, touched = part.faces[face].body, part.faces[other].body
            found.setdefault(own, {}).setdefault(touched, set()).add(face)
    return {
        body: {other: tuple(sorted(faces)) for other, faces in sorted(touched.items())}
        for body, touched in sorted(found.items())
    }


def _near_pairs(part: Part) -> list[tuple[int, int]]:
    """Pairs of planes and of cylinders of different bodies whose boxes touch."""
    members: list[list[int]] = [[] for _ in part.bodies]
    for number, face in enumerate(part.faces):
        if isinstance(face.surface, Plane | Cylinder):
            members[face.body].append(number)
    boxes = np.array([face.box for face in part.faces])
    low, high = boxes[:, 0] - GAP_MM, boxes[:, 1]
    bodies = np.array([body.box for body in part.bodies])
    pairs = []
    for one in range(len(part.bodies)):
        near = (bodies[one, 0] - GAP_MM <= bodies[:, 1]).all(axis=1) & (bodies[:, 0] - GAP_MM <= bodies[one, 1]).all(1)
        for two in np.flatnonzero(near).tolist():
            if two <= one:
                continue
            a, b = np.array(members[one], np.intp), np.array(members[two], np.intp)
            # axis by axis: several times as fast as over rows of three
            meets = np.ones((len(a), len(b)), np.bool_)
            for k in range(3):
                meets &= (low[a, None, k] <= high[b, k]) & (low[b, k] <= high[a, None, k])
            pairs += [(int(a[i]), int(b[j])) for i, j in np.argwhere(meets).tolist()]
    return pairs


def _touch(one: Face, two: Face, first: int, second: int, triangles: _Triangles) -> bool:
    a, b = one.surface, two.surface
    if isinstance(a, Plane) and isinstance(b, Plane):
        if float(a.normal @ b.normal) > -PARALLEL_COS or abs(float((b.origin - a.origin) @ a.normal)) > GAP_MM:
            return False
        return triangles.overlap(first, second, a.normal) or triangles.overlap(second, first, a.normal)
    if isinstance(a, Cylinder) and isinstance(b, Cylinder):
        if one.convex == two.convex or abs(a.radius_mm - b.radius_mm) > GAP_MM:
            return False
        if abs(float(a.axis @ b.axis)) < PARALLEL_COS:
            return False
        away = b.origin - a.origin
        if float(np.linalg.norm(away - (away @ a.axis) * a.axis)) > GAP_MM:
            return False
        spans = [_span(own, face.v_range_mm, a) for own, face in ((a, one), (b, two))]
        return min(spans[0][1], spans[1][1]) - max(spans[0][0], spans[1][0]) > FEWEST_MM
    return False


def _span(surface: Cylinder, v_range_mm: tuple[float, float], along: Cylinder) -> tuple[float, float]:
    """From where to where a cylindrical face reaches along the axis of another cylinder, mm."""
    ends = [float((surface.origin + v * surface.axis - along.origin) @ along.axis) for v in v_range_mm]
    return min(ends), max(ends)


class _Triangles:
    """Triangles of a mesh by face."""

    def __init__(self, mesh: Mesh) -> None:
        order = np.argsort(mesh.triangle_face, kind="stable")
        count = int(mesh.triangle_face.max(initial=-1)) + 2
        self._start = np.searchsorted(mesh.triangle_face[order], np.arange(count))
        self._order, self._mesh = order, mesh

    def overlap(self, one: int, two: int, normal: Array) -> bool:
        """Whether the middle of a triangle of the first plane lies in a triangle of the second."""
        if max(one, two) + 1 >= len(self._start):
            return False
        mine, other = self._corners(one), self._corners(two)
        return bool(_any_inside(mine.mean(axis=1), other, normal))

    def _corners(self, face: int) -> Array:
        """Shape (m, 3, 3), mm: few faces are asked about."""
        rows = self._mesh.triangles[self._order[self._start[face] : self._start[face + 1]]]
        return self._mesh.points.take(rows, axis=0)


@njit(cache=True)
def _any_inside(points, triangles, normal):
    """Whether one of the points (k, 3) lies in one of the triangles (m, 3, 3), all in planes across the normal; on a
    side is not inside."""
    for t in range(len(triangles)):
        for i in range(len(points)):
            left = right = 0
            for k in range(3):
                p, q, m = triangles[t, k], triangles[t, (k + 1) % 3], points[i]
                side = (
                    ((q[1] - p[1]) * (m[2] - p[2]) - (q[2] - p[2]) * (m[1] - p[1])) * normal[0]
                    + ((q[2] - p[2]) * (m[0] - p[0]) - (q[0] - p[0]) * (m[2] - p[2])) * normal[1]
                    + ((q[0] - p[0]) * (m[1] - p[1]) - (q[1] - p[1]) * (m[0] - p[0])) * normal[2]
                )
                left += side > 0.0
                right += side < 0.0
                if left > 0 and right > 0:
                    break
            if left == 3 or right == 3:
                return True
    return False
