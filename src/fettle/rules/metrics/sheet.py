"""Metrics of sheet-metal parts: what distinguishes them from a block, and dimensions in thicknesses of the sheet."""

from __future__ import annotations

import numpy as np

from fettle.geometry.part import Plane
from fettle.recognize.kinds.bend import Bend
from fettle.recognize.kinds.hole import Hole
from fettle.rules.context import RuleContext, Subject, rounded_point
from fettle.rules.face_outline import EdgeGroup, outline_of
from fettle.rules.flat_shape import cutout_of, flat_of
from fettle.rules.metrics.relations import nearest_edge
from fettle.rules.registry import COUNT, EDGE, EXACT_MM, RATIO, Answer, Given, Measured, per_feature, whole_part
from fettle.rules.sheet_shape import bend_lines_of, flange_mm, sheet_thickness_mm, torn_ends
from fettle.sheet.gaps import gap_mm

SAME_THICKNESS = 0.10
"""Largest relative difference between a thickness reading and the part's median for the reading to count as sheet."""

STANDARD_MM = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Thicknesses of rolled sheet that dealers keep (ranges of EN 10131 and EN 10051)."""
STANDARD_WITHIN = 0.02
"""Relative difference up to which a thickness is that of a standard sheet."""
SAME_RADIUS_MM = 0.05
"""Inside radii that differ by less come from the same tool."""
HEM_DEG = 170.0
"""From this angle on a bend is a hem, pressed flat with a tool of its own."""


@whole_part("part.sheet_thickness", "mm", EXACT_MM)
def sheet_thickness(context: RuleContext, given: Given) -> Answer:
    """Thickness of the part's sheet: that of its bends, or the most frequent one behind its plane faces."""
    thickness = sheet_thickness_mm(context)
    if thickness is None:
        return None
    near = sorted(STANDARD_MM, key=lambda one: abs(one - thickness))[:2]
    if abs(near[0] - thickness) <= STANDARD_WITHIN * thickness:
        return Measured(thickness, note=f"Sheet of {near[0]:g} mm is a standard one")
    listed = " and ".join(f"{one:g}" for one in sorted(near))
    return Measured(thickness, note=f"Standard sheets near it: {listed} mm")


@whole_part("part.sheet_area_fraction", "ratio", RATIO)
def sheet_area_fraction(context: RuleContext, given: Given) -> Answer:
    """Fraction of the surface whose wall thickness is within a tenth of the part's median."""
    median = context.thickness().median_mm
    if median is None:
        return None
    weights = context.analysis.mesh.point_areas_mm2()
    sheet = np.abs(context.analysis.thickness.value_mm - median) <= SAME_THICKNESS * median
    total = float(weights.sum())
    odd = np.bincount(context.analysis.mesh.point_face, weights=np.where(sheet, 0.0, weights))
    return Measured(float(weights[sheet].sum()) / total, (int(odd.argmax()),) if odd.max() > 0 else ())


@whole_part("part.planar_fraction", "ratio", RATIO)
def planar_fraction(context: RuleContext, given: Given) -> Answer:
    """Fraction of the surface that is plane."""
    curved = [n for n, face in enumerate(context.part.faces) if not isinstance(face.surface, Plane)]
    curved_mm2 = sum(context.face(face).area_mm2 for face in curved)
    largest_first = tuple(sorted(curved, key=lambda face: (-context.face(face).area_mm2, face)))
    return Measured(1.0 - curved_mm2 / context.part.area_mm2, largest_first)


@whole_part("part.bend_radius_count", "count", COUNT)
def bend_radius_count(context: RuleContext, given: Given) -> Answer:
    """Number of different inside radii of the part's bends, hems left out."""
    radii: list[float] = []
    faces: tuple[int, ...] = ()
    for line in sorted(bend_lines_of(context), key=lambda line: line.faces):
        if not isinstance(line.feature, Bend) or line.feature.angle_deg >= HEM_DEG:
            continue
        radius_mm = line.feature.inner_radius_mm
        if all(abs(radius_mm - other) >= SAME_RADIUS_MM for other in radii):
            radii.append(radius_mm)
            faces += line.faces[:1]
    note = "Radii " + ", ".join(f"{radius:.2f}" for radius in sorted(radii)) + " mm"
    return Measured(float(len(radii)), faces, note=note) if radii else None


