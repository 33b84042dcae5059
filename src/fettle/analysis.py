"""Analysis of a part: recognized features and measured fields, for one pull direction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from html import escape

import numpy as np
from numpy.typing import NDArray

from fettle.cores import begin
from fettle.errors import BadRequest
from fettle.geometry.bodies import select_faces
from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part, Vector
from fettle.measure.access import SIDE_MILLING_DEG, measure_access
from fettle.measure.build_direction import search_build_direction
from fettle.measure.cavities import find_cavities
from fettle.measure.context import MeasureContext, prepare
from fettle.measure.draft import measure_draft
from fettle.measure.draft_limits import ALPHA_MIN_DEG, ALPHA_WARN_DEG, STEEP_DEG
from fettle.measure.joined_bodies import JoinedVisibility, MeasuredBodies, join_walls
from fettle.measure.mold_pull import measure_mold_draft
from fettle.measure.overhang import measure_overhang
from fettle.measure.pull import VECTOR, choose_pull, parse_pull
from fettle.measure.readings import (
    Access,
    BuildOrientation,
    Cavities,
    Draft,
    Overhang,
    Pull,
    WallField,
)
from fettle.measure.thickness import INTO_MATERIAL, OUT_OF_MATERIAL, measure_walls
from fettle.measure.visibility import Visibility
from fettle.recognize import recognize
from fettle.recognize.bought import Bought
from fettle.recognize.feature import Recognition

FaceNumbers = NDArray[np.int32]
FINEST_SHOWN = 2.0
"""How many times shorter the edges of a body's own mesh may be than those of the file's for its maps to show it: the
file then has at most four times as many triangles."""


@dataclass(frozen=True, slots=True)
class Options:
    """`pull`: cardinal, hemisphere or "x,y,z"; a wall that leans back by more than `alpha_min_deg` is an undercut, one
    with less draft than `alpha_warn_deg` has low draft."""

    pull: str = "cardinal"
    alpha_min_deg: float = ALPHA_MIN_DEG
    alpha_warn_deg: float = ALPHA_WARN_DEG

    def __post_init__(self) -> None:
        parse_pull(self.pull)
        for name, angle in (("alpha_min", self.alpha_min_deg), ("alpha_warn", self.alpha_warn_deg)):
            if not (math.isfinite(angle) and 0.0 <= angle < STEEP_DEG):
                raise BadRequest(f"{name} must be an angle from 0 to below {STEEP_DEG:g} degrees, not {angle}")


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """All that the rules evaluate of a part. Plain data: picklable, and evaluated without the geometry kernel.

    `mold_draft`: draft along the pull that the caller gave, or else along the part's own direction that suits a mold
    best.
    `build`: orientations for printing, best first; the pull does not change them.
    `bodies`: the different bodies of a file with several, each analyzed as a part of its own; empty for one body.
    `visibility` lets `with_pull` reuse the BVH within one process; it is left out of pickles.
    """

    part: Part
    mesh: Mesh
    options: Options
    recognition: Recognition
    thickness: WallField
    clearance: WallField
    pull: Pull
    draft: Draft
    mold_draft: Draft
    access: Access
    overhang: Overhang
    cavities: Cavities
    build: tuple[BuildOrientation, ...]
    bodies: tuple[BodyAnalysis, ...] = ()
    visibility: Visibility | JoinedVisibility | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[type[Analysis], tuple[object, ...]]:
        return type(self), tuple(getattr(self, kept.name) for kept in fields(self) if kept.name != "visibility")

    def facts(self) -> dict[str, str]:
        """Key figures of the part by name, each as a short text."""
        part = self.part
        kinds = Counter(feature.kind.lower() for feature in self.recognition.features)
        walls = self.thickness.value_mm[np.isfinite(self.thickness.value_mm)]
        pull = ", ".join(f"{along:g}" for along in self.draft.pull)
        return {
            "size": " x ".join(f"{side:.5g}" for side in part.size_mm) + " mm",
            "volume": "unknown" if math.isnan(part.volume_mm3) else f"{part.volume_mm3 / 1e3:.5g} cm3",
            "area": "unknown" if math.isnan(part.area_mm2) else f"{part.area_mm2 / 1e2:.5g} cm2",
            "bodies": str(len(part.bodies)),
            "features": ", ".join(f"{number} {kind}" for kind, number in kinds.items()) or "none",
            "walls": f"{walls.min():.4g} to {walls.max():.4g} mm" if len(walls) else "not measured",
            "pull": f"{pull}: {len(self.draft.undercut_regions)} undercuts, "
            f"{len(self.draft.low_draft_faces)} faces of low draft",
            "warnings": "; ".join(part.source.warnings) or "none",
        }

    def summary(self) -> str:
        """The facts, one line each."""
        return "\n".join(f"{name:<9}{fact}" for name, fact in self.facts().items())

    def _repr_html_(self) -> str:
        """The facts as an HTML table, for notebooks."""
        rows = (f"<tr><th>{name}</th><td>{escape(fact)}</td></tr>" for name, fact in self.facts().items())
        return f"<table>{''.join(rows)}</table>"


@dataclass(frozen=True, slots=True, eq=False)
class BodyAnalysis:
    """One of the different bodies of a file, for itself: no other body is in its way.

    `members`: numbers from 0 of all bodies equal to it, itself first; `faces`: the file's numbers of its own faces, in
    the order of `part.faces`. `size_mm`: sides (3,) of its box along its own axes. `bought`: what it is bought as, None
    for a body that is made. `contacts`: its faces (the file's numbers) that lie on another body, by that body's number.
    `analysis`: None where it was not analyzed, and `not_analyzed` says why.
    """

    part: Part
    name: str
    members: tuple[int, ...]
    faces: tuple[int, ...]
    size_mm: Vector
    bought: Bought | None
    contacts: dict[int, tuple[int, ...]]
    analysis: Analysis | None
    not_analyzed: str = ""

    @property
    def count(self) -> int:
        return len(self.members)


@dataclass(frozen=True, slots=True, eq=False)
class _PullDependent:
    """Results that depend on the pull direction."""

    pull: Pull
    draft: Draft
    mold_draft: Draft
    access: Access


@dataclass(frozen=True, slots=True, eq=False)
class _Begun:
    """What does not depend on the pull, begun on the second core in this order: each is there when it is called."""

    visibility: Visibility
    recognition: Callable[[], Recognition]
    thickness: Callable[[], WallField]
    clearance: Callable[[], WallField]


@dataclass(frozen=True, slots=True, eq=False)
class _Fields:
    """What does not depend on the pull."""

    recognition: Recognition
    thickness: WallField
    clearance: WallField


def begin_recognition(part: Part) -> Callable[[], Recognition]:
    """Begin to recognize the features of a part on the second core. They need no mesh: it may be refined meanwhile."""
    return begin(lambda: recognize(part))


def analyze(
    part: Part, mesh: Mesh, options: Options = Options(), recognition: Callable[[], Recognition] | None = None
) -> Analysis:
    """Recognize the features of a part and measure it on its refined mesh. `recognition`: where it has begun."""
    begun = _begin(part, mesh, options, recognition or begin_recognition(part))
    visibility, context = begun.visibility, begun.visibility.context
    orientations = begin(lambda: search_build_direction(context))
    along_pull = _measure_along_pull(visibility, options)
    hidden = ~np.logical_or.reduce(
        [visibility.free((x, y, z)) for x, y, z in along_pull.access.directions[:6].tolist()]
    )
    cavities = find_cavities(context, hidden)
    build = orientations()
    return replace(
        _with_fields(visibility, options, along_pull, _end(begun)),
        overhang=measure_overhang(context, build[0].direction),
        cavities=cavities,
        build=build,
    )


def _begin(part: Part, mesh: Mesh, options: Options, recognition: Callable[[], Recognition]) -> _Begun:
    context = prepare(part, mesh)
    return _Begun(
        visibility=_new_visibility(context, options),
        recognition=recognition,
        thickness=begin(lambda: measure_walls(context, INTO_MATERIAL)),
        clearance=begin(lambda: measure_walls(context, OUT_OF_MATERIAL)),
    )


def _end(begun: _Begun) -> _Fields:
    """What was begun last is asked for first: the second core may not have come to it, and then it is done here."""
    clearance, thickness = begun.clearance(), begun.thickness()
    return _Fields(begun.recognition(), thickness, clearance)


def analyze_file(
    part: Part,
    mesh: Mesh,
    bodies: tuple[BodyAnalysis, ...],
    options: Options,
    recognition: Callable[[], Recognition],
) -> Analysis:
    """Features and measured fields of a file of several bodies, for its maps. `mesh`: of all bodies, first those that
    are `shown_as_analyzed`: their readings are taken over. What only rules read (access, build orientations, cavities,
    mold pull) is left empty: rules judge its bodies, never the file as one lump. `recognition`: begun on the file."""
    shown = shown_as_analyzed(bodies, mesh.max_edge_mm)
    pieces = _pieces(part, mesh, shown, options)
    thickness, clearance = ([getattr(one, name) for _, one in shown] for name in ("thickness", "clearance"))
    for piece in pieces[len(shown) :]:
        thickness.append(measure_walls(piece.visibility.context, INTO_MATERIAL))
        clearance.append(measure_walls(piece.visibility.context, OUT_OF_MATERIAL))
    visibility = JoinedVisibility(part, mesh, pieces)
    along_pull = _measure_fields_along_pull(visibility, options)
    found = _Fields(recognition(), join_walls(pieces, thickness), join_walls(pieces, clearance))
    return replace(_with_fields(visibility, options, along_pull, found), bodies=bodies)


def shown_as_analyzed(bodies: Sequence[BodyAnalysis], max_edge_mm: float) -> list[tuple[FaceNumbers, Analysis]]:
    """Bodies whose own mesh is also their part of the file's, which has edges up to `max_edge_mm`, with the file's
    numbers of their faces. Smaller bodies, whose own mesh is much finer, have a coarser one in the file: its maps would
    become too large to show."""
    return [
        (np.array(body.faces, np.int32), body.analysis)
        for body in bodies
        if body.analysis is not None and is_shown(body.analysis.mesh, max_edge_mm)
    ]


def is_shown(own: Mesh, max_edge_mm: float) -> bool:
    """Whether a body's own mesh is not much finer than the file's."""
    return FINEST_SHOWN * own.max_edge_mm >= max_edge_mm


def _pieces(
    part: Part, mesh: Mesh, shown: Sequence[tuple[FaceNumbers, Analysis]], options: Options
) -> list[MeasuredBodies]:
    """Every body that is shown as analyzed, and all others together."""
    pieces = [MeasuredBodies(faces, _visibility_of(body, options)) for faces, body in shown]
    others = np.ones(len(part.faces), np.bool_)
    for faces, _ in shown:
        others[faces] = False
    rest = select_faces(mesh, others)
    if len(rest.triangles):
        every = np.arange(len(part.faces), dtype=np.int32)
        pieces.append(MeasuredBodies(every, _new_visibility(prepare(part, rest), options)))
    return pieces


def _with_fields(
    visibility: Visibility | JoinedVisibility, options: Options, along_pull: _PullDependent, found: _Fields
) -> Analysis:
    context = visibility.context
    return Analysis(
        part=context.part,
        mesh=context.mesh,
        options=options,
        recognition=found.recognition,
        thickness=found.thickness,
        clearance=found.clearance,
        pull=along_pull.pull,
        draft=along_pull.draft,
        mold_draft=along_pull.mold_draft,
        access=along_pull.access,
        overhang=Overhang(np.full(len(context.part.faces), np.nan)),
        cavities=Cavities(context.part.void_count, None, ()),
        build=(),
        visibility=visibility,
    )


def with_pull(analysis: Analysis, pull: str) -> Analysis:
    """The same part with another pull direction: only draft and access are measured again."""
    options = replace(analysis.options, pull=pull)
    bodies = tuple(
        replace(body, analysis=with_pull(body.analysis, pull) if body.analysis else None) for body in analysis.bodies
    )
    visibility: Visibility | JoinedVisibility
    if not bodies:
        visibility = _visibility_of(analysis, options)
        along_pull = _measure_along_pull(visibility, options)
    else:
        visibility = analysis.visibility or _join_visibility(analysis, bodies, options)
        along_pull = _measure_fields_along_pull(visibility, options)
    return replace(
        analysis,
        options=options,
        pull=along_pull.pull,
        draft=along_pull.draft,
        mold_draft=along_pull.mold_draft,
        access=along_pull.access,
        bodies=bodies,
        visibility=visibility,
    )


def _join_visibility(analysis: Analysis, bodies: Sequence[BodyAnalysis], options: Options) -> JoinedVisibility:
    shown = shown_as_analyzed(bodies, analysis.mesh.max_edge_mm)
    return JoinedVisibility(analysis.part, analysis.mesh, _pieces(analysis.part, analysis.mesh, shown, options))


def _visibility_of(analysis: Analysis, options: Options) -> Visibility:
    """That of a part of one body, new where it was not kept."""
    if isinstance(analysis.visibility, Visibility):
        return analysis.visibility
    return _new_visibility(prepare(analysis.part, analysis.mesh), options)


def _new_visibility(context: MeasureContext, options: Options) -> Visibility:
    """Visibility with the larger of the tolerances of side milling and of undercuts."""
    return Visibility(context, max(SIDE_MILLING_DEG, options.alpha_min_deg))


def _measure_along_pull(visibility: Visibility, options: Options) -> _PullDependent:
    context, angles = visibility.context, (options.alpha_min_deg, options.alpha_warn_deg)
    fields = _measure_fields_along_pull(visibility, options)
    pull, draft = fields.pull, fields.draft
    return replace(
        fields,
        mold_draft=draft if pull.mode == VECTOR else measure_mold_draft(context, visibility, pull, draft, angles),
        access=measure_access(context, visibility, pull.direction),
    )


def _measure_fields_along_pull(visibility: Visibility | JoinedVisibility, options: Options) -> _PullDependent:
    """Draft alone, without what only rules read."""
    context, angles = visibility.context, (options.alpha_min_deg, options.alpha_warn_deg)
    pull = choose_pull(context, visibility, parse_pull(options.pull), *angles)
    draft = measure_draft(context, visibility, pull.direction, *angles)
    nothing = Access(np.empty((0, 3)), np.empty((0, len(context.part.faces))), (), (), (), (), ())
    return _PullDependent(pull=pull, draft=draft, mold_draft=draft, access=nothing)
