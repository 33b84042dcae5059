"""Metrics of the whole part: bodies, walls, undercuts, set-ups, size. Most name the faces that decide the value."""

from __future__ import annotations

from fettle.geometry.part import Part, Shell
from fettle.recognize.kinds.wall import Wall
from fettle.rules.context import RuleContext
from fettle.rules.metrics.measured import AXES, spindle_tilts
from fettle.rules.registry import COUNT, EXACT_MM, MESH_MM, RATIO, Answer, Given, Measured, whole_part


@whole_part("part.sealed_void_count", "count", COUNT)
def sealed_void_count(context: RuleContext, given: Given) -> Answer:
    """Number of cavities inside the material without an opening."""
    shells = [shell for body in context.part.bodies for shell in body.void_shells]
    faces = tuple(face for shell in shells for face in context.part.shells[shell].faces)
    return Measured(float(context.analysis.cavities.sealed), faces)


@whole_part("part.trapping_void_count", "count", COUNT, ("slit_mm",))
def trapping_void_count(context: RuleContext, given: Given) -> Answer:
    """Number of cavities inside the material without an opening, those left out that close in print: on average (twice
    the volume over the area) narrower than a slit. One of unknown size counts."""
    part = context.part
    shells = [part.shells[shell] for body in part.bodies for shell in body.void_shells]
    wide = [shell for shell in shells if not _is_slit(part, shell, given["slit_mm"])]
    return Measured(float(len(wide)), tuple(face for shell in wide for face in shell.faces))


def _is_slit(part: Part, shell: Shell, slit_mm: float) -> bool:
    return 2.0 * abs(shell.volume_mm3) < slit_mm * sum(part.faces[face].area_mm2 for face in shell.faces)


@whole_part("part.is_watertight", "count", COUNT)
def is_watertight(context: RuleContext, given: Given) -> Answer:
    """1 if every edge joins two faces, so that the part encloses a volume; else 0."""
    open_faces = tuple(dict.fromkeys(edge.faces[0] for edge in context.part.edges if edge.faces[1] < 0))
    return Measured(float(context.part.watertight), open_faces)


@whole_part("part.body_count", "count", COUNT)
def body_count(context: RuleContext, given: Given) -> Answer:
    """Number of separate solids in the file."""
    extra = [context.part.shells[body.outer_shell].faces for body in context.part.bodies[1:]]
    return Measured(float(len(context.part.bodies)), tuple(face for faces in extra for face in faces))


@whole_part("part.setup_count", "count", COUNT, AXES)
def setup_count(context: RuleContext, given: Given) -> Answer:
    """Smallest number of set-ups in which the part is machined; from 5 axes on with a tilting spindle."""
    access = context.analysis.access
    return float(len(access.setups_5axis if spindle_tilts(given) else access.setups_3axis))


@whole_part("part.cnc_undercut_count", "count", COUNT)
def cnc_undercut_count(context: RuleContext, given: Given) -> Answer:
    """Number of connected regions that no cutter reaches along the six machine axes."""
    regions = context.analysis.access.undercut_regions
    return Measured(float(len(regions)), tuple(face for region in regions for face in region))


@whole_part("part.unreached_count", "count", COUNT, AXES)
def unreached_count(context: RuleContext, given: Given) -> Answer:
    """Number of faces that no cutter reaches; from 5 axes on with a tilting spindle."""
    access = context.analysis.access
    faces = access.unreached_5axis if spindle_tilts(given) else access.unreached_3axis
    return Measured(float(len(faces)), faces)


@whole_part("part.undercut_count", "count", COUNT)
def undercut_count(context: RuleContext, given: Given) -> Answer:
    """Number of connected regions that neither mold half releases: one side action each."""
    regions = context.analysis.draft.undercut_regions
    return Measured(float(len(regions)), tuple(face for region in regions for face in region))


@whole_part("part.low_draft_count", "count", COUNT)
def low_draft_count(context: RuleContext, given: Given) -> Answer:
    """Number of faces with less draft than the low-draft threshold of the analysis."""
    faces = context.analysis.draft.low_draft_faces
    return Measured(float(len(faces)), faces)


