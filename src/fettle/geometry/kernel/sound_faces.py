"""Faces whose boundaries are sound as the file has them: the kernel's repair would change nothing of them.

Planes, cylinders, cones, spheres and tori are triangulated and integrated from their outlines in space, so they need no
trimming curves either, which on curved faces the repair would add.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.outline_turns import lay_out
from fettle.geometry.kernel.file_boundaries import FileBoundaries
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.surfaces.encoding import FREEFORM, PLANE, TORUS

LOOSEST_MM = 0.05
"""Edges further off a curved face are for the kernel's repair to judge."""


@dataclass(frozen=True, slots=True, eq=False)
class SoundFaces:
    """`sound` (faces,): on a simple surface, and each boundary is a chain of edges that meets no vertex twice and goes
    round no axis, the outer one to the left and the holes to the right; the tip of a cone may be on it. `off_mm`
    (edges,): how far an edge runs off the sound faces beside it."""

    sound: NDArray[np.bool_]
    off_mm: NDArray[np.float64]


def find_sound_faces(
    sampled: SampledShape, boundaries: FileBoundaries, precision_mm: float, *, has_trims: bool
) -> SoundFaces:
    """`precision_mm`: how exact the file is; `has_trims`: it has trimming curves, which on curved faces are to be right
    or replaced, so that none of these is sound."""
    topology, samples = sampled.topology, sampled.samples
    kinds, frames = sampled.surfaces
    # the kernel is asked on which side of its shells a body with cavities is
    has_cavities = np.array([len(shells) > 1 for shells in topology.bodies], np.bool_)[topology.face_body]
    needs_trims = has_trims | has_cavities
    sound: NDArray[np.bool_] = boundaries.usable & ((kinds == PLANE) | ((kinds != FREEFORM) & ~needs_trims))
    sound &= np.array([not seams for seams in topology.seams], dtype=np.bool_)
    # a tube wider than its way around passes through itself
    sound &= ~((kinds == TORUS) & (frames[:, 13] >= frames[:, 12]))
    wires = boundaries.wires
    wire_face, wire_start, edge, wire_of_use = wires.wire_face, wires.wire_start, wires.edge, wires.wire_of_use
    sound[wire_face[wire_of_use[_meets_vertex_twice(boundaries, wire_of_use)]]] = False
    areas_mm2, off_mm = lay_out(
        kinds,
        frames,
        wire_face,
        wire_start,
        edge,
        wires.backwards,
        samples.start,
        samples.points,
        samples.steps,
    )
    perimeters_mm = np.bincount(wire_of_use, weights=samples.length_mm[edge], minlength=len(wire_face))
    sound[wire_face[~(np.abs(areas_mm2) > precision_mm * perimeters_mm)]] = False
    sound &= np.bincount(wire_face, weights=areas_mm2 > 0.0, minlength=len(sound)) == 1.0
    face = wires.face_of_use
    sound[face[(kinds[face] != PLANE) & ~(off_mm <= LOOSEST_MM)]] = False
    off_edge_mm = np.zeros(len(topology.edges))
    np.maximum.at(off_edge_mm, edge[sound[face]], off_mm[sound[face]])
    return SoundFaces(sound, off_edge_mm)


def _meets_vertex_twice(boundaries: FileBoundaries, wire_of_use: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Shape (uses,): another edge of the wire starts where this one does."""
    # a number for each pair: pairs themselves take ten times as long to sort
    pairs = wire_of_use * (1 + len(boundaries.from_vertex)) + boundaries.from_vertex
    _, place, times = np.unique(pairs, return_inverse=True, return_counts=True)
    meets_twice: NDArray[np.bool_] = times[place] > 1
    return meets_twice
