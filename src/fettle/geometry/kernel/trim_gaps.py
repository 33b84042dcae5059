"""Trimming curves against edges: how far apart they are, and how much of the volume that leaves open.

An edge has one curve in space and one in the parameters of each of its two faces, and all of them should be the same.
Files hold them apart by up to a hundredth of a millimeter (the tolerance of the edge), and damaged ones by anything.
Faces on analytic surfaces are integrated along the edges in space; the kernel, and ours on splines, along the trims.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_Plane
from OCP.gp import gp_Pnt
from OCP.ShapeAnalysis import ShapeAnalysis_Edge
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face

from fettle.geometry.exact.boundary_strips import strip_volumes
from fettle.geometry.kernel.loops import Boundaries
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.surfaces import FaceSample
from fettle.geometry.kernel.topology import Topology, map_of
from fettle.geometry.surfaces.encoding import SPHERE, TORUS

Array = NDArray[np.float64]

_PLANE = int(GeomAbs_Plane)
_EDGES = ShapeAnalysis_Edge()
"""Answers in half the time of asking for the curve itself."""

PLACES = (0.07, 0.33, 0.67, 0.93)
"""Where along an edge its courses are compared, as shares of its parameters."""

TIGHT_MM = 1e-6
"""Edges with a smaller tolerance leave nothing open; the kernel's own precision is a tenth of it."""

ASTRAY = 0.1
"""Trims further from their edges than this share of the deflection, and than the edges' tolerance, are wrong."""

NOTED = 0.1
"""Edges whose strip is a smaller share of the widest one are not what a volume is unsure by."""

GAP_ARM = 0.25
"""Of a boundary that misses its start by a gap, the area depends on where one starts by the gap times this share of its
length: a quarter, across a square, is its width."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenVolume:
    """By how much the volume depends on which of its curves an edge is taken to be.

    spread_mm3 (bodies,): of each edge of a face the strip between its curves, and of each boundary the gap in it, added
    up as independent of each other; widest_mm (bodies,): the widest of these; edges (bodies,): how many are more than
    `NOTED` of that."""

    spread_mm3: Array
    widest_mm: Array
    edges: NDArray[np.int64]


def measure_open_volume(
    sampled: SampledShape,
    places: Sequence[FaceSample],
    encoded: tuple[NDArray[np.int8], Array],
    boundaries: Boundaries,
    references: Array,
    mean_height: Array,
) -> OpenVolume:
    """encoded: the surfaces of `places` as in `surfaces.encoding`; references (faces, 3): where the fluxes of each face
    start from; mean_height (faces,) mm: of each face above it, along its normal."""
    topology, samples = sampled.topology, sampled.samples
    tolerance = BRep_Tool.Tolerance_s
    tolerances = np.array([0.0 if edge is None else tolerance(edge) for edge in topology.edges])
    count = len(topology.bodies)
    pieces_before = np.cumsum([0] + [len(chain) for chain in boundaries.chains])
    faces = np.repeat(np.arange(len(places)), np.diff(pieces_before[boundaries.face_start]))
    edges = np.array([edge for chain in boundaries.chains for edge, _ in chain], dtype=np.int64)
    widths = tolerances[edges]
    widths[widths <= TIGHT_MM] = 0.0
    # on these the kernel approximates what is a circle in space, and does not always write down how well
    is_doubled = np.isin(sampled.surfaces.kinds, (SPHERE, TORUS))
    for face in np.flatnonzero(is_doubled).tolist():
        is_doubled[face] = not has_no_trims(topology, face)
    for row in np.flatnonzero(is_doubled[faces]).tolist():
        edge = topology.edges[edges[row]]
        if edge is not None:
            widths[row] = max(widths[row], _gap(edge, topology.faces[faces[row]]))
    gaps = _closing_gaps(boundaries)
    if not widths.any() and not gaps.any():
        return OpenVolume(np.zeros(count), np.zeros(count), np.zeros(count, np.int64))
    size = samples.start[edges + 1] - samples.start[edges]
    start = np.concatenate(([0], np.cumsum(size)))
    course = (*encoded, mean_height, references, boundaries.points, boundaries.steps)
    volumes = strip_volumes(*course, start, faces, widths)
    loop_face = np.repeat(np.arange(len(places)), np.diff(boundaries.face_start))
    loop_volumes = strip_volumes(*course, boundaries.loop_start, loop_face, GAP_ARM * gaps)
    face_body = np.array(topology.face_body)
    body = face_body[faces]
    squares = np.bincount(body, weights=volumes**2, minlength=count)
    squares += np.bincount(face_body[loop_face], weights=loop_volumes**2, minlength=count)
    spread: Array = np.sqrt(squares)
    widest = np.zeros(count)
    np.maximum.at(widest, body, widths)
    np.maximum.at(widest, face_body[loop_face], gaps)
    loose = np.unique(np.column_stack([body, edges])[widths > NOTED * widest[body]], axis=0)
    return OpenVolume(spread, widest, np.bincount(loose[:, 0], minlength=count))


def _closing_gaps(boundaries: Boundaries) -> Array:
    """Shape (loops,) mm: by how much each boundary misses its own start, 0 below `TIGHT_MM`."""
    running = np.concatenate((np.zeros((1, 3)), np.cumsum(boundaries.steps, axis=0)))
    gaps: Array = np.linalg.norm(np.diff(running[boundaries.loop_start], axis=0), axis=1)
    gaps[gaps <= TIGHT_MM] = 0.0
    return gaps


def trims_off(topology: Topology, face: int, allowed_mm: float) -> bool:
    """Whether a trimming curve of the face is further from its edge than allowed and than twice the edge's tolerance.

    Seams count too: their trims bound the face in the surface's parameters."""
    for wire in topology.wires[face]:
        for number, _ in wire:
            edge = topology.edges[number]
            if edge is None:
                continue
            gap_mm = _gap(edge, topology.faces[face])
            if not gap_mm <= max(allowed_mm, 2.0 * BRep_Tool.Tolerance_s(edge)):
                return True
    return False


