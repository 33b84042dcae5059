"""Selector sets: which features, faces or edges a rule inspects. Each is one function; users read its docstring."""

from __future__ import annotations

from fettle.geometry.part import Plane
from fettle.recognize.feature import Fin, Kind, Pocket, Role
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import EDGE, FACE, selector

MIN_CORNER_LENGTH_MM = 1.0
"""Shorter sharp edges are where other edges meet; nobody fillets them."""

BLENDED = {Role.ROUND, Role.FILLET, Role.BEND, Role.CHAMFER, Role.COUNTERSINK}
"""Roles of faces that only ease an edge: what they measure is the edge, not a wall."""

STANDING = {Role.FIN_WALL, Role.FIN_TOP, Role.BOSS_WALL, Role.BOSS_TOP}
"""Roles of faces of ribs and bosses, which are thinner or thicker than the shell they stand on by design."""

HOLE_ROLES = {Role.HOLE_WALL, Role.HOLE_BOTTOM, Role.COUNTERSINK}


def _of_kind(context: RuleContext, *kinds: Kind) -> tuple[Subject, ...]:
    return tuple(
        Subject(feature.faces, feature) for feature in context.analysis.recognition.features if feature.kind in kinds
    )


@selector("walls", "walls", [Kind.WALL])
def walls(context: RuleContext) -> tuple[Subject, ...]:
    """Faces that form an outer or inner wall and belong to no other feature."""
    return _of_kind(context, Kind.WALL)


@selector("slabs", "slabs", [Kind.SLAB])
def slabs(context: RuleContext) -> tuple[Subject, ...]:
    """Plate-like regions between two antiparallel planes."""
    return _of_kind(context, Kind.SLAB)


@selector("holes", "holes", [Kind.HOLE])
def holes(context: RuleContext) -> tuple[Subject, ...]:
    """Cylindrical or conical holes, each with all its stages."""
    return _of_kind(context, Kind.HOLE)


@selector("bosses", "bosses", [Kind.BOSS])
def bosses(context: RuleContext) -> tuple[Subject, ...]:
    """Cylindrical or conical studs that stand on a face."""
    return _of_kind(context, Kind.BOSS)


@selector("fillets", "fillets", [Kind.FILLET])
def fillets(context: RuleContext) -> tuple[Subject, ...]:
    """Concave blends along inside corners."""
    return _of_kind(context, Kind.FILLET)


@selector("rounds", "rounds", [Kind.ROUND])
def rounds(context: RuleContext) -> tuple[Subject, ...]:
    """Convex blends along outside edges."""
    return _of_kind(context, Kind.ROUND)


@selector("pockets", "pockets", [Kind.POCKET])
def pockets(context: RuleContext) -> tuple[Subject, ...]:
    """Recesses with walls and a floor, or through."""
    return _of_kind(context, Kind.POCKET)


@selector("slots", "slots", [Kind.SLOT])
def slots(context: RuleContext) -> tuple[Subject, ...]:
    """Gaps between two parallel walls."""
    return _of_kind(context, Kind.SLOT)


@selector("fins", "fins", [Kind.FIN])
def fins(context: RuleContext) -> tuple[Subject, ...]:
    """Thin walls that stand on a face: ribs and fins."""
    return _of_kind(context, Kind.FIN)


@selector("protrusions", "protrusions", [Kind.PROTRUSION])
def protrusions(context: RuleContext) -> tuple[Subject, ...]:
    """Raised regions that are neither boss nor fin."""
    return _of_kind(context, Kind.PROTRUSION)


@selector("bends", "bends", [Kind.BEND])
def bends(context: RuleContext) -> tuple[Subject, ...]:
    """Cylindrical regions between two flat walls of a sheet."""
    return _of_kind(context, Kind.BEND)


@selector("chamfers", "chamfers", [Kind.CHAMFER])
def chamfers(context: RuleContext) -> tuple[Subject, ...]:
    """Narrow strips that break an edge at an angle."""
    return _of_kind(context, Kind.CHAMFER)


@selector("wall_pairs", "pairs of walls", [Kind.SLOT, Kind.FIN, Kind.SLAB])
def wall_pairs(context: RuleContext) -> tuple[Subject, ...]:
    """Features made of two opposite walls: slots, fins and slabs."""
    return _of_kind(context, Kind.SLOT, Kind.FIN, Kind.SLAB)


