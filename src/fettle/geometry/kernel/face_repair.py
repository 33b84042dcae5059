"""What a STEP file leaves to its reader, added to the faces that lack it: trimming curves, seams, order of edges.

The transfer can do that itself, for every face and copying the shape several times over: that takes half of the time of
reading. Here the kernel's repair is asked for the faces that need it. Those on simple surfaces need no trimming curves
as long as the kernel is asked for nothing of them, and most of them need nothing at all; seams and trimming curves of
most faces that go all the way round are known by formula.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.ShapeBuild import ShapeBuild_ReShape
from OCP.ShapeFix import ShapeFix, ShapeFix_Face, ShapeFix_Solid
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_FORWARD, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Face, TopoDS_Shape

from fettle.geometry.kernel.file_boundaries import KERNEL_PRECISION_MM, list_boundaries
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.healing import gather
from fettle.geometry.kernel.parametric_trims import add_parametric_trims, turn_wires
from fettle.geometry.kernel.placed_shape import place
from fettle.geometry.kernel.renewed_samples import renew, renumber
from fettle.geometry.kernel.ring_seams import add_ring_seams, order_from_seam
from fettle.geometry.kernel.sampled_shape import SampledShape, sample_shape
from fettle.geometry.kernel.sound_faces import find_sound_faces
from fettle.geometry.kernel.spline_trims import add_spline_trims
from fettle.geometry.kernel.topology import Topology, children, faces_of, map_of, number

# Searching wires for crossings with themselves and for notches, and vertices for tolerances too small, takes up to a
# third of the transfer and changed no volume, face or open edge on any part it was compared on; every other fix stays
# on, because without them volumes come out wrong.
SKIPPED_FACE_FIXES = ("FixIntersectingWiresMode", "FixSmallAreaWireMode")
SKIPPED_WIRE_FIXES = (
    "FixSelfIntersectionMode",
    "FixSelfIntersectingEdgeMode",
    "FixIntersectingEdgesMode",
    "FixNonAdjacentIntersectingEdgesMode",
    "FixNotchedEdgesMode",
    "FixVertexToleranceMode",
)

MAX_TOLERANCE_MM = 1.0
"""As in the transfer's own repair: what is further apart is not taken to be the same."""

_FACE, _SOLID = int(TopAbs_FACE), int(TopAbs_SOLID)


@dataclass(frozen=True, slots=True, eq=False)
class CompleteSolids:
    """`solids`: in the order of the file, at their places; `changes`: what became of any shape of the transfer.

    `sampled`: `solids` numbered and its edges sampled, where each of them is at one place.
    """

    solids: TopoDS_Compound
    changes: ShapeBuild_ReShape
    sampled: SampledShape | None


def complete_solids(transferred: TopoDS_Shape, precision_mm: float, *, has_trims: bool) -> CompleteSolids | None:
    """The solids of a shape that was transferred without repair, complete; `precision_mm`: how exact the file is;
    `has_trims`: it has trimming curves of its own.

    None where the whole of the kernel's repair is needed: there is no solid, a shell is open or its faces are turned
    against each other, or a face falls apart.
    """
    found = map_of(transferred, TopAbs_SOLID)
    solids = [found.FindKey(index) for index in range(1, found.Extent() + 1)]
    if not solids:
        return None
    unplaced = ShapeMap()
    for solid in solids:
        unplaced.Add(solid.Located(TopLoc_Location()))
    modeled = gather([unplaced.FindKey(index) for index in range(1, unplaced.Extent() + 1)])
    faces = faces_of(modeled)
    surfaces = read_frames(faces)
    turn_wires(faces, surfaces.kinds)
    joined = [] if has_trims else add_ring_seams(faces)
    topology = number(modeled)
    if not _is_closed_and_oriented(topology):
        return None
    sampled = sample_shape(topology, surfaces)
    changes = ShapeBuild_ReShape()
    repaired = _complete_faces(modeled, sampled, changes, precision_mm, has_trims=has_trims)
    if repaired is None:
        return None
    # what the kernel has repaired it has ordered too
    for face in (topology.faces[one] for one in joined if not repaired[one]):
        if not (complete_face := changes.Apply(face)).IsSame(face):
            order_from_seam(complete_face)
    whole = []
    for solid in solids:
        complete = _with_oriented_shells(changes.Apply(solid.Located(TopLoc_Location())), changes, precision_mm)
        if int(complete.ShapeType()) != _SOLID:
            return None
        whole.append(complete)
    placed = gather([one.Located(solid.Location()) for one, solid in zip(whole, solids, strict=True)])
    if len(whole) > unplaced.Extent():
        return CompleteSolids(placed, changes, None)
    is_changed = not all(one.IsEqual(unplaced.FindKey(index)) for index, one in enumerate(whole, start=1))
    if all(solid.Location().IsIdentity() for solid in solids):
        return CompleteSolids(placed, changes, renew(gather(whole), sampled, repaired) if is_changed else sampled)
    topology, wires = sampled.topology, sampled.wires
    if is_changed:
        topology, wires = renumber(gather(whole), topology, repaired)
    return CompleteSolids(placed, changes, place(placed, topology, wires))