@whole_part("part.thickness.min", "mm", MESH_MM)
def thickness_min(context: RuleContext, given: Given) -> Answer:
    """Smallest wall thickness of the part: 5th percentile by area."""
    walls = context.thickness()
    return None if walls.min_mm is None else Measured(walls.min_mm, _thinnest(context), walls.position_mm)


@whole_part("part.thickness.mean", "mm", MESH_MM)
def thickness_mean(context: RuleContext, given: Given) -> Answer:
    """Mean wall thickness of the part, by area."""
    return context.thickness().mean_mm


@whole_part("part.thickness.median", "mm", MESH_MM)
def thickness_median(context: RuleContext, given: Given) -> Answer:
    """Median wall thickness of the part, by area: its nominal wall."""
    median = context.thickness().median_mm
    return None if median is None else Measured(median, _thickest(context))


@whole_part("part.thickness.cv", "ratio", RATIO)
def thickness_cv(context: RuleContext, given: Given) -> Answer:
    """Standard deviation of the wall thickness over its mean, by area: 0 is perfectly even."""
    cv = context.thickness().cv
    return None if cv is None else Measured(cv, _thickest(context))


@whole_part("part.thickness.ratio", "ratio", RATIO)
def thickness_ratio(context: RuleContext, given: Given) -> Answer:
    """Thickest over thinnest wall: 95th over 5th percentile of the wall thickness, by area."""
    walls = context.thickness()
    if not walls.min_mm or walls.p95_mm is None:
        return None
    return Measured(walls.p95_mm / walls.min_mm, _thinnest(context) + _thickest(context), walls.position_mm)


@whole_part("part.thickness_over_diagonal", "ratio", RATIO)
def thickness_over_diagonal(context: RuleContext, given: Given) -> Answer:
    """Median wall thickness over the diagonal of the box: small for sheets and shells, large for bulk."""
    median = context.thickness().median_mm
    return None if median is None else Measured(median / context.part.diagonal_mm, _thickest(context))


@whole_part("part.min_drain_diameter", "mm", MESH_MM)
def min_drain_diameter(context: RuleContext, given: Given) -> Answer:
    """Diameter of the narrowest opening of an internal cavity of 1 cm3 or more; no reading without such a cavity."""
    cavities = context.analysis.cavities
    if cavities.min_drain_diameter_mm is None:
        return None
    return Measured(cavities.min_drain_diameter_mm, cavities.drain_faces)


@whole_part("part.volume_mm3", "mm3", EXACT_MM)
def volume(context: RuleContext, given: Given) -> Answer:
    """Volume of the material."""
    return context.part.volume_mm3


@whole_part("part.area_mm2", "mm2", EXACT_MM)
def area(context: RuleContext, given: Given) -> Answer:
    """Area of the whole surface, voids included."""
    return context.part.area_mm2


@whole_part("part.largest_side", "mm", EXACT_MM)
def largest_side(context: RuleContext, given: Given) -> Answer:
    """Longest side of the axis-aligned box."""
    return float(context.part.size_mm.max())


@whole_part("part.smallest_side", "mm", EXACT_MM)
def smallest_side(context: RuleContext, given: Given) -> Answer:
    """Shortest side of the axis-aligned box."""
    return float(context.part.size_mm.min())


@whole_part("part.box_fill", "ratio", RATIO)
def box_fill(context: RuleContext, given: Given) -> Answer:
    """Volume of the material over that of the axis-aligned box."""
    return context.part.volume_mm3 / float(context.part.size_mm.prod())


@whole_part("part.feature_count", "count", COUNT)
def feature_count(context: RuleContext, given: Given) -> Answer:
    """Number of recognized features, not counting plain walls."""
    features = context.analysis.recognition.features
    return float(sum(not isinstance(feature, Wall) for feature in features))


def _thinnest(context: RuleContext) -> tuple[int, ...]:
    face = context.thickness().face
    return () if face is None else (face,)


def _thickest(context: RuleContext) -> tuple[int, ...]:
    """The face with the largest median wall thickness; empty if no face has a reading."""
    return context.keep("thickest", lambda: _find_thickest(context))


def _find_thickest(context: RuleContext) -> tuple[int, ...]:
    medians = [(context.thickness((face,)).median_mm, -face) for face in range(len(context.part.faces))]
    known = [(median, face) for median, face in medians if median is not None]
    return (-max(known)[1],) if known else ()
