"""The flat pattern of a sheet part: outlines, bend table, allowance, and how well it folds back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fettle.results.record import Record

FlatPoint = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FlatPiece(Record):
    """A line, or an arc about a center, in the plane of the flat."""

    start_mm: Annotated[FlatPoint, "Where it starts."]
    end_mm: Annotated[FlatPoint, "Where it ends."]
    center_mm: Annotated[FlatPoint | None, "Center of an arc; null for a line."]
    radius_mm: Annotated[float | None, "Radius of an arc; null for a line."]
    sweep_deg: Annotated[
        float | None, "Angle of an arc, counterclockwise above 0, 360 for a whole circle; null for a line."
    ]


@dataclass(frozen=True, slots=True)
class FlatLoop(Record):
    """A closed outline of lines and arcs."""

    pieces: Annotated[tuple[FlatPiece, ...], "Lines and arcs in order, each starting where the one before ends."]


@dataclass(frozen=True, slots=True)
class FlatCutOut(Record):
    """A loop that is cut out of the blank."""

    shape: Annotated[Literal["round", "obround", "rectangle", "free"], "What it is."]
    fids: Annotated[tuple[str, ...], "Its faces on the part; empty where a bend crosses it."]
    pieces: Annotated[tuple[FlatPiece, ...], "Lines and arcs in order."]


@dataclass(frozen=True, slots=True)
class FlatMark(Record):
    """Something on the flat that is not cut: a form, an engraving, a countersink."""

    kind: Annotated[Literal["bead", "dimple", "collar", "louver", "bridge", "engraving", "countersink"], "What it is."]
    height_mm: Annotated[float, "How far it sticks out of the sheet, or how deep it is; 0 for a countersink."]
    fids: Annotated[tuple[str, ...], "Its faces on the part."]
    pieces: Annotated[tuple[FlatPiece, ...], "Its outline, lines and arcs in order."]


@dataclass(frozen=True, slots=True)
class BendSegment(Record):
    """A piece of a bend line between slots and cut-outs."""

    start_mm: Annotated[FlatPoint, "Where it starts."]
    end_mm: Annotated[FlatPoint, "Where it ends."]


@dataclass(frozen=True, slots=True)
class BendLine(Record):
    """One row of the bend table."""

    line: Annotated[int, "Number of the line, from 1."]
    angle_deg: Annotated[float, "Angle that the sheet is bent by."]
    inner_radius_mm: Annotated[float, "Inside radius."]
    direction: Annotated[Literal["up", "down"], "Which way it is bent, seen as the flat is drawn."]
    length_mm: Annotated[float, "Length of bent sheet, slots and cut-outs left out."]
    kind: Annotated[Literal["bend", "hem", "curl", "rolled"], "What it is."]
    order: Annotated[int, "When it is folded, from 1: the outermost first."]
    allowance_mm: Annotated[float, "Flat length of the bend."]
    deduction_mm: Annotated[float, "Outside legs minus flat length."]
    k_factor: Annotated[float, "K factor that this allowance is."]
    method: Annotated[Literal["k-factor", "din-6935", "table"], "How the allowance was found."]
    source: Annotated[str, "Where it comes from."]
    force_kn: Annotated[float | None, "Force of the press brake; null without a material, and for what no brake bends."]
    segments: Annotated[tuple[BendSegment, ...], "Its pieces on the flat."]
    fids: Annotated[tuple[str, ...], "Its faces on the part."]


@dataclass(frozen=True, slots=True)
class FlatAllowance(Record):
    """How the flat lengths of the bends were found; a bend of its own says so in the bend table."""

    method: Annotated[Literal["k-factor", "din-6935", "table"], "Method asked for."]
    k_factor: Annotated[float | None, "K factor, where all bends have the same."]
    source: Annotated[str, "Where it comes from."]


@dataclass(frozen=True, slots=True)
class RefoldCheck(Record):
    """How the flat, folded again, differs from the part."""

    max_deviation_mm: Annotated[float, "Largest distance of any point of its walls and bends."]
    volume_error: Annotated[float, "Relative difference of volume."]
    box_error_mm: Annotated[
        float | None, "Largest difference of a side of the bounding box; null where forms share it."
    ]


@dataclass(frozen=True, slots=True)
class FlatPanel(Record):
    """A wall or bend of the part on the flat: which faces it is, and how it folds."""

    fids: Annotated[tuple[str, ...], "Its faces on the part, both sides of the sheet."]
    bend: Annotated[int | None, "Number of its bend line; null for a wall."]
    parent: Annotated[int | None, "Position of the panel that it is joined to, from 0; null for the first."]
    hinge_mm: Annotated[FlatPoint, "A point of the line where it is joined."]
    along: Annotated[FlatPoint, "Direction of that line."]
    into: Annotated[FlatPoint, "Direction from that line into the panel."]
    loops: Annotated[tuple[FlatLoop, ...], "Its outlines, the outer one first; empty for a bend that is sharp inside."]


@dataclass(frozen=True, slots=True)
class SheetUse(Record):
    """Blanks on one sheet, in rows."""

    sheet_mm: Annotated[tuple[float, float], "Length and width of the sheet."]
    count: Annotated[int, "Blanks on it."]
    turned: Annotated[bool, "The blank's long side runs across the sheet, so the grain runs across the blank."]
    used_fraction: Annotated[float, "Share of the sheet that becomes part."]


@dataclass(frozen=True, slots=True)
class FlatPattern(Record):
    """A sheet part laid flat, in mm; the smallest rectangle around it lies along X from the origin."""

    thickness_mm: Annotated[float, "Thickness of the sheet."]
    size_mm: Annotated[tuple[float, float], "Long and short side of the smallest rectangle around it."]
    area_mm2: Annotated[float, "Area of the blank without its cut-outs."]
    perimeter_mm: Annotated[float, "Length of the outer loop."]
    cut_length_mm: Annotated[float, "Length of all loops."]
    pierces: Annotated[int, "Loops, each of which a cut begins for."]
    material: Annotated[str | None, "Material asked for."]
    mass_kg: Annotated[float | None, "Mass of the blank; null without a material."]
    bends: Annotated[tuple[BendLine, ...], "The bend table."]
    allowance: Annotated[FlatAllowance, "How the bends were developed."]
    refold: Annotated[RefoldCheck, "The flat folded again, compared with the part."]
    outer: Annotated[tuple[FlatPiece, ...], "The outer loop, counterclockwise."]
    cutouts: Annotated[tuple[FlatCutOut, ...], "Inner loops, clockwise."]
    marks: Annotated[tuple[FlatMark, ...], "What is not cut: forms, engravings, countersinks."]
    panels: Annotated[tuple[FlatPanel, ...], "Walls and bends with their faces."]
    sheets: Annotated[tuple[SheetUse, ...], "Blanks on every standard sheet."]
    overlaps: Annotated[bool, "The flat lies over itself, so that it cannot be cut from one sheet."]
    warnings: Annotated[tuple[str, ...], "What to look at before cutting."]
