"""Two revisions of a part compared: faces, features, findings, geometry and price. Pure: no kernel, no files."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fettle.analysis import Analysis
from fettle.app.build_result import rounded_vector
from fettle.app.findings import MergedFinding, findings
from fettle.app.pmi_words import stated
from fettle.app.revisions.bodies import compare_bodies
from fettle.app.revisions.facematch import Matching, match_faces
from fettle.geometry.part import fid
from fettle.results import AnalysisResult
from fettle.results.part import geometry_of

Json = dict[str, Any]

IDENTITY = ("fid", "related_fids", "floor_fid", "base_fid", "support_fids", "confidence")
"""Fields of a feature that name faces; they are compared through the matching, not as numbers."""

MEASURED = ("thickness_min_mm", "thickness_mean_mm", "clearance_min_mm", "draft_min_deg", "area_mm2")
"""What was measured on a feature moves with its neighbors; it does not make the feature another one."""

DIGITS = 4
"""Dimensions are compared as shown: in tenths of micrometers."""


def compare(old: bytes, new: bytes, old_result: AnalysisResult, new_result: AnalysisResult) -> Json:
    """Compare two pickled analyses with their results; runs in a child, because analyses may be huge."""
    before: Analysis = pickle.loads(old)  # noqa: S301 - our own bytes
    after: Analysis = pickle.loads(new)  # noqa: S301 - our own bytes
    matching = match_faces(before.part, after.part)
    return {
        "geometry": {"old": geometry_of(before.part).to_dict(), "new": geometry_of(after.part).to_dict()},
        "faces": _faces(matching),
        "features": _features(_listed(old_result), _listed(new_result), matching),
        "findings": _findings(findings(old_result.modules), findings(new_result.modules), matching),
        "causes": _causes(old_result, new_result),
        "verdicts": _verdicts(old_result, new_result),
        "bodies": compare_bodies(old_result, new_result),
        "tolerances": _tolerances(old_result, new_result, matching),
    }


def _listed(result: AnalysisResult) -> list[Json]:
    return [feature.to_dict() for feature in result.features.features]


def _faces(matching: Matching) -> Json:
    return {
        "n_unchanged": len(matching.same),
        "changed": [{"old": fid(one), "new": fid(other)} for one, other in sorted(matching.changed.items())],
        "added": [fid(face) for face in matching.added],
        "removed": [fid(face) for face in matching.removed],
        "shift_mm": list(rounded_vector(matching.shift_mm)),
    }


def _features(old: Sequence[Json], new: Sequence[Json], matching: Matching) -> Json:
    """A feature is the same one where its kind and most of its faces are; its dimensions tell whether it changed."""
    mapped = {fid(one): fid(other) for one, other in matching.new_of.items()}
    left = list(range(len(new)))
    n_unchanged, changed, removed = 0, [], []
    for feature in old:
        faces = {mapped[face] for face in feature["related_fids"] if face in mapped}
        partner = _partner(feature, faces, new, left)
        if partner is None:
            removed.append(_brief(feature))
            continue
        left.remove(partner)
        differences = _differences(feature, new[partner])
        if differences:
            changed.append(
                {"kind": feature["kind"], "old": feature["fid"], "new": new[partner]["fid"], "changes": differences}
            )
        else:
            n_unchanged += 1
    return {
        "n_unchanged": n_unchanged,
        "changed": changed,
        "added": [_brief(new[number]) for number in left],
        "removed": removed,
    }


def _partner(feature: Json, faces: set[str], new: Sequence[Json], left: Sequence[int]) -> int | None:
    """The feature of the same kind that shares the most faces."""
    shared = [
        (len(faces & set(new[number]["related_fids"])), -number)
        for number in left
        if new[number]["kind"] == feature["kind"]
    ]
    most, number = max(shared, default=(0, 0))
    return -number if most > 0 else None


def _differences(old: Json, new: Json) -> Json:
    return {
        name: {"old": old[name], "new": new[name]}
        for name in old
        if name not in (*IDENTITY, *MEASURED) and name in new and _shown(old[name]) != _shown(new[name])
    }


def _shown(value: Any) -> Any:
    """As compared: numbers rounded, lists and stages entry by entry."""
    if isinstance(value, float | int) and not isinstance(value, bool):
        return round(float(value), DIGITS) + 0.0
    if isinstance(value, Mapping):
        return {key: _shown(entry) for key, entry in value.items() if key not in IDENTITY}
    return [_shown(entry) for entry in value] if isinstance(value, list) else value


def _brief(feature: Json) -> Json:
    sizes = {
        name: feature[name]
        for name in feature
        if name.endswith(("_mm", "_deg")) and name not in MEASURED and isinstance(feature[name], float | int)
    }
    return {"kind": feature["kind"], "fid": feature["fid"], **dict(list(sizes.items())[:4])}


def _findings(old: Sequence[MergedFinding], new: Sequence[MergedFinding], matching: Matching) -> Json:
    """A finding persists where the same rule of the same process still names one of its faces."""
    mapped = {fid(one): fid(other) for one, other in matching.new_of.items()}
    left = list(new)
    fixed, kept = [], []
    for one in old:
        faces = {mapped[face] for face in one.fids if face in mapped}
        alike = [other for other in left if _process(other) == _process(one)]
        partner = next((other for other in alike if faces & set(other.fids)), None)
        if partner is None and len(alike) == 1 and sum(_process(other) == _process(one) for other in old) == 1:
            # The rule's only finding before and after: about the whole part, whichever face it points at.
            partner = alike[0]
        if partner is None:
            fixed.append(_summary(one))
        else:
            left.remove(partner)
            kept.append(_summary(partner))
    return {"new": [_summary(one) for one in left], "fixed": fixed, "unchanged": kept}


def _causes(old_result: AnalysisResult, new_result: AnalysisResult) -> list[Json]:
    """Causes that are new, gone, or met at another number of places: counts before and after by process and rule."""
    before, after = _cause_counts(old_result), _cause_counts(new_result)
    return [
        {"module": module, "configuration": configuration, "rule": rule, "severity": severity}
        | {"old": before.get(key, 0), "new": after.get(key, 0)}
        for key in dict.fromkeys([*before, *after])
        for module, configuration, rule, severity in [key]
        if before.get(key, 0) != after.get(key, 0)
    ]


def _cause_counts(result: AnalysisResult) -> Counter[tuple[str, str, str, str]]:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for one in result.processes:
        for cause in one.causes:
            counts[one.module_key, one.configuration_key, cause.rule, cause.severity] += cause.count
    return counts


def _process(one: MergedFinding) -> tuple[object, ...]:
    return one.module, one.rule, one.configurations, one.severity


def _summary(one: MergedFinding) -> Json:
    return {
        "module": one.module,
        "configurations": list(one.configurations),
        "rule": one.rule,
        "severity": one.severity,
        "fids": list(one.fids),
        "message": one.message,
    }


def _tolerances(old_result: AnalysisResult, new_result: AnalysisResult, matching: Matching) -> Json:
    """What the files ask for that is not the same: changed where kind and faces are the same, else added or removed."""
    mapped = {fid(one): fid(other) for one, other in matching.new_of.items()}
    before = [(text, frozenset(mapped.get(face, "") for face in fids)) for text, fids in stated(old_result.pmi)]
    left = [(text, frozenset(fids)) for text, fids in stated(new_result.pmi)]
    for one in list(before):
        if one in left:
            before.remove(one)
            left.remove(one)
    changed = []
    for text, faces in list(before):
        kind = text.split()[0]
        partner = next((one for one in left if one[1] == faces and one[0].split()[0] == kind), None)
        if partner is not None:
            before.remove((text, faces))
            left.remove(partner)
            changed.append({"old": text, "new": partner[0], "fids": sorted(faces, key=int)})
    return {"changed": changed, "added": [text for text, _ in left], "removed": [text for text, _ in before]}


def _verdicts(old_result: AnalysisResult, new_result: AnalysisResult) -> list[Json]:
    """Processes of both results whose overall severity changed."""
    before, after = old_result.verdicts(), new_result.verdicts()
    return [
        {"module": module, "configuration": key, "old": word, "new": after[module][key]}
        for module, configurations in before.items()
        for key, word in configurations.items()
        if after.get(module, {}).get(key, word) != word
    ]
