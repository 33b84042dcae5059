"""Faces on simple surfaces are triangulated from the points along their edges, without the kernel's mesher.

Most faces of machined parts are of this kind, and the kernel's mesher takes as long for them as reading the file. Ours
needs no trimming curves, and triangulates a plate of thousands of holes in the time of its points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.edge_polygons import edge_polygons
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.pieces import Borders, Pieces
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.kernel.wires import Wires, order_wires
from fettle.geometry.meshing.simple_faces import FaceOutlines, SimpleFaces, triangulate_outlines
from fettle.geometry.surfaces.encoding import CONE, FREEFORM, SPHERE, TORUS

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SimpleSurfaces:
    """kinds (faces,) and frames (faces, 14) of all faces; chosen (faces,): those that can be laid out in a plane, as
    far as is told by their surfaces and the chains of their edges."""

    wires: Wires
    kinds: NDArray[np.int8]
    frames: Array
    chosen: NDArray[np.bool_]


def find_simple(topology: Topology) -> SimpleSurfaces:
    """Surfaces and wires of all faces, and which of them can be triangulated from their outlines."""
    kinds, frames = read_frames(topology.faces)
    wires = order_wires(topology)
    # tips of cones and poles of spheres are points like others; what else is degenerated is not understood here
    chosen = wires.closed & (kinds != FREEFORM)
    chosen &= np.isin(kinds, (CONE, SPHERE)) | np.array([not tips for tips in topology.tips], np.bool_)
    # a tube wider than its way around passes through itself
    chosen &= ~((kinds == TORUS) & (frames[:, 13] >= frames[:, 12]))
    for number in np.flatnonzero(chosen).tolist():
        place = topology.faces[number].Location()
        chosen[number] = place.IsIdentity() or not place.Transformation().IsNegative()
    return SimpleSurfaces(wires, kinds, frames, chosen)


def triangulate_simple(
    topology: Topology,
    samples: Samples,
    simple: SimpleSurfaces,
    taken: NDArray[np.bool_],
    meshed: Pieces,
    deflection_mm: float,
    angle_rad: float,
) -> tuple[Pieces, NDArray[np.bool_]]:
    """Triangulations of the faces that are `taken` (faces,), and of which there is one (faces,). Along edges of faces
    that are `meshed` already they have the same points."""
    wires = simple.wires
    in_taken = taken[wires.face_of_use]
    asked = np.zeros(len(topology.edges), np.bool_)
    asked[wires.edge[in_taken]] = True
    polygons = edge_polygons(topology, samples, asked, meshed, deflection_mm, angle_rad)
    kept = taken[wires.wire_face]
    outlines = FaceOutlines(
        wires.wire_face[kept],
        np.concatenate(([0], np.cumsum(np.diff(wires.wire_start)[kept]))),
        wires.edge[in_taken],
        wires.backwards[in_taken],
        wires.vertices,
        polygons.start,
        polygons.points,
    )
    found = triangulate_outlines(simple.kinds, np.nan_to_num(simple.frames), outlines, angle_rad, deflection_mm)
    return _as_pieces(topology, outlines, found), found.done


def _as_pieces(topology: Topology, outlines: FaceOutlines, found: SimpleFaces) -> Pieces:
    turned = np.array(topology.reversed_faces, dtype=np.bool_)
    use_face = np.repeat(outlines.wire_face, np.diff(outlines.wire_start))
    uses = np.flatnonzero(found.done[use_face])
    sizes = np.diff(outlines.polygon_start)[outlines.edge[uses]]
    start = np.concatenate(([0], np.cumsum(sizes)))
    # the last point of a use is the first of the next one along its wire
    following = np.arange(1, len(use_face) + 1)
    filled = np.diff(outlines.wire_start) > 0
    following[outlines.wire_start[1:][filled] - 1] = outlines.wire_start[:-1][filled]
    place = np.arange(start[-1]) - np.repeat(start[:-1], sizes)
    rows = np.repeat(found.use_row[uses], sizes) + place
    rows[start[1:] - 1] = found.use_row[following[uses]]
    # along the edge's own curve
    mirrored = np.repeat(start[:-1] + start[1:] - 1, sizes) - np.arange(start[-1])
    rows = np.where(np.repeat(outlines.backwards[uses], sizes), rows[mirrored], rows)
    is_turned = turned[found.point_face]
    return Pieces(
        points=found.points,
        normals=np.where(is_turned[:, None], -found.normals, found.normals),
        point_face=found.point_face,
        triangles=np.where(turned[found.triangle_face, None], found.triangles[:, ::-1], found.triangles),
        triangle_face=found.triangle_face,
        borders=Borders(
            edge=outlines.edge[uses].astype(np.int32),
            face=use_face[uses].astype(np.int32),
            reversed=outlines.backwards[uses] ^ turned[use_face[uses]],
            start=start.astype(np.int32),
            rows=rows.astype(np.int32),
        ),
        degenerated=np.zeros(len(uses), np.bool_),
        reversed_faces=turned,
    )
