"""Selector sets: which features, faces or edges a rule inspects: one for each kind of feature, by its declaration, and
one function for each set of several kinds, of faces or of edges; users read its docstring."""

from __future__ import annotations

from functools import partial
from types import UnionType

from fettle.geometry.part import Plane
from fettle.recognize.blend_feature import FILLET, ROUND
from fettle.recognize.feature import Feature, Role
from fettle.recognize.kinds import feature_kinds
from fettle.recognize.kinds.bend import BEND, Bend
from fettle.recognize.kinds.boss import BOSS_TOP, BOSS_WALL, Boss
from fettle.recognize.kinds.chamfer import CHAMFER
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.fin import FIN_TOP, FIN_WALL, Fin
from fettle.recognize.kinds.hole import COUNTERSINK, HOLE_BOTTOM, HOLE_WALL, Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.shaft_step import ShaftStep
from fettle.recognize.kinds.slab import Slab
from fettle.recognize.kinds.slot import Slot
from fettle.rules.context import RuleContext, Subject
from fettle.rules.face_outline import EdgeGroup, belongs
from fettle.rules.registry import EDGE, FACE, Selector, add_selector, selector
from fettle.rules.sheet_shape import bend_lines_of, sheet_thickness_mm

MIN_CORNER_LENGTH_MM = 1.0
"""Shorter sharp edges are where other edges meet; nobody fillets them."""
SHORT_CORNER = 0.02
"""Length over the part's diagonal below which a sharp corner of a casting is a detail that is machined or broken."""
CUT_EDGE = 1.2
"""Breadth of a face in thicknesses of the sheet up to which it is a cut edge: one, and what its taper adds."""
MAX_PUNCHED = 1.5
"""Depth of a hole in thicknesses of the sheet above which it goes through more than the sheet: a nut or a collar."""


def _codes(*roles: Role) -> frozenset[int]:
    return frozenset(role.code for role in roles)


BLENDED = _codes(ROUND, FILLET, BEND, CHAMFER, COUNTERSINK)
"""Roles of faces that only ease an edge: what they measure is the edge, not a wall."""

STANDING = _codes(FIN_WALL, FIN_TOP, BOSS_WALL, BOSS_TOP)
"""Roles of faces of ribs and bosses, which are thinner or thicker than the shell they stand on by design."""

HOLE_ROLES = _codes(HOLE_WALL, HOLE_BOTTOM, COUNTERSINK)


def _of_class(kinds: type[Feature] | UnionType, context: RuleContext) -> tuple[Subject, ...]:
    return tuple(
        Subject(feature.faces, feature)
        for feature in context.analysis.recognition.features
        if isinstance(feature, kinds)
    )


for _kind in feature_kinds():
    add_selector(
        Selector(
            _kind.selector,
            _kind.selector,
            _kind.selects,
            frozenset({_kind.name}),
            partial(_of_class, _kind.feature_class),
        )
    )


@selector("wall_pairs", "pairs of walls", [Slot.kind, Fin.kind, Slab.kind])
def wall_pairs(context: RuleContext) -> tuple[Subject, ...]:
    """Features made of two opposite walls: slots, fins and slabs."""
    return _of_class(Slot | Fin | Slab, context)


@selector("recesses", "pockets and slots", [Pocket.kind, Slot.kind])
def recesses(context: RuleContext) -> tuple[Subject, ...]:
    """What a cutter must go down into: pockets and slots."""
    return _of_class(Pocket | Slot, context)


@selector("gaps", "slots, pockets and fins", [Slot.kind, Pocket.kind, Fin.kind])
def gaps(context: RuleContext) -> tuple[Subject, ...]:
    """What a cutter must pass between: slots, pockets, and the space between a fin and what it faces."""
    return tuple(
        subject
        for subject in _of_class(Slot | Pocket | Fin, context)
        if not isinstance(subject.feature, Fin) or context.clearance(subject.faces).min_mm is not None
    )


@selector("inside_corners", "inside corners", [Fillet.kind, Pocket.kind])
def inside_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Where a round cutter leaves its radius: fillets, and pockets with a sharp upright corner, which has no fillet."""
    return tuple(
        subject
        for subject in _of_class(Fillet | Pocket, context)
        if not isinstance(subject.feature, Pocket) or subject.feature.min_corner_radius_mm == 0.0
    )


@selector("threadables", "holes, bosses and shaft steps", [Hole.kind, Boss.kind, ShaftStep.kind])
def threadables(context: RuleContext) -> tuple[Subject, ...]:
    """What could carry a thread: holes, bosses and the diameters of a shaft."""
    return _of_class(Hole | Boss | ShaftStep, context)


@selector("small_features", "holes, bosses, slots and fins", [Hole.kind, Boss.kind, Slot.kind, Fin.kind])
def small_features(context: RuleContext) -> tuple[Subject, ...]:
    """Features with one deciding size: holes, bosses, slots and fins."""
    return _of_class(Hole | Boss | Slot | Fin, context)


@selector("all_features", "features", [kind.name for kind in feature_kinds()])
def all_features(context: RuleContext) -> tuple[Subject, ...]:
    """Every recognized feature."""
    return tuple(Subject(feature.faces, feature) for feature in context.analysis.recognition.features)


@selector("faces", "faces", [FACE])
def faces(context: RuleContext) -> tuple[Subject, ...]:
    """Every face of the part, one by one."""
    return tuple(Subject((number,)) for number in range(len(context.part.faces)))


@selector("wall_faces", "faces of walls", [FACE])
def wall_faces(context: RuleContext) -> tuple[Subject, ...]:
    """Every face that can bound a wall, one by one: all but blends, chamfers, bends and countersinks."""
    roles = context.roles
    return tuple(Subject((number,)) for number in range(len(context.part.faces)) if roles[number] not in BLENDED)


@selector("shell_faces", "faces of the shell", [FACE])
def shell_faces(context: RuleContext) -> tuple[Subject, ...]:
    """The faces that bound the part's shell, one by one: wall_faces without those of holes, ribs and bosses."""
    roles = context.roles
    others = STANDING | HOLE_ROLES
    return tuple(subject for subject in wall_faces(context) if roles[subject.faces[0]] not in others)


