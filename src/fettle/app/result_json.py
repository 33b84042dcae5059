"""Analyses in the API's shape: plain JSON data, the same bytes for the same analysis.

Numbers are finite and have nine significant digits; no reading is null. Faces appear by their fid.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from fettle import __version__
from fettle.geometry.part import Part, fid
from fettle.measure.readings import Candidate
from fettle.recognize.feature import Feature
from fettle.recognize.kinds import role_table
from fettle.rules import Module, RuleContext, judge, judge_module, modules_in_force

if TYPE_CHECKING:
    from fettle.analysis import Analysis

DIGITS = 9
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Process:
    """A module and those of its configurations to judge by; None: all of them."""

    module: Module
    configurations: tuple[str, ...] | None = None


def geometry(part: Part) -> Json:
    """As quick-info shows it."""
    x, y, z = part.size_mm
    return {
        "volume_cm3": number(part.volume_mm3 / 1e3),
        "surface_area_cm2": number(part.area_mm2 / 1e2),
        "bounding_box_mm": {"x": number(x), "y": number(y), "z": number(z)},
    }


def features(context: RuleContext) -> Json:
    """The `features` object of a result: roles, features with what was measured on them, manufacturability."""
    analysis = context.analysis
    roles = analysis.recognition.roles
    return {
        "roles_by_fid": {fid(face): int(role) for face, role in enumerate(roles)},
        "role_names": {str(code): role.title for code, role in role_table().items()},
        "features": [_feature(context, feature) for feature in analysis.recognition.features],
        "manufacturability": manufacturability(analysis),
        "coverage": {
            "faces": number(analysis.recognition.coverage_faces),
            "area": number(analysis.recognition.coverage_area),
        },
    }


def manufacturability(analysis: Analysis) -> Json:
    """What the pull direction means for the part. An undercut counts once however many faces it has."""
    draft = analysis.draft
    return {
        "pull_dir": numbers(draft.pull),
        "alpha_min_deg": number(analysis.options.alpha_min_deg),
        "alpha_warn_deg": number(analysis.options.alpha_warn_deg),
        "n_undercuts": len(draft.undercut_regions),
        "n_low_draft": len(draft.low_draft_faces),
        "pull_mode": analysis.pull.mode,
        "candidates": [_candidate(candidate) for candidate in analysis.pull.candidates],
        "undercut_fids": _fids(draft.undercut_faces),
        "low_draft_fids": _fids(draft.low_draft_faces),
    }


def judged(analysis: Analysis, input_sha256: str, processes: Sequence[Process] | None = None) -> Json:
    """The result of an analysis, judged by these processes, or by every configuration of every shipped module."""
    context = RuleContext(analysis)
    chosen = [Process(module) for module in modules_in_force()] if processes is None else processes
    modules = [_module(context, process) for process in chosen]
    return result(context, {"modules": modules}, input_sha256)


def result(context: RuleContext, modules: Json, input_sha256: str) -> Json:
    """A whole result, except what tells one job from another. Its own hash covers everything else in it."""
    analysis = context.analysis
    mesh = analysis.mesh
    body = {
        "features": features(context),
        "modules": modules,
        "geometry": geometry(analysis.part),
        "mesh": {
            "max_edge_mm": number(mesh.max_edge_mm),
            "curvature": number(mesh.curvature),
            "n_vertices": len(mesh.points),
            "n_triangles": len(mesh.triangles),
        },
        "options": asdict(analysis.options),
        "warnings": list(analysis.part.source.warnings),
        "input_sha256": input_sha256,
        "engine_version": __version__,
    }
    return {**body, "result_sha256": hashlib.sha256(encode(body)).hexdigest()}


def encode(data: Json) -> bytes:
    """Compact JSON in the order given; a number that is not finite is a fault of ours, never sent."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()


def number(value: float | None) -> float | None:
    """Nine significant digits; None for no reading."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{float(value):.{DIGITS}g}") + 0.0  # minus nothing is nothing


def numbers(values: Any) -> list[float | None]:
    return [number(value) for value in values]


def _module(context: RuleContext, process: Process) -> Json:
    if process.configurations is None:
        return judge_module(context, process.module)
    entries = [judge(context, process.module, key) for key in process.configurations]
    return {"module_key": process.module.key, "configurations": entries}


def _feature(context: RuleContext, feature: Feature) -> Json:
    thickness, clearance = context.thickness(feature.faces), context.clearance(feature.faces)
    drafts = context.analysis.draft.face_min_deg[list(feature.faces)]
    read = drafts[np.isfinite(drafts)]
    return {
        "fid": fid(feature.faces[0]),
        "kind": feature.kind,
        "related_fids": _fids(feature.faces),
        **_dimensions(feature),
        "thickness_min_mm": number(thickness.min_mm) if thickness else None,
        "thickness_mean_mm": number(thickness.mean_mm) if thickness else None,
        "clearance_min_mm": number(clearance.min_mm) if clearance else None,
        "draft_min_deg": number(read.min()) if len(read) else None,
        "area_mm2": number(sum(context.face(face).area_mm2 for face in feature.faces)),
    }


def _dimensions(record: Any) -> Json:
    """The fields of a feature or a stage; face numbers become fids."""
    shown: Json = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name == "faces":
            continue
        if field.name.endswith("_face"):
            shown[field.name[:-4] + "fid"] = fid(value) if value is not None else None
        elif field.name.endswith("_faces"):
            shown[field.name[:-5] + "fids"] = _fids(value)
        else:
            shown[field.name] = _plain(value)
    return shown


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _dimensions(value)


def _candidate(candidate: Candidate) -> Json:
    return {
        "direction": numbers(candidate.direction),
        "undercut_area_mm2": number(candidate.undercut_area_mm2),
        "low_draft_area_mm2": number(candidate.low_draft_area_mm2),
        "depth_mm": number(candidate.depth_mm),
    }


def _fids(faces: tuple[int, ...]) -> list[str]:
    return [fid(face) for face in faces]
