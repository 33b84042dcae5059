"""Boundaries of faces: closed chains of edges, seams left out, material to the left seen from outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.topology import Topology, Use
from fettle.jit import njit

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Boundaries:
    """Loops of all faces, one after the other; face f owns loops face_start[f] to face_start[f + 1].

    `chains[l]`: (kernel edge, reversed) in order. points, steps: the edges' samples in that order and direction, loop l
    owning rows loop_start[l] to loop_start[l + 1]. area_vectors (loops, 3): integral of the normal over any patch that
    the loop would bound. `has_seam` (faces,): the face meets itself along a seam.
    """

    chains: list[list[tuple[int, bool]]]
    face_start: NDArray[np.int64]
    loop_start: NDArray[np.int64]
    points: Array
    steps: Array
    area_vectors: Array
    has_seam: NDArray[np.bool_]

    def sample_counts(self) -> NDArray[np.int64]:
        """Shape (faces,): rows of `points` of each face."""
        return np.diff(self.loop_start[self.face_start])

    def of_face(self, face: int) -> Array:
        """Shape (n, 3): points along all loops of a face."""
        first, last = self.loop_start[self.face_start[face]], self.loop_start[self.face_start[face + 1]]
        return self.points[first:last]


def bound(topology: Topology, numbers: list[int], turned: NDArray[np.bool_], samples: Samples) -> Boundaries:
    """`numbers`: -1 marks the seams; `turned`: faces whose boundary the kernel orients as seen from inside."""
    chains: list[list[tuple[int, bool]]] = []
    face_start = [0]
    has_seam = np.zeros(len(topology.faces), np.bool_)
    for face, wires in enumerate(topology.wires):
        for wire in wires:
            real = [use for use in wire if numbers[use.number] >= 0]
            has_seam[face] |= len(real) < len(wire)
            for chain in _chains(real, topology.edge_vertices):
                steps = [(use.number, use.reversed) for use in chain]
                if turned[face]:
                    steps = [(edge, not backwards) for edge, backwards in reversed(steps)]
                chains.append(steps)
        face_start.append(len(chains))
    return _sampled(chains, np.array(face_start), has_seam, samples)


def outer_loops(boundaries: Boundaries, normal_sums: Array) -> list[int]:
    """Of each face the loop that is its outer boundary, or -1 where none is. `normal_sums` (faces, 3): integrals of
    their normals."""
    outer: list[int] = _outermost(
        boundaries.face_start, boundaries.area_vectors, boundaries.has_seam, normal_sums
    ).tolist()
    return outer


@njit(cache=True)
def _outermost(
    face_start: NDArray[np.int64], area_vectors: Array, has_seam: NDArray[np.bool_], normal_sums: Array
) -> NDArray[np.int64]:
    outer = np.full(len(normal_sums), -1)
    for face in range(len(normal_sums)):
        first, last = face_start[face], face_start[face + 1]
        if has_seam[face] and last - first > 1:
            continue
        most = -np.inf
        for loop in range(first, last):
            along = 0.0
            for axis in range(3):
                along += area_vectors[loop, axis] * normal_sums[face, axis]
            if along > most or loop == first:
                most = along
                outer[face] = loop
    return outer


def _chains(uses: list[Use], vertices: list[tuple[int, int]]) -> list[list[Use]]:
    """Closed chains, each following the boundary from vertex to vertex; wire order decides where paths cross."""
    left = list(uses)
    starts = [vertices[use.number][use.reversed] for use in uses]
    chains = []
    while left:
        chain = [left.pop(0)]
        start, end = starts.pop(0), vertices[chain[0].number][not chain[0].reversed]
        while end != start and end in starts:
            found = starts.index(end)
            use = left.pop(found)
            del starts[found]
            chain.append(use)
            end = vertices[use.number][not use.reversed]
        chains.append(chain)
    return chains


def _sampled(
    chains: list[list[tuple[int, bool]]],
    face_start: NDArray[np.int64],
    has_seam: NDArray[np.bool_],
    samples: Samples,
) -> Boundaries:
    edge = np.array([step[0] for chain in chains for step in chain], dtype=np.int64)
    backwards = np.array([step[1] for chain in chains for step in chain], dtype=np.bool_)
    chain_start = np.cumsum([0] + [len(chain) for chain in chains])
    size = samples.start[edge + 1] - samples.start[edge]
    loop_start = np.concatenate(([0], np.cumsum(size)))[chain_start]
    points, steps, area_vectors = follow(
        edge, backwards, chain_start, loop_start, samples.start, samples.points, samples.steps
    )
    return Boundaries(chains, face_start, loop_start, points, steps, area_vectors, has_seam)


@njit(cache=True)
def follow(
    edge: NDArray[np.int64],
    backwards: NDArray[np.bool_],
    chain_start: NDArray[np.int64],
    loop_start: NDArray[np.int64],
    sample_start: NDArray[np.int64],
    sample_points: Array,
    sample_steps: Array,
) -> tuple[Array, Array, Array]:
    """Points and steps along the chains, and the area vector of each."""
    points, steps = np.empty((loop_start[-1], 3)), np.empty((loop_start[-1], 3))
    vectors = np.zeros((len(loop_start) - 1, 3))
    for loop in range(len(loop_start) - 1):
        row = first = loop_start[loop]
        for k in range(chain_start[loop], chain_start[loop + 1]):
            low, high = sample_start[edge[k]], sample_start[edge[k] + 1]
            for index in range(high - low):
                at = high - 1 - index if backwards[k] else low + index
                for axis in range(3):
                    points[row, axis] = sample_points[at, axis]
                    steps[row, axis] = -sample_steps[at, axis] if backwards[k] else sample_steps[at, axis]
                for axis in range(3):
                    i, j = (axis + 1) % 3, (axis + 2) % 3
                    # about a point of the loop itself: far from the origin the sums would cancel
                    arm_i, arm_j = points[row, i] - points[first, i], points[row, j] - points[first, j]
                    vectors[loop, axis] += 0.5 * (arm_i * steps[row, j] - arm_j * steps[row, i])
                row += 1
    return points, steps, vectors
