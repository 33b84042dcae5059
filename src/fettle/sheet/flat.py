"""The flat pattern as plain data, in mm in its own plane: the smallest rectangle around it lies along X from 0, 0.

It is seen from the side towards which most of the bent length folds: bends there go up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from fettle.sheet.allowance import Developed
from fettle.sheet.plane_curves import Outline, Pair, length, signed_area

BendKind = Literal["bend", "hem", "curl", "rolled"]
CutShape = Literal["round", "obround", "rectangle", "free"]
MarkKind = Literal["bead", "dimple", "collar", "louver", "bridge", "engraving", "countersink"]


@dataclass(frozen=True, slots=True)
class Hinge:
    """A line across which a panel is joined to the one before: a point, its direction and the one across it."""

    point: Pair
    along: Pair
    into: Pair


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A wall or bend of the part in the flat.

    `faces`: face numbers, both sides of the sheet; `outlines`: closed, joints included, the outer one first.
    `parent`: position of the panel it is joined to, -1 for the first; `bend`: position of its bend, -1 for a wall.
    `tip`, `half_angle_deg`: of a conical bend the point about which it is unrolled, and the cone's angle.
    """

    faces: tuple[int, ...]
    outlines: tuple[Outline, ...]
    parent: int
    hinge: Hinge
    bend: int
    tip: Pair | None = None
    half_angle_deg: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class FlatBend:
    """A bend line: all segments of one bend between slots and cut-outs.

    `angle_deg`: bent by; `segments`: start and end of each on the middle of the bend; `length_mm`: of the segments
    together; `order`: in which the bends are folded, from 1, the outermost first; `kind`: bend, hem, curl or rolled;
    `developed`: flat length of the bend and where it comes from.
    """

    angle_deg: float
    inner_radius_mm: float
    up: bool
    length_mm: float
    segments: tuple[tuple[Pair, Pair], ...]
    faces: tuple[int, ...]
    order: int
    kind: BendKind
    developed: Developed


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """Something on the flat that is not cut: a form, an engraving, the wide end of a countersink."""

    kind: MarkKind
    outline: Outline
    faces: tuple[int, ...]
    height_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class CutOut:
    """An inner loop. `shape`: round, obround, rectangle or free."""

    outline: Outline
    shape: CutShape
    faces: tuple[int, ...]


Numbered = TypeVar("Numbered", Panel, FlatBend, Mark, CutOut)
"""What lists faces of the part."""


@dataclass(frozen=True, slots=True, eq=False)
class FlatSheet:
    """A part laid flat. `outer` runs counterclockwise, cut-outs clockwise. `other_bodies`: bodies that are not the
    sheet (press nuts, studs)."""

    thickness_mm: float
    outer: Outline
    cutouts: tuple[CutOut, ...]
    bends: tuple[FlatBend, ...]
    marks: tuple[Mark, ...]
    panels: tuple[Panel, ...]
    size_mm: Pair
    body: int
    other_bodies: tuple[int, ...]

    @property
    def loops(self) -> tuple[Outline, ...]:
        """All that is cut, the outer loop first."""
        return (self.outer, *(one.outline for one in self.cutouts))

    @property
    def area_mm2(self) -> float:
        """Area of the blank without its cut-outs."""
        return sum(signed_area(loop) for loop in self.loops)

    @property
    def perimeter_mm(self) -> float:
        return length(self.outer)

    @property
    def cut_length_mm(self) -> float:
        return sum(length(loop) for loop in self.loops)

    @property
    def pierces(self) -> int:
        """How often the cut begins: once a loop."""
        return len(self.loops)

    def numbered(self, faces: tuple[int, ...], body: int, body_count: int) -> FlatSheet:
        """The same flat of a body that is one of several in a file: `faces` are the file's numbers of its faces."""

        def in_file(one: Numbered) -> Numbered:
            return replace(one, faces=tuple(faces[face] for face in one.faces))

        return replace(
            self,
            cutouts=tuple(in_file(one) for one in self.cutouts),
            bends=tuple(in_file(one) for one in self.bends),
            marks=tuple(in_file(one) for one in self.marks),
            panels=tuple(in_file(one) for one in self.panels),
            body=body,
            other_bodies=tuple(number for number in range(body_count) if number != body),
        )

    def panel_of(self, face: int) -> int | None:
        """Position of the panel that a face of the part belongs to; None for cut edges and forms."""
        return next((number for number, panel in enumerate(self.panels) if face in panel.faces), None)
