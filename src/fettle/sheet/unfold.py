"""Unfolding: from the exact surfaces of a part to its flat pattern."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fettle.errors import CannotUnfold, NotSheet
from fettle.geometry.part import Part, Plane
from fettle.recognize.graph import Graph
from fettle.recognize.graph_building import build_graph
from fettle.sheet.allowance import Allowance, MaterialK
from fettle.sheet.expected_volume import largest_area_mm2, middle_area_mm2, sheet_area_mm2
from fettle.sheet.flat import FlatSheet
from fettle.sheet.islands import Island, IslandKind, find_islands
from fettle.sheet.layout import MARKS, lay_out
from fettle.sheet.plane_curves import signed_area
from fettle.sheet.refold import Refold, refold
from fettle.sheet.skin import Skin, develop
from fettle.sheet.thickness import SheetSides, find_sides

MAX_THICKNESS_MM = 25.4
"""Above it a part is plate or a block: press brakes bend, and lasers cut, up to about an inch."""
MIN_SLENDERNESS = 3.0
"""Side of a square of the flat's area in thicknesses below which a part is a block, not a piece of sheet."""
SHEET_FILL = (0.35, 1.3)
"""Volume over half the surface times the thickness: 1 for a wide sheet, less for one with much cut edge or hidden under
a hem; what is far from it is no sheet, and reasons why it does not unfold would mislead."""
MAX_DEVIATION_MM = 0.01
"""Largest distance of a point of the folded flat from the part: a tenth of what a press brake holds."""
MAX_VOLUME_ERROR = 5e-3
"""Relative difference of volume up to which the part is the folded sheet: edges broken all round take less. Marks,
where the sheet is not of its thickness, may add their share of the area."""
MAX_MARKED_SHARE = 0.05
MAX_FORMED_SHARE = 0.25
"""Most that countersinks and engravings, and most that forms may add: a part with more was milled or printed."""
ESTIMATE_ERROR = 0.02
"""Relative error of a volume that is estimated from the areas of faces, which leaves out how walls end: a part that
misses by more would miss when it is laid out too."""
FORMS = MARKS.keys() - {IslandKind.ENGRAVING}
USUAL = MaterialK()


@dataclass(frozen=True, slots=True, eq=False)
class Unfolded:
    """A flat and how well it folds back into the part."""

    flat: FlatSheet
    refold: Refold


def unfold(part: Part, allowance: Allowance = USUAL) -> Unfolded:
    """Lay a part flat and fold it back; raises `CannotUnfold` with the reason and the faces where either fails."""
    if not part.bodies:
        raise NotSheet("the file holds no solid body")
    known = [number for number, one in enumerate(part.bodies) if math.isfinite(one.volume_mm3 + one.area_mm2)]
    if not known:
        raise CannotUnfold(
            "volume and area of the part are not known, so that nothing can prove a flat; repair the file"
        )
    body = max(known, key=lambda number: (part.bodies[number].area_mm2, -number))
    graph = build_graph(part)
    sides = find_sides(graph, body)
    if sides is None:
        raise NotSheet("no two faces lie back to back with a cut edge between them, as the sides of a sheet do")
    if sides.thickness_mm > MAX_THICKNESS_MM:
        raise NotSheet(
            f"its sides are {sides.thickness_mm:.4g} mm apart; above {MAX_THICKNESS_MM:g} mm it is plate or a block"
        )
    fill = part.bodies[body].volume_mm3 / (0.5 * part.bodies[body].area_mm2 * sides.thickness_mm)
    if not SHEET_FILL[0] <= fill <= SHEET_FILL[1]:
        raise NotSheet(
            f"faces lie back to back {sides.thickness_mm:.4g} mm apart, but that thickness times half the surface is "
            f"{1 / fill:.2g} times the volume: not a sheet"
        )
    roots = _roots(graph, sides)
    volume = part.bodies[body].volume_mm3
    enough = volume / sides.thickness_mm
    largest = max(largest_area_mm2(graph, sides, root, enough) for root in roots)
    _refuse_volume(min(largest, enough), sides, volume, MAX_FORMED_SHARE)
    islands = find_islands(graph, sides)
    skin = _best_skin(graph, sides, roots, islands, allowance)
    formed = any(island.wall in skin.zone_of and island.kind in FORMS for island in islands)
    share = MAX_FORMED_SHARE if formed else MAX_MARKED_SHARE
    _refuse_volume(sheet_area_mm2(skin, islands), sides, volume, share)
    flat, motion = lay_out(skin, sides, islands, body)
    if math.sqrt(flat.area_mm2) < MIN_SLENDERNESS * sides.thickness_mm:
        raise NotSheet(
            f"its faces lie {sides.thickness_mm:.4g} mm apart but are only {math.sqrt(flat.area_mm2):.4g} mm wide: "
            "a block, not a sheet"
        )
    folded = refold(flat, skin, motion, allowance)
    check_refold(part, flat, folded)
    return Unfolded(flat, folded)


