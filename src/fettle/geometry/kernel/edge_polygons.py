"""Points along edges for meshing, so close that neither the angle between their chords nor the way to them is too
large."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import acos, ceil, cos, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.GCPnts import GCPnts_TangentialDeflection

from fettle.geometry.exact.straight_trims import CIRCLE, LINE
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.pieces import Pieces
from fettle.geometry.kernel.topology import Topology
from fettle.jit import njit

Array = NDArray[np.float64]

ROUNDING = 1e-9
"""Share of a step by which an arc may be longer for rounding."""
CLOSED_STEPS = 3
"""Chords of a closed curve, at the least."""
KERNEL_SHARE = 0.5
"""The kernel's mesher divides edges by half the angle and half the deflection that it is asked for. Ours are as fine:
the points of an edge do not depend on who triangulates the faces beside it."""
PARAMETER_PRECISION = 1e-9
"""Of a curve's parameter: points nearer to each other are one."""
LEAST_LENGTH_MM = 1e-7
"""Of a chord: the kernel's precision."""


class EdgePolygons(NamedTuple):
    """Edge e owns points start[e] to start[e + 1], its ends included; edges that nobody asked for own none."""

    start: NDArray[np.int64]
    points: Array


def edge_polygons(
    topology: Topology,
    samples: Samples,
    asked: NDArray[np.bool_],
    meshed: Pieces,
    deflection_mm: float,
    angle_rad: float,
) -> EdgePolygons:
    """Polygons of the edges that are `asked` for (edges,): those that faces of `meshed` have already; the others as the
    kernel's mesher would divide them."""
    deflection_mm, angle_rad = KERNEL_SHARE * deflection_mm, KERNEL_SHARE * angle_rad
    known = _polygons_of(meshed, len(topology.edges))
    given = {edge: known[edge] for edge in np.flatnonzero(asked).tolist() if edge in known}
    by_formula = asked & (samples.conic_kind >= 0)
    by_formula[list(given)] = False
    counts = _conic_points(samples.conic_kind, samples.conics, by_formula, deflection_mm, angle_rad)
    others = [edge for edge in np.flatnonzero(asked & ~by_formula).tolist() if edge not in given]
    given |= zip(others, _by_kernel(topology, others, deflection_mm, angle_rad), strict=True)
    for edge, polygon in given.items():
        counts[edge] = len(polygon)
    start = np.concatenate(([0], np.cumsum(counts)))
    points = np.empty((start[-1], 3))
    _write_conics(samples.conic_kind, samples.conics, by_formula, start, points)
    for edge, polygon in given.items():
        points[start[edge] : start[edge + 1]] = polygon
    return EdgePolygons(start, points)


def _polygons_of(meshed: Pieces, count: int) -> dict[int, Array]:
    """Points along each edge that the faces have, from the first face that has it."""
    borders = meshed.borders
    edges, first = np.unique(np.where(meshed.degenerated, count, borders.edge), return_index=True)
    return {
        edge: meshed.points[borders.rows[borders.start[use] : borders.start[use + 1]]]
        for edge, use in zip(edges.tolist(), first.tolist(), strict=True)
        if edge < count
    }


def _by_kernel(topology: Topology, edges: list[int], deflection_mm: float, angle_rad: float) -> list[Array]:
    """Points (n, 3) along each of some edges, on any curve."""
    polygons = []
    for edge in edges:
        curve = BRepAdaptor_Curve(topology.edges[edge])
        first, last = topology.edge_vertices[edge]
        fewest = CLOSED_STEPS + 1 if first == last else 2
        divided = GCPnts_TangentialDeflection(
            curve, angle_rad, deflection_mm, fewest, PARAMETER_PRECISION, LEAST_LENGTH_MM
        )
        polygons.append([divided.Value(index) for index in range(1, divided.NbPoints() + 1)])
    points = kernel_arrays.components_of([point for polygon in polygons for point in polygon], 3)
    start = accumulate(map(len, polygons), initial=0)
    return [points[first:last] for first, last in pairwise(start)]


@njit(cache=True)
def _conic_points(
    kinds: NDArray[np.int8], conics: Array, taken: NDArray[np.bool_], deflection_mm: float, angle_rad: float
) -> NDArray[np.int64]:
    """Shape (edges,): how many points the polygon of each line and circle has that is taken, 0 for the others."""
    counts = np.zeros(len(kinds), np.int64)
    for edge in range(len(kinds)):
        if not taken[edge]:
            continue
        if kinds[edge] == LINE:
            counts[edge] = 2
        elif kinds[edge] == CIRCLE:
            extent, radius = conics[edge, 1] - conics[edge, 0], conics[edge, 14]
            step = angle_rad
            if deflection_mm < radius:
                step = min(step, 2.0 * acos(1.0 - deflection_mm / radius))
            steps = ceil(extent / step - ROUNDING)
            counts[edge] = 1 + max(steps, 1 if extent < pi else CLOSED_STEPS)
    return counts


@njit(cache=True)
def _write_conics(
    kinds: NDArray[np.int8], conics: Array, taken: NDArray[np.bool_], start: NDArray[np.int64], points: Array
) -> None:
    for edge in range(len(kinds)):
        if not taken[edge]:
            continue
        row, steps = conics[edge], start[edge + 1] - start[edge] - 1
        for step in range(steps + 1):
            t = row[0] + step * (row[1] - row[0]) / steps if step < steps else row[1]
            for i in range(3):
                if kinds[edge] == LINE:
                    points[start[edge] + step, i] = row[2 + i] + t * row[5 + i]
                else:
                    around = cos(t) * row[11 + i] + sin(t) * row[8 + i]
                    points[start[edge] + step, i] = row[2 + i] + row[14] * around