def _complete_faces(
    modeled: TopoDS_Shape, sampled: SampledShape, changes: ShapeBuild_ReShape, precision_mm: float, *, has_trims: bool
) -> NDArray[np.bool_] | None:
    """Give every face what it lacks, and note what it is replaced by; returns which faces (faces,) the kernel was asked
    to repair, None where one falls apart."""
    topology = sampled.topology
    boundaries = list_boundaries(modeled, sampled, precision_mm)
    found = find_sound_faces(sampled, boundaries, precision_mm, has_trims=has_trims)
    trimmed = add_parametric_trims(sampled, boundaries, ~found.sound)
    splines = add_spline_trims(sampled, boundaries, ~(found.sound | trimmed | has_trims))
    repaired = ~(found.sound | trimmed | splines.trimmed)
    for face in np.flatnonzero(repaired).tolist():
        if not _complete(TopoDS.Face(topology.faces[face].Oriented(TopAbs_FORWARD)), changes, precision_mm):
            return None
    # edges are widened to reach as far as they are off their faces, or as the file's trimming curves are off them
    off_mm = np.maximum(found.off_mm, splines.off_mm)
    for edge in np.flatnonzero(off_mm > KERNEL_PRECISION_MM).tolist():
        widen(changes.Apply(topology.edges[edge]), float(off_mm[edge]))
    repaired |= has_trims
    if repaired.any():
        asked = np.flatnonzero(repaired).tolist()
        ShapeFix.SameParameter_s(gather([changes.Apply(topology.faces[face]) for face in asked]), False)
    return repaired


def widen(edge: TopoDS_Shape, tolerance_mm: float) -> None:
    """Let an edge, or what the repair of a face beside it has made of it, reach at least so far."""
    builder, edges = BRep_Builder(), map_of(edge, TopAbs_EDGE)
    for index in range(1, edges.Extent() + 1):
        builder.UpdateEdge(TopoDS.Edge(edges.FindKey(index)), tolerance_mm)


def _is_closed_and_oriented(topology: Topology) -> bool:
    """Whether each edge is used twice, once in each direction."""
    return all(
        len(uses) == 2 and uses[0][1].reversed != uses[1][1].reversed
        for edge, uses in zip(topology.edges, topology.uses, strict=True)
        if edge is not None
    )


def _complete(face: TopoDS_Face, changes: ShapeBuild_ReShape, precision_mm: float) -> bool:
    """Repair a face and note what it is replaced by; False where it falls apart."""
    repair = ShapeFix_Face(face)
    repair.SetContext(changes)
    repair.SetPrecision(precision_mm)
    repair.SetMinTolerance(precision_mm)
    repair.SetMaxTolerance(max(precision_mm, MAX_TOLERANCE_MM))
    wires = repair.FixWireTool()
    for tool, skipped in ((repair, SKIPPED_FACE_FIXES), (wires, SKIPPED_WIRE_FIXES)):
        for mode in skipped:
            setattr(tool, mode, 0)
    repair.Perform()
    return int(repair.Result().ShapeType()) == _FACE


def _with_oriented_shells(solid: TopoDS_Shape, changes: ShapeBuild_ReShape, precision_mm: float) -> TopoDS_Shape:
    """The solid with the shells of its cavities turned inwards. A single shell that is turned inside out is seen by its
    volume later on."""
    if len(children(solid, TopAbs_SHELL)) < 2:
        return solid
    repair = ShapeFix_Solid(TopoDS.Solid(solid))
    repair.SetContext(changes)
    repair.SetPrecision(precision_mm)
    repair.FixShellMode = 0
    repair.Perform()
    return changes.Apply(solid)
