"""Builds the typed result of an analysis.

Numbers are finite and have nine significant digits; where nothing was measured there is None. Faces appear by their
face id.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fettle import __version__
from fettle.app.body_entries import list_bodies, only_body
from fettle.app.build_pmi import pmi_report
from fettle.app.flats.unfolding import flat_of_file, usual_flat
from fettle.app.pattern_entries import patterns_of
from fettle.app.turned_geometry import turned_of
from fettle.geometry.part import fid
from fettle.measure.readings import Candidate
from fettle.plan.facts import making_facts
from fettle.pmi.requirements import Requirement
from fettle.recognize.feature import Feature
from fettle.recognize.kinds import role_table
from fettle.results import (
    AnalysisResult,
    Coverage,
    EncodedResult,
    FeatureEntry,
    FeatureList,
    Manufacturability,
    MeshSummary,
    ModuleResults,
    PullCandidate,
    UsedOptions,
)
from fettle.results.feature_kinds import dimensions
from fettle.results.features import FeatureTolerance
from fettle.results.part import geometry_of
from fettle.results.record import Triple, reading, rounded
from fettle.rules import Module, RuleContext, judge_module, modules_in_force
from fettle.rules.assembly import file_headline, judge_bodies, merge_modules, rank_file
from fettle.rules.flat_shape import unfolded_of
from fettle.rules.ranking import rank_processes
from fettle.rules.tolerance_selectors import stated_requirements

if TYPE_CHECKING:
    from fettle.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Process:
    """A module and those of its configurations to judge by; None: all of them."""

    module: Module
    configurations: tuple[str, ...] | None = None


def build_result(analysis: Analysis, input_sha256: str, processes: Sequence[Process] | None = None) -> AnalysisResult:
    """The result of an analysis, judged by these processes; None: by every configuration of every module in force."""
    return build_encoded_result(analysis, input_sha256, processes).result


def build_encoded_result(
    analysis: Analysis, input_sha256: str, processes: Sequence[Process] | None = None
) -> EncodedResult:
    """The same with its JSON, which the hash needs anyway."""
    context = RuleContext(analysis)
    given = [Process(module) for module in modules_in_force()] if processes is None else processes
    chosen = [(process.module, process.configurations) for process in given]
    if analysis.bodies:
        judged = judge_bodies(analysis, chosen)
        modules = merge_modules(judged)
        headline, ranked = file_headline(analysis, judged), rank_file(judged, modules)
        bodies = list_bodies(analysis, judged)
        contexts = {id(one.body.analysis): one.context for one in judged}
        flat = flat_of_file(analysis, {one.body.members[0]: one.context for one in judged})
    else:
        modules = tuple(judge_module(context, module, keys) for module, keys in chosen)
        headline, ranked = rank_processes(context, list(zip((module for module, _ in chosen), modules, strict=True)))
        bodies = (only_body(analysis.part, headline, ranked),) if analysis.part.bodies else ()
        contexts = {id(analysis): context}
        flat = usual_flat(unfolded_of(context))
    mesh = analysis.mesh
    unhashed = AnalysisResult(
        headline=headline,
        processes=ranked,
        bodies=bodies,
        features=features_of(context),
        modules=ModuleResults(modules),
        geometry=geometry_of(analysis.part),
        turned=turned_of(analysis.recognition),
        flat=flat,
        pmi=pmi_report(analysis.part, analysis.recognition.features),
        making=making_facts(
            analysis,
            lambda body: unfolded_of(contexts[id(body)]),
            lambda body: contexts[id(body)].wall_readings,
        ),
        mesh=MeshSummary(reading(mesh.max_edge_mm), reading(mesh.curvature), len(mesh.points), len(mesh.triangles)),
        options=UsedOptions(**asdict(analysis.options)),
        warnings=analysis.part.source.warnings,
        input_sha256=input_sha256,
        engine_version=__version__,
        result_sha256="",
    )
    return EncodedResult.hashed(unhashed)


def features_of(context: RuleContext) -> FeatureList:
    """Roles, features with what was measured on them, and manufacturability."""
    recognition = context.analysis.recognition
    drafts_deg = context.analysis.draft.face_min_deg.tolist()
    asked = [(frozenset(one.faces), _tolerance(one)) for one in stated_requirements(context)]
    return FeatureList(
        roles_by_fid={fid(face): role for face, role in enumerate(recognition.roles.tolist())},
        role_names={str(code): role.title for code, role in role_table().items()},
        features=tuple(_feature(context, feature, drafts_deg, asked) for feature in recognition.features),
        manufacturability=_manufacturability(context.analysis),
        coverage=Coverage(rounded(recognition.coverage_faces), rounded(recognition.coverage_area)),
        patterns=patterns_of(recognition),
    )


def rounded_vector(values: Iterable[float]) -> Triple:
    """Three numbers with nine significant digits."""
    x, y, z = (rounded(value) for value in values)
    return x, y, z


def _manufacturability(analysis: Analysis) -> Manufacturability:
    draft = analysis.draft
    return Manufacturability(
        pull_dir=rounded_vector(draft.pull),
        alpha_min_deg=rounded(analysis.options.alpha_min_deg),
        alpha_warn_deg=rounded(analysis.options.alpha_warn_deg),
        n_undercuts=len(draft.undercut_regions),
        n_low_draft=len(draft.low_draft_faces),
        pull_mode=analysis.pull.mode,
        candidates=tuple(_candidate(candidate) for candidate in analysis.pull.candidates),
        undercut_fids=_fids(draft.undercut_faces),
        low_draft_fids=_fids(draft.low_draft_faces),
    )


def _feature(
    context: RuleContext,
    feature: Feature,
    drafts_deg: Sequence[float],
    asked: Sequence[tuple[frozenset[int], FeatureTolerance]],
) -> FeatureEntry:
    """`drafts_deg`: of every face, nan where it has none; `asked`: tolerances with their faces."""
    fids = context.fids(feature.faces)
    thickness, clearance = context.thickness(feature.faces), context.clearance(feature.faces)
    measured = [drafts_deg[face] for face in feature.faces if math.isfinite(drafts_deg[face])]
    return FeatureEntry(
        fid=fids[0],
        kind=feature.kind,
        related_fids=fids,
        dimensions=dimensions(feature),
        thickness_min_mm=reading(thickness.min_mm) if thickness else None,
        thickness_mean_mm=reading(thickness.mean_mm) if thickness else None,
        clearance_min_mm=reading(clearance.min_mm) if clearance else None,
        draft_min_deg=reading(min(measured, default=None)),
        area_mm2=rounded(sum(context.face(face).area_mm2 for face in feature.faces)),
        tolerances=tuple(tolerance for faces, tolerance in asked if not faces.isdisjoint(feature.faces)),
    )


def _tolerance(one: Requirement) -> FeatureTolerance:
    return FeatureTolerance(one.kind, one.text, reading(one.width_mm), one.grade, reading(one.ra_um))


def _candidate(candidate: Candidate) -> PullCandidate:
    return PullCandidate(
        direction=rounded_vector(candidate.direction),
        undercut_area_mm2=rounded(candidate.undercut_area_mm2),
        low_draft_area_mm2=rounded(candidate.low_draft_area_mm2),
        depth_mm=rounded(candidate.depth_mm),
    )


def _fids(faces: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(fid(face) for face in faces)