def _gap(edge: TopoDS_Edge, face: TopoDS_Face) -> float:
    """Distance in mm between points of the edge in space and its trimming curve on the face, where it was largest; 0
    for an edge that has no such curve and so is nowhere else."""
    if not _has_trim(edge, face):
        return 0.0
    in_space, on_face = _points(BRepAdaptor_Curve(edge)), _points(BRepAdaptor_Curve(edge, face))
    distances_mm = [one.Distance(other) for one, other in zip(in_space, on_face, strict=True)]
    # nan, of a course that is nowhere, is the largest
    return math.nan if any(map(math.isnan, distances_mm)) else max(distances_mm)


def lacks_trims(face: TopoDS_Face) -> bool:
    """Whether the face has no trimming curves: it has those of all its edges, or none. On planes the kernel projects
    them when it is asked."""
    if int(BRepAdaptor_Surface(face, False).GetType()) == _PLANE:
        return False
    edges = map_of(face, TopAbs_EDGE)
    return bool(edges.Extent()) and not _has_trim(TopoDS.Edge(edges.FindKey(1)), face)


def has_no_trims(topology: Topology, face: int) -> bool:
    """The same of a face of a numbered shape that is not on a plane."""
    edge = next((topology.edges[use.number] for wire in topology.wires[face] for use in wire), None)
    return edge is not None and not _has_trim(edge, topology.faces[face])


def _has_trim(edge: TopoDS_Edge, face: TopoDS_Face) -> bool:
    return bool(_EDGES.HasPCurve(edge, face))


def _points(curve: BRepAdaptor_Curve) -> list[gp_Pnt]:
    first, last = curve.FirstParameter(), curve.LastParameter()
    return [curve.Value(first + share * (last - first)) for share in PLACES]
