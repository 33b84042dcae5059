"""Quantities of a part that the processes share, measured once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.fit.corners import SAME_THICKNESS, InsideCorners, count_corners
from fettle.fit.directions import DraftedWalls, drafted_walls, extents_mm, own_directions, rim_points, stock_fill
from fettle.fit.terms import falling, percent, rising
from fettle.fit.wall_thickness import WallThickness, wall_thickness
from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.recognize.blend_feature import Blend
from fettle.recognize.face_table import TORUS, FaceTable, face_table
from fettle.recognize.feature import Feature, Recognition
from fettle.recognize.kinds.bend import Bend
from fettle.recognize.kinds.boss import Boss
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.revolution import NO_REVOLUTION, Revolution
from fettle.recognize.signs import CONCAVE, CONVEX

if TYPE_CHECKING:
    from fettle.analysis import Analysis

PLATE_SHARE = 0.8
"""Share of the area at one thickness from which a flat or bent part is cut from plate."""
DRAFTED = (0.05, 0.15)
"""Share of the area with draft: below the first it is a slope here and there, from the second on it is a mold's."""
DRAFTED_WALLS = (0.15, 0.45)
"""The same as a share of the walls: who drafts, drafts most of them."""
DOUBLY_CURVED = (0.05, 0.30)
"""Share of the area that is curved both ways: below the first a fillet, from the second on a sculpted part."""
ROUNDED_PER_SHARP = 8.0
"""So many rounded inside corners excuse one sharp one: it was forgotten in drawing."""
REVOLVED = (0.40, 0.75)
"""Share of the area that a lathe makes: flats, keyways and cross holes leave 0.75 of a turned part."""
RIBBED = (0.01, 0.10)
"""Share of the area between ribs inside a bore, where a boring bar cannot cut: one key is bearable."""
EVEN_SHELL = (0.85, 0.97)
"""Share of the area within a factor of 1.5 of the median wall: nothing but a shell has so even a wall."""
SHELL_SLENDERNESS = (16.0, 30.0)
"""Side in thicknesses of such a shell."""
BLENDED = (0.15, 0.40)
"""Share of the length of edges that is rounded: from a few corners to most of the part."""
BLENDED_EVEN = (0.60, 0.90)
"""Share of the area of even wall with which rounded edges are a mold's."""
BLENDED_SLENDERNESS = (8.0, 16.0)
"""Side in thicknesses from which such a part is a shell, not a block."""
WITHOUT_DRAFT = 0.8
"""Weight of rounded edges and of even shells: a mold follows from them less surely than from draft."""
BLOCK_FILL = (0.05, 0.20)
"""Share of the block around the part that stays: below the first, milling makes little but chips."""

HOLLOW = 0.05
"""Share of the surface in closed voids above which a part is hollow by purpose; a smaller void is a slip in drawing,
which the rules on solids name."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Measured quantities of one part; shares are of its area, `blended_share` of its length of edges.

    `bends`: number; `flat`: the part is no higher than its main thickness; `blind`: number of pockets, holes, slots
    and counterbores that end within the material; `slenderness`: side of a square of half its area, in thicknesses;
    `longest_mm`: largest length along one of its own directions; `hollow`: closed voids make up much of the part.
    """

    revolution: Revolution
    walls: WallThickness
    corners: InsideCorners
    drafted: DraftedWalls
    block_fill: float
    blended_share: float
    doubly_curved_share: float
    bends: int
    flat: bool
    blind: int
    slenderness: float
    longest_mm: float
    hollow: bool

    @cached_property
    def sharp(self) -> float:
        """0 to 1: how surely sharp inside corners rule out a cutter."""
        excused = 1.0 + self.corners.rounded / ROUNDED_PER_SHARP
        return self.corners.sharp / (self.corners.sharp + excused)

    @cached_property
    def draft(self) -> float:
        """0 to 1: how surely the walls are drafted for a mold."""
        share, walls = self.drafted.drafted_share, self.drafted.wall_share
        return rising(share, *DRAFTED) * rising(share / walls if walls else 0.0, *DRAFTED_WALLS)

    @cached_property
    def molded(self) -> float:
        """0 to 1: how surely the part was drawn for a mold: by draft, or by rounded edges or a shell of even wall."""
        if self.hollow:
            return 0.0
        even, folded = self.walls.even_share, self.flat or self.bends > 0
        rounded = rising(self.blended_share, *BLENDED) * rising(even, *BLENDED_EVEN) * (1.0 - self.sharp)
        rounded *= rising(self.slenderness, *BLENDED_SLENDERNESS)
        shell = rising(even, *EVEN_SHELL) * rising(self.slenderness, *SHELL_SLENDERNESS)
        return max(self.draft, WITHOUT_DRAFT * max(rounded, 0.0 if folded else shell))

    @property
    def mold_signs(self) -> str:
        """What `molded` goes by."""
        if self.molded <= self.draft:
            return f"{percent(self.drafted.drafted_share)} of the surface has draft"
        even, blended = percent(self.walls.even_share), percent(self.blended_share)
        return f"{even} of the wall is even and {blended} of the edges are rounded"

    @cached_property
    def sculpted(self) -> float:
        """0 to 1: how much of the part is curved both ways."""
        return rising(self.doubly_curved_share, *DOUBLY_CURVED)

    @cached_property
    def revolved(self) -> float:
        """0 to 1: how surely a lathe makes the part."""
        return self.round * self.clear_bore

    @cached_property
    def round(self) -> float:
        """0 to 1: how much of the part is of revolution about one axis."""
        return rising(self.revolution.share, *REVOLVED)

    @cached_property
    def clear_bore(self) -> float:
        """0 to 1: how little of the part lies between ribs inside a bore."""
        return falling(self.revolution.ribbed_share, *RIBBED)

    @cached_property
    def chips(self) -> float:
        """0 to 1: how much of a block would be cut away."""
        return 1.0 - rising(self.block_fill, *BLOCK_FILL)


