"""The record of an unfolded part."""

from __future__ import annotations

import math

from fettle.geometry.part import fid
from fettle.results.flat import (
    BendLine,
    BendSegment,
    FlatAllowance,
    FlatCutOut,
    FlatLoop,
    FlatMark,
    FlatPanel,
    FlatPattern,
    FlatPiece,
    FlatPoint,
    RefoldCheck,
    SheetUse,
)
from fettle.results.record import reading, rounded
from fettle.sheet.allowance import setback_mm
from fettle.sheet.flat import FlatBend, FlatSheet, Panel
from fettle.sheet.nesting import blanks_per_sheet
from fettle.sheet.overlap import find_crossing
from fettle.sheet.plane_curves import ArcPiece, Outline, Pair, Piece
from fettle.sheet.press_brake import bending_force_n, die_opening_mm
from fettle.sheet.stock import SheetMaterial
from fettle.sheet.unfold import Unfolded


def flat_pattern(unfolded: Unfolded, material: SheetMaterial | None, asked: FlatAllowance) -> FlatPattern:
    """The answer for an unfolded part. `asked`: how the bends were to be developed."""
    flat, folded = unfolded.flat, unfolded.refold
    crossing = find_crossing(flat.loops)
    mass = None if material is None else material.density_kg_m3 * flat.area_mm2 * flat.thickness_mm * 1e-9
    return FlatPattern(
        thickness_mm=rounded(flat.thickness_mm),
        size_mm=_point(flat.size_mm),
        area_mm2=rounded(flat.area_mm2),
        perimeter_mm=rounded(flat.perimeter_mm),
        cut_length_mm=rounded(flat.cut_length_mm),
        pierces=flat.pierces,
        material=material.name if material else None,
        mass_kg=reading(mass),
        bends=tuple(_bend(flat, number, bend, material) for number, bend in enumerate(flat.bends, 1)),
        allowance=asked,
        refold=RefoldCheck(
            rounded(folded.max_deviation_mm), rounded(folded.volume_error), reading(folded.box_error_mm)
        ),
        outer=_pieces(flat.outer),
        cutouts=tuple(FlatCutOut(one.shape, _fids(one.faces), _pieces(one.outline)) for one in flat.cutouts),
        marks=tuple(
            FlatMark(one.kind, rounded(one.height_mm), _fids(one.faces), _pieces(one.outline)) for one in flat.marks
        ),
        panels=tuple(_panel(panel) for panel in flat.panels),
        sheets=tuple(
            SheetUse(one.sheet_mm, one.count, one.turned, rounded(one.used_fraction))
            for one in blanks_per_sheet(flat.size_mm, flat.area_mm2, flat.thickness_mm)
        ),
        overlaps=crossing is not None,
        warnings=_warnings(flat, crossing),
    )


def _bend(flat: FlatSheet, number: int, bend: FlatBend, material: SheetMaterial | None) -> BendLine:
    thickness, developed = flat.thickness_mm, bend.developed
    setback = setback_mm(bend.inner_radius_mm, thickness, bend.angle_deg)
    force = None
    if material is not None and bend.kind == "bend":
        opening = die_opening_mm(thickness)
        force = rounded(bending_force_n(material.tensile_strength_mpa, thickness, bend.length_mm, opening) / 1000)
    return BendLine(
        line=number,
        angle_deg=rounded(bend.angle_deg),
        inner_radius_mm=rounded(bend.inner_radius_mm),
        direction="up" if bend.up else "down",
        length_mm=rounded(bend.length_mm),
        kind=bend.kind,
        order=bend.order,
        allowance_mm=rounded(developed.length_mm),
        deduction_mm=rounded(2 * setback - developed.length_mm),
        k_factor=rounded(developed.k_factor),
        method=developed.method,
        source=developed.source,
        force_kn=force,
        segments=tuple(BendSegment(_point(start), _point(end)) for start, end in bend.segments),
        fids=_fids(bend.faces),
    )


def _panel(panel: Panel) -> FlatPanel:
    return FlatPanel(
        fids=_fids(panel.faces),
        bend=None if panel.bend < 0 else panel.bend + 1,
        parent=None if panel.parent < 0 else panel.parent,
        hinge_mm=_point(panel.hinge.point),
        along=_point(panel.hinge.along),
        into=_point(panel.hinge.into),
        loops=tuple(FlatLoop(_pieces(outline)) for outline in panel.outlines),
    )


def _warnings(flat: FlatSheet, crossing: Pair | None) -> tuple[str, ...]:
    found = []
    if crossing is not None:
        found.append(
            f"The flat lies over itself at ({crossing[0]:.1f}, {crossing[1]:.1f}) mm: it cannot be cut from one sheet."
        )
    if flat.other_bodies:
        count = len(flat.other_bodies)
        found.append(
            f"{count} other {'body is' if count == 1 else 'bodies are'} left out: hardware is not part of the sheet."
        )
    return tuple(found)


def _pieces(outline: Outline) -> tuple[FlatPiece, ...]:
    return tuple(_piece(one) for one in outline)


def _piece(piece: Piece) -> FlatPiece:
    start, end = _point(piece.start), _point(piece.end)
    if isinstance(piece, ArcPiece):
        return FlatPiece(
            start, end, _point(piece.center), rounded(piece.radius), rounded(math.degrees(piece.sweep_rad))
        )
    return FlatPiece(start, end, None, None, None)


def _point(point: Pair) -> FlatPoint:
    return rounded(round(point[0], 9)), rounded(round(point[1], 9))


def _fids(faces: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(fid(face) for face in faces)
