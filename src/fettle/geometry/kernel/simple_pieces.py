"""Faces on simple surfaces are triangulated from the points along their edges, without the kernel's mesher.

Most faces of machined parts are of this kind, and the kernel's mesher takes as long for them as reading the file. Ours
needs no trimming curves, and triangulates a plate of thousands of holes in the time of its points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.edge_polygons import edge_polygons
from fettle.geometry.kernel.pieces import Borders, Pieces
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.meshing.simple_faces import FaceOutlines, SimpleFaces, triangulate_outlines
from fettle.geometry.surfaces.encoding import CONE, FREEFORM, SPHERE, TORUS

Array = NDArray[np.float64]


def find_simple(sampled: SampledShape) -> NDArray[np.bool_]:
    """Shape (faces,): faces that can be laid out in a plane, as far as is told by their surfaces and the chains of
    their edges."""
    topology, wires, (kinds, frames) = sampled.topology, sampled.wires, sampled.surfaces
    # tips of cones and poles of spheres are points like others; what else is degenerated is not understood here
    chosen: NDArray[np.bool_] = wires.closed & (kinds != FREEFORM)
    chosen &= np.isin(kinds, (CONE, SPHERE)) | np.array([not tips for tips in topology.tips], np.bool_)
    # a tube wider than its way around passes through itself
    chosen &= ~((kinds == TORUS) & (frames[:, 13] >= frames[:, 12]))
    for number in np.flatnonzero(chosen).tolist():
        place = topology.faces[number].Location()
        chosen[number] = place.IsIdentity() or not place.Transformation().IsNegative()
    return chosen


def triangulate_simple(
    sampled: SampledShape,
    taken: NDArray[np.bool_],
    meshed: Pieces,
    deflection_mm: float,
    angle_rad: float,
) -> tuple[Pieces, NDArray[np.bool_]]:
    """Triangulations of the faces that are `taken` (faces,), and of which there is one (faces,). Along edges of faces
    that are `meshed` already they have the same points."""
    topology, wires, (kinds, frames) = sampled.topology, sampled.wires, sampled.surfaces
    in_taken = taken[wires.face_of_use]
    asked = np.zeros(len(topology.edges), np.bool_)
    asked[wires.edge[in_taken]] = True
    polygons = edge_polygons(topology, sampled.samples, asked, meshed, deflection_mm, angle_rad)
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
    found = triangulate_outlines(kinds, np.nan_to_num(frames), outlines, angle_rad, deflection_mm)
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