def check_refold(part: Part, flat: FlatSheet, folded: Refold) -> None:
    """Refuse a flat that does not fold back into the part: a wrong flat is worse than none."""
    if not folded.max_deviation_mm <= MAX_DEVIATION_MM:
        raise CannotUnfold(
            f"folded back, the flat misses the part by {folded.max_deviation_mm:.3g} mm "
            f"(allowed: {MAX_DEVIATION_MM:g} mm)",
            (folded.face,),
        )
    if not abs(folded.volume_error) <= MAX_VOLUME_ERROR + _marked_share(part, flat):
        raise _other_volume(flat.thickness_mm, folded.volume_error)


def _refuse_volume(area_mm2: float, sides: SheetSides, volume_mm3: float, marked_share: float) -> None:
    """Refuse a sheet whose volume, estimated from the area of its middle layer, is too far from the part's to pass when
    it is laid out; nothing is said of an area that is not known."""
    error = area_mm2 * sides.thickness_mm / volume_mm3 - 1.0
    if abs(error) > MAX_VOLUME_ERROR + marked_share + ESTIMATE_ERROR:
        raise _other_volume(sides.thickness_mm, error)


def _other_volume(thickness_mm: float, error: float) -> NotSheet:
    more = "less" if error < 0 else "more"
    return NotSheet(
        f"a sheet of {thickness_mm:.4g} mm folded like the part has {abs(error):.2%} {more} volume: the part is not "
        "one sheet of one thickness"
    )


def _marked_share(part: Part, flat: FlatSheet) -> float:
    """Share of the volume that may differ for marks: of the blank's area what they take on the flat, and on the part
    with one of their two sides."""
    on_flat = sum(abs(signed_area(mark.outline)) for mark in flat.marks)
    on_part = sum(part.faces[face].area_mm2 for mark in flat.marks for face in mark.faces)
    formed = any(mark.kind not in ("countersink", "engraving") for mark in flat.marks)
    return min((on_flat + on_part / 2) / flat.area_mm2, MAX_FORMED_SHARE if formed else MAX_MARKED_SHARE)


def _roots(graph: Graph, sides: SheetSides) -> tuple[int, int]:
    """The largest wall and the one behind it: from there each side of the sheet is laid flat."""
    paired = [graph.regions[number] for number in sides.partner]
    plane = [region for region in paired if isinstance(region.surface, Plane)] or paired
    root = max(plane, key=lambda region: (round(region.area_mm2, 6), -region.number)).number
    return root, sides.partner[root]


def _best_skin(
    graph: Graph, sides: SheetSides, roots: tuple[int, int], islands: list[Island], allowance: Allowance
) -> Skin:
    """The side of the sheet that reaches farther; that of the first root among equals."""
    blocked = {number for island in islands for number in island.regions if island.kind is not IslandKind.TAB}
    skins: list[Skin] = []
    failure: CannotUnfold | None = None
    for start in roots:
        try:
            skins.append(develop(graph, start, sides.thickness_mm, allowance, blocked))
        except CannotUnfold as error:
            failure = failure or error
    if not skins:
        raise failure or CannotUnfold("no side of the sheet lies flat")
    return max(skins, key=lambda skin: round(middle_area_mm2(skin), 3))
