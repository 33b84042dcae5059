"""Plane faces whose boundaries are sound as the file has them: the kernel's repair would change nothing of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_Plane

from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.file_boundaries import KERNEL_PRECISION_MM, FileBoundaries
from fettle.geometry.kernel.loops import follow
from fettle.geometry.kernel.topology import Topology

Array = NDArray[np.float64]

_PLANE = int(GeomAbs_Plane)


@dataclass(frozen=True, slots=True, eq=False)
class SoundPlanes:
    """`sound` (faces,): plane, and each boundary is a chain of edges that meets no vertex twice, the outer one to the
    left and the holes to the right. `level` (faces,): sound, and no edge leaves the plane."""

    sound: NDArray[np.bool_]
    level: NDArray[np.bool_]


def find_sound_planes(
    topology: Topology, samples: Samples, boundaries: FileBoundaries, precision_mm: float
) -> SoundPlanes:
    """`precision_mm`: how exact the file is."""
    origins, normals = _planes(topology)
    sound: NDArray[np.bool_] = boundaries.usable & ~np.isnan(normals[:, 0])
    sound &= np.array([not seams for seams in topology.seams], dtype=np.bool_)
    wires = boundaries.wires
    wire_face, wire_start, edge, wire_of_use = wires.wire_face, wires.wire_start, wires.edge, wires.wire_of_use
    sound[wire_face[wire_of_use[_meets_vertex_twice(boundaries, wire_of_use)]]] = False
    rows = np.concatenate(([0], np.cumsum(samples.start[edge + 1] - samples.start[edge])))
    points, _, area_vectors = follow(
        edge, wires.backwards, wire_start, rows[wire_start], samples.start, samples.points, samples.steps
    )
    areas = np.nan_to_num(np.einsum("ij,ij->i", area_vectors, normals[wire_face]))
    perimeters = np.bincount(wire_of_use, weights=samples.length_mm[edge], minlength=len(wire_face))
    sound[wire_face[np.abs(areas) <= precision_mm * perimeters]] = False
    outer = np.bincount(wire_face, weights=areas > 0.0, minlength=len(sound))
    sound &= outer == 1.0
    point_face = np.repeat(wire_face, np.diff(rows[wire_start]))
    off_mm = np.abs(np.einsum("ij,ij->i", points - origins[point_face], normals[point_face]))
    level = sound.copy()
    level[point_face[~(off_mm <= KERNEL_PRECISION_MM)]] = False
    return SoundPlanes(sound, level)


def _planes(topology: Topology) -> tuple[Array, Array]:
    """A point (faces, 3) and dU x dV (faces, 3) of the faces that are plane, nan of the others."""
    frames = np.full((len(topology.faces), 12), np.nan)
    for number, face in enumerate(topology.faces):
        adaptor = BRepAdaptor_Surface(face, False)
        if int(adaptor.GetType()) == _PLANE:
            frames[number] = kernel_arrays.components(adaptor.Plane(), 12)
    return frames[:, :3], np.cross(frames[:, 9:12], frames[:, 6:9])


def _meets_vertex_twice(boundaries: FileBoundaries, wire_of_use: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Shape (uses,): another edge of the wire starts where this one does."""
    _, place, times = np.unique(
        np.stack([wire_of_use, boundaries.from_vertex], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    meets_twice: NDArray[np.bool_] = times[place.ravel()] > 1
    return meets_twice
