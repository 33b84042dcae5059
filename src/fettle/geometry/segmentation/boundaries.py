"""Edges and loops of the faces that patches become."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import SMOOTH_DEG, Circle, Convexity, Curve, Edge, Line, Loop, OtherCurve
from fettle.geometry.segmentation.boundary_chains import CIRCLE, LINE, find_chains, run_along
from fettle.geometry.segmentation.patches import Patches

_LEAST_MM = 1e-4
"""Below it no line or circle is told from another curve."""

Array = NDArray[np.float64]
Walk: TypeAlias = list[tuple[int, bool]]
"""Edges of a loop in order, and which of them are walked against their own direction."""


def find_edges(patches: Patches, mesh: Mesh) -> tuple[tuple[Edge, ...], Array]:
    """Edges run with the boundary of the lower face number: its material lies to their left, seen from outside.

    With them (edges, 3): the vector of the area that each sweeps seen from the origin; around a loop they add up to
    the area that it encloses.
    """
    chains = find_chains(patches)
    courses = run_along(chains, patches, mesh, max(patches.tolerance_mm, _LEAST_MM))
    points = patches.net.points[chains.vertices]
    for array in (points, courses.shapes):
        array.setflags(write=False)
    numbers: dict[int, int] = {}
    ends = np.column_stack([chains.vertices[chains.starts[:-1]], chains.vertices[chains.starts[1:] - 1]])
    edges = []
    for i, (low, high) in enumerate(pairwise(chains.starts.tolist())):
        begin, end = ends[i].tolist()
        mean, least, most = courses.angles[i].tolist()
        edges.append(
            Edge(
                faces=(int(chains.faces[i, 0]), int(chains.faces[i, 1])),
                convexity=_convexity(mean),
                angle_deg=mean,
                angle_range_deg=(least, most),
                length_mm=float(courses.lengths[i]),
                curve=_curve(int(courses.kinds[i]), courses.shapes[i]),
                vertices=(numbers.setdefault(begin, len(numbers)), numbers.setdefault(end, len(numbers))),
                points=points[low:high],
            )
        )
    return tuple(edges), courses.areas


def find_loops(edges: tuple[Edge, ...], face_count: int) -> list[list[Walk]]:
    """By face: its closed walks along the boundary, from vertex to vertex."""
    uses: list[Walk] = [[] for _ in range(face_count)]
    for number, edge in enumerate(edges):
        uses[edge.faces[0]].append((number, False))
        uses[edge.faces[1]].append((number, True))
    return [_face_loops(edges, own) for own in uses]


def outer_loop(loops: list[Walk], swept: Array, face_normal: Array) -> int:
    """Number of the loop around the others: the one that encloses most area along the face's mean normal."""
    along = swept @ face_normal
    enclosed = [sum(-along[edge] if back else along[edge] for edge, back in walk) for walk in loops]
    return int(np.argmax(enclosed))


def as_loops(loops: list[Walk], outer: int) -> tuple[Loop, ...]:
    return tuple(
        Loop(tuple(edge for edge, _ in walk), tuple(back for _, back in walk), number == outer)
        for number, walk in enumerate(loops)
    )


def _convexity(angle_deg: float) -> Convexity:
    if abs(angle_deg - 180.0) <= SMOOTH_DEG:
        return Convexity.SMOOTH
    return Convexity.CONVEX if angle_deg < 180.0 else Convexity.CONCAVE


def _curve(kind: int, shape: Array) -> Curve:
    if kind == LINE:
        return Line(shape[:3])
    if kind == CIRCLE:
        return Circle(shape[:3], shape[3:6], float(shape[6]), float(shape[7]))
    return OtherCurve("polyline")


def _face_loops(edges: tuple[Edge, ...], uses: Walk) -> list[Walk]:
    onward: dict[int, Walk] = defaultdict(list)
    for number, back in uses:
        onward[edges[number].vertices[1 if back else 0]].append((number, back))
    loops = []
    for step in uses:
        start = edges[step[0]].vertices[1 if step[1] else 0]
        if step not in onward[start]:
            continue
        onward[start].remove(step)
        walk = [step]
        at = edges[step[0]].vertices[0 if step[1] else 1]
        while at != start and onward[at]:
            walk.append(onward[at].pop(0))
            at = edges[walk[-1][0]].vertices[0 if walk[-1][1] else 1]
        loops.append(walk)
    return loops