def gather(analysis: Analysis) -> Evidence:
    """Measure a closed part."""
    part, mesh = analysis.part, analysis.mesh
    # measuring has weighed the points already; an analysis that comes from another process has left that behind
    area_mm2 = mesh.point_areas_mm2() if analysis.visibility is None else analysis.visibility.context.area_mm2
    walls = wall_thickness(analysis.thickness, area_mm2)
    faces = face_table(part)
    directions = own_directions(faces)
    bends = sum(isinstance(feature, Bend) for feature in analysis.recognition.features)
    rim = rim_points(part, mesh, faces)
    heights = extents_mm(rim, directions)
    lowest_mm = _lowest_mm(part, mesh, faces, analysis.recognition, directions, heights)
    flat = abs(lowest_mm - walls.main_mm) < SAME_THICKNESS * walls.main_mm
    plate = walls.main_mm if walls.main_share >= PLATE_SHARE and (flat or bends) else None
    return Evidence(
        revolution=next(iter(analysis.recognition.revolutions), NO_REVOLUTION),
        walls=walls,
        corners=count_corners(analysis, area_mm2, plate),
        drafted=drafted_walls(mesh, faces, area_mm2, directions),
        block_fill=stock_fill(part.volume_mm3, rim, directions, heights),
        blended_share=_blended_share(part, analysis.recognition),
        doubly_curved_share=_doubly_curved_share(faces),
        bends=bends,
        flat=flat,
        blind=sum(_is_blind(feature) for feature in analysis.recognition.features),
        slenderness=math.sqrt(part.area_mm2 / 2.0) / walls.main_mm,
        longest_mm=float(heights.max(initial=0.0)),
        hollow=_void_share(part) > HOLLOW,
    )


def _lowest_mm(
    part: Part,
    mesh: Mesh,
    faces: FaceTable,
    recognition: Recognition,
    directions: NDArray[np.float64],
    heights_mm: NDArray[np.float64],
) -> float:
    """Least height of the part along one of its directions (d, 3), of its heights (d,) along them; nuts, studs and
    other bosses that stand on it do not count. Infinite without directions, or where nothing else is left."""
    standing = {face for one in recognition.features if isinstance(one, Boss) for face in one.faces}
    if not standing:
        return float(heights_mm.min(initial=math.inf))
    inside = {face for one in recognition.features if isinstance(one, Hole) for face in one.faces}
    points = rim_points(part, mesh, faces, frozenset(standing), frozenset(inside))
    if points.shape[1] == 0 or len(directions) == 0:
        return math.inf
    return float(extents_mm(points, directions).min())


def _blended_share(part: Part, recognition: Recognition) -> float:
    """Length of rounds and fillets over that of all edges, sharp or blended."""
    blended = sum(feature.length_mm for feature in recognition.features if isinstance(feature, Blend))
    if not blended:
        return 0.0
    sharp = sum(edge.length_mm for edge in part.edges if edge.convexity in (CONVEX, CONCAVE))
    return blended / (blended + sharp)


def _void_share(part: Part) -> float:
    """Area of the walls of closed voids over that of the whole surface."""
    walls = (face for body in part.bodies for shell in body.void_shells for face in part.shells[shell].faces)
    return sum(part.faces[face].area_mm2 for face in walls) / part.area_mm2


def _doubly_curved_share(faces: FaceTable) -> float:
    return float(faces.area_mm2[faces.kind >= TORUS].sum() / faces.area_mm2.sum())


def _is_blind(feature: Feature) -> bool:
    if isinstance(feature, Hole):
        return not feature.through or any(stage.type == "counterbore" for stage in feature.stages)
    if isinstance(feature, Pocket):
        return feature.floor_face is not None
    return isinstance(feature, Slot) and not feature.through
