"""Edges of a part: their course and whether they are convex.

The base mesh holds, for each edge and each of its faces, the rows of the points along it, with that face's exact
normals: convexity is read from those rather than asked of the kernel point by point.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.pieces import Borders
from fettle.geometry.kernel.surface_normals import surface_normal
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.mesh import Mesh
from fettle.geometry.part import SMOOTH_DEG, Convexity, Edge

_PLACES = 3


def read_edges(
    topology: Topology,
    mesh: Mesh,
    borders: Borders,
    turned: NDArray[np.bool_],
    outward: NDArray[np.bool_],
    samples: Samples,
) -> tuple[list[Edge], list[int]]:
    """The edges, and for every kernel edge its number among them (-1: a seam, or degenerated).

    `turned` (faces,): faces whose boundary the kernel orients the other way round than seen from outside; `outward`
    (faces,): the surface's own normal points out of the material.
    """
    sides = _sides(topology, borders)
    angles = _angles(mesh, borders, sides, turned)
    for index in np.flatnonzero(np.isnan(angles[:, 0])).tolist():
        uses = topology.uses[index]
        if samples.curves[index] is not None and len(uses) > 1:
            angles[index] = _surface_angles(topology, index, turned, outward, samples)
    # asked of all edges at once: a call into numpy costs more than what it does for one
    means, lows, highs = angles.mean(axis=1).tolist(), angles.min(axis=1).tolist(), angles.max(axis=1).tolist()
    lengths = samples.length_mm.tolist()
    border, start = sides[:, 0].tolist(), borders.start.tolist()
    along = _frozen(mesh.points[borders.rows])
    edges: list[Edge] = []
    numbers = [-1] * len(topology.edges)
    for index, uses in enumerate(topology.uses):
        curve = samples.curves[index]
        if curve is None or not uses:
            continue
        mean = means[index]
        faces = (uses[0][0], uses[1][0] if len(uses) > 1 else -1)
        if faces[0] == faces[1] and not abs(mean - 180.0) > SMOOTH_DEG:
            continue
        on_mesh = border[index]
        numbers[index] = len(edges)
        edges.append(
            Edge(
                faces=faces,
                convexity=_convexity(mean),
                angle_deg=mean,
                angle_range_deg=(lows[index], highs[index]),
                length_mm=lengths[index],
                curve=curve,
                vertices=topology.edge_vertices[index],
                points=along[start[on_mesh] : start[on_mesh + 1]] if on_mesh >= 0 else _sampled(samples, index),
            )
        )
    return edges, numbers


def _sides(topology: Topology, borders: Borders) -> NDArray[np.int64]:
    """Shape (edges, 2): the border of each edge on its first and its second face, -1 where the mesh has none."""
    found = {
        key: position
        for position, key in enumerate(
            zip(borders.edge.tolist(), borders.face.tolist(), borders.reversed.tolist(), strict=True)
        )
    }
    sides = np.full((len(topology.edges), 2), -1)
    for index, uses in enumerate(topology.uses):
        for side, (face, use) in enumerate(uses[:2]):
            sides[index, side] = found.get((index, face, use.reversed), -1)
    return sides


def _angles(mesh: Mesh, borders: Borders, sides: NDArray[np.int64], turned: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Shape (edges, 3): angle through the material at three places along each edge, degrees; nan where it is free."""
    count = borders.start[1:] - borders.start[:-1]
    angles = np.full((len(sides), _PLACES), math.nan)
    both = np.flatnonzero((sides >= 0).all(axis=1))
    both = both[count[sides[both, 0]] == count[sides[both, 1]]]
    first, second = sides[both, 0], sides[both, 1]
    size = count[first][:, None]
    # a sixth of the way in from both ends, where there are points: ends may be apexes, or touch other faces
    places = np.concatenate([size // 6, size // 2, size - 1 - size // 6], axis=1)
    rows = borders.rows[borders.start[first][:, None] + places]
    others = borders.rows[borders.start[second][:, None] + places]
    before = borders.rows[borders.start[first][:, None] + np.maximum(places - 1, 0)]
    after = borders.rows[borders.start[first][:, None] + np.minimum(places + 1, size - 1)]
    tangent = mesh.points[after] - mesh.points[before]
    backwards = borders.reversed[first] ^ turned[borders.face[first]]
    tangent[backwards] *= -1.0
    a, b = mesh.normals[rows], mesh.normals[others]
    cross = np.cross(a, b)
    bend = np.copysign(np.linalg.norm(cross, axis=2), np.einsum("ijk,ijk->ij", cross, tangent))
    angles[both] = 180.0 - np.degrees(np.arctan2(bend, np.einsum("ijk,ijk->ij", a, b)))
    return angles


def _surface_angles(
    topology: Topology, edge: int, turned: NDArray[np.bool_], outward: NDArray[np.bool_], samples: Samples
) -> list[float]:
    """Angles as in `_angles` of an edge that the mesh lacks, from the surfaces on both sides; nan where one of them has
    no normal."""
    (first, use), (second, _) = topology.uses[edge][:2]
    start, size = int(samples.start[edge]), int(samples.start[edge + 1] - samples.start[edge])
    angles = []
    for place in (size // 6, size // 2, size - 1 - size // 6):
        point, tangent = samples.points[start + place], samples.steps[start + place]
        a, b = (surface_normal(topology.faces[face], point, bool(outward[face])) for face in (first, second))
        cross = np.cross(a, b)
        along = -tangent if use.reversed ^ bool(turned[first]) else tangent
        bend = math.copysign(float(np.linalg.norm(cross)), float(cross @ along))
        angles.append(180.0 - math.degrees(math.atan2(bend, float(a @ b))))
    return angles


def _convexity(angle_deg: float) -> Convexity:
    if math.isnan(angle_deg):
        return Convexity.FREE
    if abs(angle_deg - 180.0) <= SMOOTH_DEG:
        return Convexity.SMOOTH
    return Convexity.CONVEX if angle_deg < 180.0 else Convexity.CONCAVE


def _sampled(samples: Samples, index: int) -> NDArray[np.float64]:
    """Points along an edge that the mesh does not have."""
    return _frozen(samples.points[samples.start[index] : samples.start[index + 1]].copy())


def _frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.setflags(write=False)
    return array
