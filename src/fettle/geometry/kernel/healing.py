"""The solids of a file's shape: loose surfaces and open shells sewn shut, faces that two solids share given to each."""

from __future__ import annotations

import numpy as np
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy, BRepBuilderAPI_Sewing
from OCP.BRepLib import BRepLib
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_FORWARD, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Shape, TopoDS_Solid

from fettle.errors import NoSolid
from fettle.geometry.kernel.box import loose_box
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.topology import children, map_of, number

GAP_PER_DIAGONAL = 1e-4
MAX_GAP_MM = 0.05
"""Gaps wider than this are no longer a matter of rounding, and closing them would invent geometry."""


def solids_in(shape: TopoDS_Shape, name: str) -> tuple[TopoDS_Compound, list[str]]:
    """The solids of `shape` as one compound, and what was done or left out, in sentences."""
    found = map_of(shape, TopAbs_SOLID)
    faces = map_of(shape, TopAbs_FACE).Extent()
    if found.Extent() == 0:
        return _solids_from_surfaces(shape, faces, name)
    return gather([found.FindKey(index) for index in range(1, found.Extent() + 1)]), loose_surfaces(shape)


def loose_surfaces(shape: TopoDS_Shape) -> list[str]:
    """The sentence about faces that belong to no solid of `shape`, where there are any."""
    solids = map_of(shape, TopAbs_SOLID)
    compound = gather([solids.FindKey(index) for index in range(1, solids.Extent() + 1)])
    loose = map_of(shape, TopAbs_FACE).Extent() - map_of(compound, TopAbs_FACE).Extent()
    if loose <= 0:
        return []
    surfaces = "1 loose surface" if loose == 1 else f"{loose} loose surfaces"
    return [f"{surfaces} outside the solids ignored"]


def _solids_from_surfaces(shape: TopoDS_Shape, faces: int, name: str) -> tuple[TopoDS_Compound, list[str]]:
    if not faces:
        what = "wireframe" if map_of(shape, TopAbs_EDGE).Extent() else "points"
        raise NoSolid(f"{name} holds {what} only, no solid; export the 3D solid")
    topology = number(shape)
    box = loose_box(topology, read_frames(topology.faces).kinds)
    solids = sew(shape, float(np.linalg.norm(box[1] - box[0]))) if np.isfinite(box).all() else []
    if not solids:
        raise NoSolid(
            f"{name} holds surfaces only ({faces} faces that enclose no volume); knit them into a solid in the CAD "
            "system and export again"
        )
    compound = gather(list(solids))
    warnings = ["the file holds surfaces, not solids; those that close were sewn into solids"]
    loose = faces - map_of(compound, TopAbs_FACE).Extent()
    if loose > 0:
        warnings.append(f"{loose} of {faces} surfaces do not close and were ignored")
    return compound, warnings


def gather(shapes: list[TopoDS_Shape]) -> TopoDS_Compound:
    builder = BRep_Builder()
    compound = TopoDS_Compound()
    builder.MakeCompound(compound)
    for shape in shapes:
        builder.Add(compound, shape)
    return compound


def sew(shape: TopoDS_Shape, diagonal_mm: float) -> list[TopoDS_Solid]:
    """Solids from the faces of `shape` whose borders lie on each other within a small gap; open shells give none."""
    sewing = BRepBuilderAPI_Sewing(min(GAP_PER_DIAGONAL * diagonal_mm, MAX_GAP_MM))
    faces = map_of(shape, TopAbs_FACE)
    for index in range(1, faces.Extent() + 1):
        sewing.Add(faces.FindKey(index))
    sewing.Perform()
    sewn = sewing.SewedShape()
    if sewn is None or sewn.IsNull():
        return []
    shells = map_of(sewn, TopAbs_SHELL)
    solids = []
    for index in range(1, shells.Extent() + 1):
        shell = TopoDS.Shell(shells.FindKey(index))
        if open_edges(shell):
            continue
        solid = TopoDS_Solid()
        builder = BRep_Builder()
        builder.MakeSolid(solid)
        builder.Add(solid, shell)
        if BRepLib.OrientClosedSolid_s(solid):
            solids.append(solid)
    return solids


def close_open_solids(
    shape: TopoDS_Shape, diagonal_mm: float, name: str
) -> tuple[TopoDS_Compound, list[str], list[int]]:
    """Each solid as it is when closed, sewn when nearly closed, left out when open; a refusal when none remains.

    The last of the answer: of which solid of `shape`, counted from 0, each was made.
    """
    kept: list[TopoDS_Shape] = []
    origins: list[int] = []
    warnings = []
    first_open = 0
    solids = children(shape, TopAbs_SOLID)
    for position, solid in enumerate(solids, start=1):
        count = open_edges(solid)
        if not count:
            kept.append(solid)
            origins.append(position - 1)
            continue
        sewn = sew(solid, diagonal_mm)
        if sewn:
            kept.extend(sewn)
            origins.extend([position - 1] * len(sewn))
            warnings.append(f"solid {position} was not closed ({count} open edges); its gaps were sewn shut")
        else:
            first_open = first_open or count
            warnings.append(f"solid {position} is not closed ({count} open edges) and was ignored")
    if not kept:
        raise NoSolid(
            f"{name}: none of its {len(solids)} solids is closed (the first has {first_open} open edges), so there is "
            "no volume; repair the model in the CAD system and export again"
        )
    return gather(kept), warnings, origins


def open_edges(shape: TopoDS_Shape) -> int:
    """Edges that bound one face only."""
    uses: dict[int, int] = {}
    numbers = map_of(shape, TopAbs_EDGE)
    faces = map_of(shape, TopAbs_FACE)
    for index in range(1, faces.Extent() + 1):
        for wire in children(faces.FindKey(index).Oriented(TopAbs_FORWARD), None):
            for edge in children(wire, TopAbs_EDGE):
                number = numbers.FindIndex(edge)
                uses[number] = uses.get(number, 0) + 1
    return sum(
        1
        for number, count in uses.items()
        if count == 1 and not BRep_Tool.Degenerated_s(TopoDS.Edge(numbers.FindKey(number)))
    )


def unshare(shape: TopoDS_Shape) -> TopoDS_Compound:
    """A copy of every solid, so that a face between two touching solids belongs to each of them."""
    return gather([BRepBuilderAPI_Copy(solid).Shape() for solid in children(shape, TopAbs_SOLID)])
