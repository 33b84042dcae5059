"""Boundaries of faces: closed chains of edges, seams left out, material to the left seen from outside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.topology import Topology, Use

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


def outer_loop(boundaries: Boundaries, face: int, normal_sum: Array) -> int:
    """The loop that is the face's outer boundary, or -1 where none is. `normal_sum`: integral of its normal, (3,)."""
    first, last = int(boundaries.face_start[face]), int(boundaries.face_start[face + 1])
    if last == first or (boundaries.has_seam[face] and last - first > 1):
        return -1
    if last - first == 1:
        return first
    return int(first + np.argmax(boundaries.area_vectors[first:last] @ normal_sum))


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
    size = samples.start[edge + 1] - samples.start[edge]
    ends = np.cumsum(size)
    within = np.arange(int(size.sum())) - np.repeat(ends - size, size)
    turned = np.repeat(backwards, size)
    rows = np.where(
        turned, np.repeat(samples.start[edge + 1] - 1, size) - within, np.repeat(samples.start[edge], size) + within
    )
    points = samples.points[rows]
    steps = np.where(turned[:, None], -samples.steps[rows], samples.steps[rows])
    chain_ends = np.cumsum([0] + [len(chain) for chain in chains])
    loop_start = np.concatenate(([0], ends))[chain_ends]
    # taken about a point of the loop itself: far from the origin the sums would cancel
    arms = points - np.repeat(points[np.minimum(loop_start[:-1], len(points) - 1)], np.diff(loop_start), axis=0)
    moments = np.concatenate((np.zeros((1, 3)), np.cumsum(np.cross(arms, steps), axis=0)))
    return Boundaries(
        chains,
        face_start,
        loop_start,
        points,
        steps,
        0.5 * (moments[loop_start[1:]] - moments[loop_start[:-1]]),
        has_seam,
    )