@selector("recesses", "pockets and slots", [Kind.POCKET, Kind.SLOT])
def recesses(context: RuleContext) -> tuple[Subject, ...]:
    """What a cutter must go down into: pockets and slots."""
    return _of_kind(context, Kind.POCKET, Kind.SLOT)


@selector("gaps", "slots, pockets and fins", [Kind.SLOT, Kind.POCKET, Kind.FIN])
def gaps(context: RuleContext) -> tuple[Subject, ...]:
    """What a cutter must pass between: slots, pockets, and the space between a fin and what it faces."""
    return tuple(
        subject
        for subject in _of_kind(context, Kind.SLOT, Kind.POCKET, Kind.FIN)
        if not isinstance(subject.feature, Fin) or context.clearance(subject.faces).min_mm is not None
    )


@selector("inside_corners", "inside corners", [Kind.FILLET, Kind.POCKET])
def inside_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Where a round cutter leaves its radius: fillets, and pockets with a sharp upright corner, which has no fillet."""
    return tuple(
        subject
        for subject in _of_kind(context, Kind.FILLET, Kind.POCKET)
        if not isinstance(subject.feature, Pocket) or subject.feature.min_corner_radius_mm == 0.0
    )


@selector("threadables", "holes and bosses", [Kind.HOLE, Kind.BOSS])
def threadables(context: RuleContext) -> tuple[Subject, ...]:
    """What could carry a thread: holes and bosses."""
    return _of_kind(context, Kind.HOLE, Kind.BOSS)


@selector("small_features", "holes, bosses, slots and fins", [Kind.HOLE, Kind.BOSS, Kind.SLOT, Kind.FIN])
def small_features(context: RuleContext) -> tuple[Subject, ...]:
    """Features with one deciding size: holes, bosses, slots and fins."""
    return _of_kind(context, Kind.HOLE, Kind.BOSS, Kind.SLOT, Kind.FIN)


@selector("all_features", "features", list(Kind))
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
    roles = context.analysis.recognition.roles
    return tuple(Subject((number,)) for number in range(len(context.part.faces)) if int(roles[number]) not in BLENDED)


@selector("shell_faces", "faces of the shell", [FACE])
def shell_faces(context: RuleContext) -> tuple[Subject, ...]:
    """The faces that bound the part's shell, one by one: wall_faces without those of holes, ribs and bosses."""
    roles = context.analysis.recognition.roles
    others = STANDING | HOLE_ROLES
    return tuple(subject for subject in wall_faces(context) if int(roles[subject.faces[0]]) not in others)


@selector("sheet_faces", "broad faces of the sheet", [FACE])
def sheet_faces(context: RuleContext) -> tuple[Subject, ...]:
    """The plane faces that have a wall's thickness behind them over a breadth of more than that thickness."""
    chosen = []
    for number, face in enumerate(context.part.faces):
        wall_mm = context.thickness((number,)).median_mm
        if isinstance(face.surface, Plane) and wall_mm is not None and _breadth_mm(context, number) > wall_mm:
            chosen.append(Subject((number,)))
    return tuple(chosen)


@selector("sharp_corners", "sharp inside corners", [EDGE])
def sharp_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Concave edges of 1 mm and more without a blend, those at the bottom of holes left out."""
    roles = context.analysis.recognition.roles
    chosen = []
    for number in context.analysis.recognition.sharp_concave_edges:
        edge = context.part.edges[number]
        members = tuple(face for face in edge.faces if face >= 0)
        in_a_hole = all(int(roles[face]) in HOLE_ROLES for face in members)
        if edge.length_mm >= MIN_CORNER_LENGTH_MM and not in_a_hole:
            chosen.append(Subject(members, edge=number))
    return tuple(chosen)


def _breadth_mm(context: RuleContext, number: int) -> float:
    """About how wide a face is: the width of the strip of its area and half its outline."""
    face = context.face(number)
    outline = sum(context.part.edges[edge].length_mm for loop in face.loops for edge in loop.edges)
    return 2.0 * face.area_mm2 / outline if outline > 0 else 0.0
