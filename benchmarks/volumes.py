"""Volume of every solid of the corpus's STEP files against the kernel's own reading and integrals.

The kernel has two: the default one, with a fixed number of points per face, and an adaptive one (Gauss-Kronrod). A
solid is within when ours is within a millionth of either: where only the adaptive one agrees, the default one is what
is wrong, and two different methods say so. It is flagged when the result itself says how well the volume is known
(within three times its uncertainty, or a warning), or that it is not. Where none of that holds the kernel's mesh
decides, at two deflections and in the limit of them: it takes edges from where they are in space, while integrals
follow the trimming curves that the kernel's repair has made. Anything else is a wrong number, and must not be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED, TopAbs_ShapeEnum, TopAbs_SOLID
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Shape

from benchmarks.floor import corpus, step_files, stock_shape
from benchmarks.table import Table
from fettle.errors import FettleError
from fettle.geometry.kernel.box import loose_box
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.topology import map_of, number
from fettle.geometry.load import load
from fettle.geometry.part import Part

SAME = 1e-6
"""Relative difference between two exact integrals of one volume that needs no word."""
ADAPTIVE_EPSILON = 1e-7
DEVIATIONS = 3.0
"""A volume is flagged when the kernel's is within this many times the uncertainty that the result gives."""

FINEST = 7e-5
"""Smaller of the two deflections, as a share of the edge of a cube of that volume; the other is four times as large."""
LIMIT_SHARE = 0.1
"""How well the limit is known, as a share of what the finer mesh changed."""

WITHIN, ADAPTIVE, FLAGGED, MESHED, NEITHER = "within", "within adaptive", "flagged", "within mesh", "NEITHER"


def default_volume(solid: TopoDS_Shape) -> float:
    """mm3, by the kernel's integral with a fixed number of points."""
    properties = _about_middle(solid)
    BRepGProp.VolumeProperties_s(solid, properties)
    return abs(float(properties.Mass()))


def adaptive_volume(solid: TopoDS_Shape) -> float:
    """mm3, by the kernel's adaptive integral."""
    properties = _about_middle(solid)
    BRepGProp.VolumePropertiesGK_s(solid, properties, ADAPTIVE_EPSILON, False, True, False, False, False)
    return abs(float(properties.Mass()))


def meshed_volume(solid: TopoDS_Shape, deflection_mm: float) -> float:
    """mm3, enclosed by the kernel's mesh; turns between its elements shrink as its deflection does."""
    BRepTools.Clean_s(solid)
    BRepMesh_IncrementalMesh(solid, deflection_mm, False, min(0.5, 1.6 * math.sqrt(deflection_mm)), False)
    volume_mm3 = 0.0
    for face in _all_of(solid, TopAbs_FACE):
        location = TopLoc_Location()
        found = BRep_Tool.Triangulation_s(TopoDS.Face(face), location)
        if found is None:
            return math.nan
        place = location.Transformation()
        points = np.array([found.Node(k).Transformed(place).Coord() for k in range(1, found.NbNodes() + 1)])
        a, b, c = points[np.array([found.Triangle(k).Get() for k in range(1, found.NbTriangles() + 1)]).T - 1]
        flux = float((a * np.cross(b, c)).sum()) / 6.0
        volume_mm3 += -flux if face.Orientation() == TopAbs_REVERSED else flux
    return abs(volume_mm3)


def _about_middle(solid: TopoDS_Shape) -> GProp_GProps:
    """Sums that start from the middle of the solid: far from it they cancel."""
    topology = number(solid)
    return GProp_GProps(gp_Pnt(*loose_box(topology, read_frames(topology.faces).kinds).mean(axis=0).tolist()))


def _all_of(shape: TopoDS_Shape, kind: TopAbs_ShapeEnum) -> list[TopoDS_Shape]:
    found = map_of(shape, kind)
    return [found.FindKey(number) for number in range(1, found.Extent() + 1)]


def compare(part: Part, solids: list[TopoDS_Shape]) -> list[tuple[str, str]]:
    """Of each body its class and what there is to say."""
    warned = any("volume" in warning or "area" in warning for warning in part.source.warnings)
    rows = []
    for body, solid in zip(part.bodies, solids, strict=True):
        ours, default = body.volume_mm3, default_volume(solid)
        if math.isnan(ours):
            rows.append((FLAGGED, f"null, kernel {default:.9g} mm3"))
        elif abs(ours - default) <= SAME * default:
            rows.append((WITHIN, ""))
        else:
            adaptive = adaptive_volume(solid)
            text = f"{ours:.9g} mm3, kernel {default / ours - 1.0:+.1e}, adaptive {adaptive / ours - 1.0:+.1e}"
            agrees = abs(ours - adaptive) <= SAME * adaptive
            is_told = min(abs(ours - default), abs(ours - adaptive)) <= DEVIATIONS * body.volume_uncertainty_mm3
            if agrees or is_told or warned:
                rows.append((ADAPTIVE if agrees else FLAGGED, text))
            else:
                rows.append(_by_mesh(ours, DEVIATIONS * body.volume_uncertainty_mm3, solid, text))
    return rows


def _by_mesh(ours_mm3: float, unsure_mm3: float, solid: TopoDS_Shape, text: str) -> tuple[str, str]:
    finest_mm = FINEST * ours_mm3 ** (1.0 / 3.0)
    coarse, fine = (meshed_volume(solid, factor * finest_mm) for factor in (4.0, 1.0))
    # the error is proportional to the deflection
    limit = fine + (fine - coarse) / 3.0
    off = (f"{volume_mm3 / ours_mm3 - 1.0:+.1e}" for volume_mm3 in (coarse, fine, limit))
    text = f"{text}, mesh {', '.join(off)} in the limit"
    is_limit = abs(ours_mm3 - limit) <= max(LIMIT_SHARE * abs(fine - coarse), unsure_mm3)
    return MESHED if is_limit else NEITHER, text


def tables() -> Iterator[Table]:
    root = corpus().resolve()
    refused, files, rows = 0, 0, []
    counts = dict.fromkeys((WITHIN, ADAPTIVE, FLAGGED, MESHED, NEITHER), 0)
    for path in step_files(root):
        data, name = path.read_bytes(), path.relative_to(root).as_posix()
        try:
            part = load(data, path.name).part
        except FettleError:
            refused += 1
            continue
        files += 1
        solids = _all_of(stock_shape(data), TopAbs_SOLID)
        for body, (what, text) in enumerate(compare(part, solids), start=1):
            counts[what] += 1
            if text:
                rows.append((f"{name}, body {body}", what, text))
    summary = ", ".join(f"{count} {what}" for what, count in counts.items())
    yield Table(
        f"{sum(counts.values())} solids of {files} files: {summary}; {refused} files refused",
        ("solid", "class", "ours, and what the kernel's integrals differ by"),
        tuple(rows),
    )