@per_feature("thickness.sheet_deviation", "ratio", RATIO)
def sheet_deviation(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Difference of the faces' median wall thickness from the thickness of the part's sheet, over the latter."""
    here, sheet = context.thickness(subject.faces).median_mm, sheet_thickness_mm(context)
    return None if here is None or not sheet else abs(here - sheet) / sheet


@per_feature("hole.diameter_over_sheet", "ratio", RATIO, reads=[Hole.kind])
def hole_diameter_over_sheet(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Diameter of the hole over the thickness of the part's sheet."""
    sheet = sheet_thickness_mm(context)
    return subject.feature.diameter_mm / sheet if isinstance(subject.feature, Hole) and sheet else None


@per_feature("hole.edge_distance_over_sheet", "ratio", RATIO, reads=[Hole.kind])
def hole_edge_distance_over_sheet(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Material between the rim of the hole and the nearest cut edge, over the thickness of the part's sheet; measured
    on the flat, across bends. Where a nut, collar or bend begins is no cut edge."""
    on_face = nearest_edge(context, subject.faces, EdgeGroup.CUT)
    return _over_sheet(context, _flat_gap(context, subject.faces, on_face))


@per_feature("hole.bend_distance_over_sheet", "ratio", RATIO, reads=[Hole.kind])
def hole_bend_distance_over_sheet(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Flat material between the rim of the hole and the nearest bend, over the thickness of the part's sheet."""
    return _over_sheet(context, nearest_edge(context, subject.faces, EdgeGroup.BEND))


@per_feature("cutout.edge_distance_over_sheet", "ratio", RATIO, reads=[EDGE])
def cutout_edge_distance_over_sheet(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Material between a cut-out and the nearest other cut edge, over the thickness of the part's sheet; measured on
    the flat, across bends."""
    on_face = _cutout_gap(context, subject, EdgeGroup.CUT)
    if subject.edge is None:
        return _over_sheet(context, on_face)
    return _over_sheet(context, _flat_gap(context, context.part.edges[subject.edge].faces, on_face))


@per_feature("cutout.bend_distance_over_sheet", "ratio", RATIO, reads=[EDGE])
def cutout_bend_distance_over_sheet(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Flat material between a cut-out and the nearest bend, over the thickness of the part's sheet."""
    return _over_sheet(context, _cutout_gap(context, subject, EdgeGroup.BEND))


@per_feature("bend.flange_over_sheet", "ratio", RATIO, reads=[Bend.kind])
def bend_flange_over_sheet(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Height of the shorter flange at the bend, over the outside of the bend, in thicknesses of the sheet; flanges that
    run into another bend, and hems, have no reading."""
    if not isinstance(subject.feature, Bend) or subject.feature.angle_deg >= HEM_DEG:
        return None
    height = flange_mm(context, subject.faces, subject.feature)
    return None if height is None else height / subject.feature.thickness_mm


@per_feature("bend.torn_ends", "count", COUNT, reads=[Bend.kind])
def bend_torn_ends(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Number of ends of the bend where the sheet goes on beside it without a relief, so that it tears."""
    if not isinstance(subject.feature, Bend):
        return None
    return float(torn_ends(context, subject.faces, subject.feature))


def _cutout_gap(context: RuleContext, subject: Subject, group: EdgeGroup) -> Measured | None:
    """Least distance of the loop of a cut-out to the other loops of its plane face."""
    if subject.edge is None:
        return None
    face = subject.faces[0]
    loop = next(loop for loop in context.face(face).loops if subject.edge in loop.edges)
    outline = outline_of(context, face, group)
    gaps = [(outline.gap_mm(number, context.part.edges[number]), number) for number in loop.edges]
    known = [(gap, number) for gap, number in gaps if gap is not None]
    if not known:
        return None
    gap, number = min(known)
    x, y, z = context.part.edges[number].points[0].tolist()
    return Measured(max(gap, 0.0), position=(x, y, z))


def _flat_gap(context: RuleContext, faces: tuple[int, ...], on_face: Measured | None) -> Measured | None:
    """The gap beside a cut-out on the flat; that on its face where the flat does not show it as a cut-out."""
    flat = flat_of(context)
    found = next((one for face in faces if (one := cutout_of(context, face)) is not None), None)
    if flat is None or found is None:
        return on_face
    gap = gap_mm(found.outline, [loop for loop in flat.loops if loop is not found.outline])
    if gap is None:
        return on_face
    if on_face is not None:
        return Measured(gap, position=on_face.position)
    return Measured(gap, position=rounded_point(context.face(faces[0]).point.tolist()))


def _over_sheet(context: RuleContext, gap: Measured | None) -> Measured | None:
    sheet = sheet_thickness_mm(context)
    return Measured(gap.value / sheet, position=gap.position) if gap is not None and sheet else None
