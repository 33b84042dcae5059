"""Edges and loops between patches: chains of mesh sides, their curves and their angles."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Circle, Convexity, Curve, Edge, Line, Loop, OtherCurve
from fettle.geometry.patches.split import Patches

SMOOTH_DEG = 1.0
Array = NDArray[np.float64]


def find_edges(patches: Patches, mesh: Mesh) -> tuple[Edge, ...]:
    """Edges run with the boundary of the lower face number: its material lies to their left, seen from outside."""
    tolerance_mm = max(10.0 * patches.tolerance_mm, 1e-4)
    numbers: dict[int, int] = {}
    edges = []
    for faces, chain in _chains(patches):
        ends = (chain[0], chain[-1])
        vertices = tuple(numbers.setdefault(end, len(numbers)) for end in ends)
        points = patches.net.points[chain]
        angles = _angles(mesh, faces, chain, points)
        curve, length = _curve(points, chain[0] == chain[-1], tolerance_mm)
        mean = float(angles.mean())
        edges.append(
            Edge(
                faces=faces,
                convexity=_convexity(mean),
                angle_deg=mean,
                angle_range_deg=(float(angles.min()), float(angles.max())),
                length_mm=length,
                curve=curve,
                vertices=(vertices[0], vertices[1]),
                points=_frozen(points),
            )
        )
    return tuple(edges)


def find_loops(edges: tuple[Edge, ...], face_count: int) -> list[list[tuple[list[int], list[bool]]]]:
    """By face: its closed chains of (edges, reversed), each following the boundary from vertex to vertex."""
    uses: list[list[tuple[int, bool]]] = [[] for _ in range(face_count)]
    for number, edge in enumerate(edges):
        uses[edge.faces[0]].append((number, False))
        uses[edge.faces[1]].append((number, True))
    return [_face_loops(edges, own) for own in uses]


def outer_loop(loops: list[tuple[list[int], list[bool]]], edges: tuple[Edge, ...], face_normal: Array) -> int:
    """Number of the loop around the others: the one that encloses most area along the face's mean normal."""
    enclosed = []
    for members, reverse in loops:
        runs = [edges[e].points[::-1] if back else edges[e].points for e, back in zip(members, reverse, strict=True)]
        path = np.concatenate([run[:-1] for run in runs])
        path = path - path[0]
        enclosed.append(float(0.5 * np.cross(path, np.roll(path, -1, axis=0)).sum(axis=0) @ face_normal))
    return int(np.argmax(enclosed))


def as_loops(loops: list[tuple[list[int], list[bool]]], outer: int) -> tuple[Loop, ...]:
    return tuple(Loop(tuple(members), tuple(back), number == outer) for number, (members, back) in enumerate(loops))


def _chains(patches: Patches) -> Iterable[tuple[tuple[int, int], list[int]]]:
    """Faces and vertices of each chain of sides between two patches, from branching vertex to branching vertex."""
    net, patch = patches.net, patches.triangle_patch
    tail, tip = net.triangles.ravel(), np.roll(net.triangles, -1, axis=1).ravel()
    here, there = np.repeat(patch, 3), patch[net.neighbours.ravel()]
    border = here < there
    tail, tip, here, there = tail[border], tip[border], here[border], there[border]
    degree = np.bincount(np.concatenate([tail, tip]), minlength=len(net.points))
    order = np.lexsort([tail, there, here])
    follow: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
    into: dict[tuple[int, int, int], int] = defaultdict(int)
    for k in order.tolist():
        pair = (int(here[k]), int(there[k]))
        follow[pair].setdefault(int(tail[k]), []).append(int(tip[k]))
        into[(*pair, int(tip[k]))] += 1
    for pair, onward in follow.items():
        branching = [v for v, tips in onward.items() if degree[v] != 2 or len(tips) != 1 or into[(*pair, v)] != 1]
        starts = set(branching)
        for first in [v for v in branching for _ in onward[v]] + list(onward):
            if not onward.get(first):
                continue
            chain = [first, onward[first].pop(0)]
            while chain[-1] != first and chain[-1] not in starts and onward.get(chain[-1]):
                chain.append(onward[chain[-1]].pop(0))
            yield pair, chain