@selector("sheet_faces", "broad faces of the sheet", [FACE])
def sheet_faces(context: RuleContext) -> tuple[Subject, ...]:
    """The plane faces that have a wall's thickness behind them over a breadth of more than that thickness; cut edges,
    which are as broad as the sheet is thick, and faces of nuts, pins and collars on the sheet are left out."""
    roles = context.roles
    cut_edge_mm = CUT_EDGE * (sheet_thickness_mm(context) or 0.0)
    chosen = []
    for number, face in enumerate(context.part.faces):
        wall_mm = context.thickness((number,)).median_mm
        if not isinstance(face.surface, Plane) or wall_mm is None or roles[number] in STANDING:
            continue
        if _breadth_mm(context, number) > max(wall_mm, cut_edge_mm):
            chosen.append(Subject((number,)))
    return tuple(chosen)


@selector("bend_lines", "bend lines", [Bend.kind])
def bend_lines(context: RuleContext) -> tuple[Subject, ...]:
    """Bends of a sheet, one for each bend line: segments between slots and cut-outs count together."""
    return bend_lines_of(context)


@selector("sheet_holes", "holes of the sheet", [Hole.kind])
def sheet_holes(context: RuleContext) -> tuple[Subject, ...]:
    """Holes through one thickness of the sheet; bores of nuts and collars, which are deeper, are left out."""
    sheet = sheet_thickness_mm(context) or 0.0
    return tuple(
        subject
        for subject in _of_class(Hole, context)
        if isinstance(subject.feature, Hole)
        and subject.feature.through
        and subject.feature.total_depth_mm <= MAX_PUNCHED * sheet
    )


@selector("cutouts", "cut-outs", [EDGE])
def cutouts(context: RuleContext) -> tuple[Subject, ...]:
    """Cut-outs of the sheet that are no round holes, one for each closed loop of cut edges inside a broad plane face;
    on the two sides of the sheet the larger face counts."""
    roles = context.roles
    found: dict[frozenset[int], Subject] = {}
    broad = {subject.faces[0] for subject in sheet_faces(context)}
    for number in sorted(broad, key=lambda face: (-context.face(face).area_mm2, face)):
        for loop in context.face(number).loops:
            walls = tuple(_beyond(context, number, edge) for edge in loop.edges)
            round_hole = all(wall >= 0 and roles[wall] in HOLE_ROLES for wall in walls)
            cut = all(belongs(context, number, context.part.edges[edge], EdgeGroup.CUT) for edge in loop.edges)
            if not loop.outer and cut and not round_hole and frozenset(walls) not in found:
                found[frozenset(walls)] = Subject((number, *dict.fromkeys(walls)), edge=loop.edges[0])
    return tuple(found.values())


def _beyond(context: RuleContext, face: int, edge: int) -> int:
    """The face on the other side of an edge, -1 for none."""
    return next((other for other in context.part.edges[edge].faces if other != face), -1)


@selector("sharp_corners", "sharp inside corners", [EDGE])
def sharp_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Concave edges of 1 mm and more without a blend, those at the bottom of holes left out."""
    roles = context.roles
    chosen = []
    for number in context.analysis.recognition.sharp_concave_edges:
        edge = context.part.edges[number]
        members = tuple(face for face in edge.faces if face >= 0)
        in_a_hole = all(roles[face] in HOLE_ROLES for face in members)
        if edge.length_mm >= MIN_CORNER_LENGTH_MM and not in_a_hole:
            chosen.append(Subject(members, edge=number))
    return tuple(chosen)


@selector("cast_corners", "sharp inside corners", [EDGE])
def cast_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Concave edges without a blend that a mold forms: as sharp_corners, without those at holes, which are machined,
    and without those shorter than a fiftieth of the part's diagonal."""
    roles = context.roles
    least_mm = SHORT_CORNER * context.part.diagonal_mm
    return tuple(
        subject
        for subject in sharp_corners(context)
        if subject.edge is not None
        and context.part.edges[subject.edge].length_mm >= least_mm
        and not any(roles[face] in HOLE_ROLES for face in subject.faces)
    )


def _breadth_mm(context: RuleContext, number: int) -> float:
    """About how wide a face is: the width of the strip of its area and half its outline."""
    face = context.face(number)
    outline = sum(context.part.edges[edge].length_mm for loop in face.loops for edge in loop.edges)
    return 2.0 * face.area_mm2 / outline if outline > 0 else 0.0
