"""Short forms of results, for answers of tools that must stay small."""

from __future__ import annotations

from itertools import islice
from typing import Any

from fettle.app.body_lines import body_lines
from fettle.app.causes import MergedCause, ProcessSummary, merged_causes, summarize_processes
from fettle.app.findings import MergedFinding, findings
from fettle.app.pmi_words import stated
from fettle.errors import BadRequest
from fettle.results import AnalysisResult, FeatureEntry, FlatPattern
from fettle.rules import modules_in_force
from fettle.rules.explain import explain_rule

Json = dict[str, Any]
WORST = 5
ASKED = 20
"""Tolerances of the file that an overview lists; the whole result has all."""


def brief_part(result: AnalysisResult) -> Json:
    """Headline, processes by fit, the deciding causes, size, features by kind, verdicts, and the worst findings."""
    kinds = [feature.kind for feature in result.features.features]
    found = findings(result.modules)
    causes = merged_causes(result)
    return {
        "headline": result.headline,
        "processes": [brief_process(one) for one in summarize_processes(result)],
        "bodies": [
            {"body": one.body, "name": one.name, "count": one.count, "verdict": one.word, "headline": one.said}
            for one in body_lines(result)
        ],
        "n_causes": len(causes),
        "worst_causes": [brief_cause(one) for one in causes[:WORST]],
        "geometry": result.geometry.to_dict(),
        "features": {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
        "pull": _pull(result),
        "verdicts": result.verdicts(),
        "n_findings": len(found),
        "worst_findings": [brief_finding(number, one) for number, one in enumerate(found[:WORST])],
        "warnings": list(result.warnings),
        "tolerances": [{"asked": text, "fids": list(fids[:8])} for text, fids in islice(stated(result.pmi), ASKED)],
    }


def brief_flat(flat: FlatPattern) -> Json:
    """Size, cutting and bending of a flat; its outlines left out."""
    shown = flat.to_dict()
    for outlines in ("outer", "panels"):
        del shown[outlines]
    cutouts = [one["shape"] for one in shown["cutouts"]]
    shown["cutouts"] = {shape: cutouts.count(shape) for shape in dict.fromkeys(cutouts)}
    shown["marks"] = [
        {"kind": one["kind"], "height_mm": one["height_mm"], "fids": one["fids"]} for one in shown["marks"]
    ]
    return shown


def brief_process(one: ProcessSummary) -> Json:
    shown = {"process": one.module, "fit": one.fit, "reason": one.reason, "verdicts": one.words}
    return {**shown, "candidate": one.candidate, **({"note": one.note} if one.note else {})}


def brief_cause(one: MergedCause) -> Json:
    return {
        "severity": one.cause.severity,
        "rule": f"{one.module}/{one.cause.rule}",
        "configurations": list(one.configurations),
        "count": one.cause.count,
        "fids": list(one.cause.fids[:8]),
        "message": one.cause.message,
        "value": one.figures,
        "fix": one.cause.fix,
    }


def brief_finding(number: int, one: MergedFinding) -> Json:
    return {
        "number": number,
        "severity": one.severity,
        "rule": f"{one.module}/{one.rule}",
        "configurations": list(one.configurations),
        "fids": list(one.fids[:8]),
        "message": one.message,
        "value": one.comparison,
    }


def brief_feature(feature: FeatureEntry) -> Json:
    """Without what is empty."""
    return {name: value for name, value in feature.to_dict().items() if value not in (None, [], False)}


def explain_finding(result: AnalysisResult, number: int) -> Json:
    """A finding with its place, the features there, and its rule in words."""
    found = findings(result.modules)
    if number >= len(found):
        raise BadRequest(f"There are {len(found)} findings, numbered from 0; {number} is not one of them.")
    one = found[number]
    faces = set(one.fids)
    owners = [feature for feature in result.features.features if faces & set(feature.related_fids)]
    rules = [
        explain_rule(module, rule)
        for module in modules_in_force()
        if module.key == one.module
        for rule in module.rules
        if rule.key == one.rule
    ]
    return {
        **brief_finding(number, one),
        "position_mm": one.position_mm,
        "borderline": one.borderline,
        "features_there": [brief_feature(feature) for feature in owners[:WORST]],
        "rule_in_words": rules[0] if rules else "",
    }


def brief_change(before: AnalysisResult, after: AnalysisResult) -> Json:
    """What another pull direction means."""
    old, new = before.verdicts(), after.verdicts()
    changed = {
        f"{module}:{key}": f"{old[module][key]} -> {word}"
        for module, configurations in new.items()
        for key, word in configurations.items()
        if old[module][key] != word
    }
    return {
        "before": _pull(before),
        "after": _pull(after),
        "verdicts_changed": changed,
        "n_findings": {"before": len(findings(before.modules)), "after": len(findings(after.modules))},
    }


def _pull(result: AnalysisResult) -> Json:
    manufacturability = result.features.manufacturability.to_dict()
    names = ("pull_dir", "n_undercuts", "n_low_draft")
    return {
        **{name: manufacturability[name] for name in names},
        "undercut_fids": manufacturability["undercut_fids"][:WORST],
    }
