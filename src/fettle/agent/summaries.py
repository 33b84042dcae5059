"""Results in few words: what fits a context window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fettle.app.findings import Finding, findings, verdicts
from fettle.errors import BadRequest
from fettle.rules import modules_in_force
from fettle.rules.explain import explain_rule

Json = dict[str, Any]
WORST = 5


def brief_part(result: Mapping[str, Any]) -> Json:
    """Size, features by kind, verdicts, and the worst findings."""
    kinds = [feature["kind"] for feature in result["features"]["features"]]
    found = findings(result)
    return {
        "geometry": result["geometry"],
        "features": {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
        "pull": _pull(result),
        "verdicts": verdicts(result),
        "n_findings": len(found),
        "worst_findings": [brief_finding(number, one) for number, one in enumerate(found[:WORST])],
        "warnings": result["warnings"],
    }


def brief_finding(number: int, one: Finding) -> Json:
    return {
        "number": number,
        "severity": one.severity,
        "rule": f"{one.module}/{one.rule}",
        "configurations": list(one.configurations),
        "fids": list(one.fids[:8]),
        "message": one.message,
        "value": one.comparison,
    }


def brief_feature(feature: Mapping[str, Any]) -> Json:
    """Without what is empty."""
    return {name: value for name, value in feature.items() if value not in (None, [], False)}


def explain_finding(result: Mapping[str, Any], number: int) -> Json:
    """A finding with its place, the features there, and its rule in words."""
    found = findings(result)
    if number >= len(found):
        raise BadRequest(f"There are {len(found)} findings, numbered from 0; {number} is not one of them.")
    one = found[number]
    faces = set(one.fids)
    owners = [feature for feature in result["features"]["features"] if faces & set(feature["related_fids"])]
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


def brief_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """What another pull direction means."""
    old, new = verdicts(before), verdicts(after)
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
        "n_findings": {"before": len(findings(before)), "after": len(findings(after))},
    }


def _pull(result: Mapping[str, Any]) -> Json:
    manufacturability = result["features"]["manufacturability"]
    names = ("pull_dir", "n_undercuts", "n_low_draft")
    return {
        **{name: manufacturability[name] for name in names},
        "undercut_fids": manufacturability["undercut_fids"][:WORST],
    }