def _angles(mesh: Mesh, faces: tuple[int, int], chain: list[int], points: Array) -> Array:
    """Angle through the material along the chain, degrees, by point."""
    a, b = (mesh.normals[_rows(mesh, face, chain)] for face in faces)
    closed = chain[0] == chain[-1]
    after = np.roll(points[:-1], -1, axis=0) if closed else points[1:]
    tangents = np.empty_like(points)
    tangents[:-1] = after - points[:-1] if not closed else after - np.roll(points[:-1], 1, axis=0)
    tangents[-1] = tangents[0] if closed else points[-1] - points[-2]
    cross = np.cross(a, b)
    bend = np.copysign(np.linalg.norm(cross, axis=1), np.einsum("ij,ij->i", cross, tangents))
    angles: Array = 180.0 - np.degrees(np.arctan2(bend, np.einsum("ij,ij->i", a, b)))
    # at the ends another face may round the corner off; the edge's own angle is the one between
    return angles[1:-1] if len(angles) > 2 else angles


def _rows(mesh: Mesh, face: int, chain: list[int]) -> NDArray[np.int64]:
    """Rows of the mesh points on one face's side; rows of a face are consecutive and sorted by vertex."""
    first, last = np.searchsorted(mesh.point_face, [face, face + 1])
    rows: NDArray[np.int64] = first + np.searchsorted(mesh.vertex[first:last], np.array(chain))
    return rows


def _convexity(angle_deg: float) -> Convexity:
    if abs(angle_deg - 180.0) <= SMOOTH_DEG:
        return Convexity.SMOOTH
    return Convexity.CONVEX if angle_deg < 180.0 else Convexity.CONCAVE


def _curve(points: Array, closed: bool, tolerance_mm: float) -> tuple[Curve, float]:
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if not closed:
        chord = points[-1] - points[0]
        length = float(np.linalg.norm(chord))
        direction = chord / max(length, 1e-300)
        away = np.linalg.norm(np.cross(points - points[0], direction), axis=1)
        if away.max() <= tolerance_mm:
            return Line(_frozen(direction)), length
    circle = _circle(points, closed, tolerance_mm) if len(points) > 3 else None
    if circle is not None:
        return circle, circle.radius_mm * math.radians(circle.extent_deg)
    return OtherCurve("polyline"), float(steps.sum())


def _circle(points: Array, closed: bool, tolerance_mm: float) -> Circle | None:
    """The circle through all the points, its axis right-handed to their order."""
    middle = points.mean(axis=0)
    local = points - middle
    _, _, frame = np.linalg.svd(local, full_matrices=False)
    if np.abs(local @ frame[2]).max() > tolerance_mm:
        return None
    flat = local @ frame[:2].T
    system = np.column_stack([2.0 * flat, np.ones(len(flat))])
    x, y, c = np.linalg.lstsq(system, (flat**2).sum(axis=1), rcond=None)[0]
    radius = math.sqrt(max(c + x * x + y * y, 0.0))
    spokes = flat - [x, y]
    if np.abs(np.linalg.norm(spokes, axis=1) - radius).max() > tolerance_mm:
        return None
    turns = np.arctan2(
        spokes[:-1, 0] * spokes[1:, 1] - spokes[:-1, 1] * spokes[1:, 0], (spokes[:-1] * spokes[1:]).sum(axis=1)
    )
    axis = np.cross(frame[0], frame[1]) * (1.0 if turns.sum() > 0 else -1.0)
    extent = 360.0 if closed else min(abs(math.degrees(float(turns.sum()))), 360.0)
    return Circle(_frozen(middle + x * frame[0] + y * frame[1]), _frozen(axis), radius, extent)


def _face_loops(edges: tuple[Edge, ...], uses: list[tuple[int, bool]]) -> list[tuple[list[int], list[bool]]]:
    onward: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for number, back in uses:
        onward[edges[number].vertices[1 if back else 0]].append((number, back))
    loops = []
    for number, back in uses:
        start = edges[number].vertices[1 if back else 0]
        if (number, back) not in onward[start]:
            continue
        onward[start].remove((number, back))
        chain = [(number, back)]
        at = edges[number].vertices[0 if back else 1]
        while at != start and onward[at]:
            chain.append(onward[at].pop(0))
            at = edges[chain[-1][0]].vertices[0 if chain[-1][1] else 1]
        loops.append(([edge for edge, _ in chain], [turned for _, turned in chain]))
    return loops


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
