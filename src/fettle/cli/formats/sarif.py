"""SARIF 2.1.0, for code scanning: every finding with its file, its face as a logical location, and a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fettle import __version__
from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"fail": "error", "warning": "warning"}


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    rules: dict[str, dict[str, Any]] = {}
    results = [_result(outcome.file, one, rules) for outcome, found in zip(outcomes, new, strict=True) for one in found]
    failed = [_notification(outcome) for outcome in outcomes if outcome.result is None]
    run = {
        "tool": {"driver": {"name": "Fettle", "version": __version__, "rules": list(rules.values())}},
        "columnKind": "utf16CodeUnits",
        "invocations": [{"executionSuccessful": not failed, "toolExecutionNotifications": failed}],
        "artifacts": [{"location": {"uri": _uri(outcome.file)}} for outcome in outcomes],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, allow_nan=False) + "\n"


def _result(file: str, one: MergedFinding, rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    rule_id = f"{one.module}/{one.rule}"
    rules.setdefault(rule_id, {"id": rule_id, "name": one.rule, "shortDescription": {"text": one.rule_name}})
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}}}
    if one.fids:
        location["logicalLocations"] = [
            {"name": f"face {fid}", "fullyQualifiedName": f"{Path(file).name}#face-{fid}", "kind": "element"}
            for fid in one.fids
        ]
    place = "-" if one.position_mm is None else ",".join(f"{along:.1f}" for along in one.position_mm)
    identity = "|".join([rule_id, Path(file).name, *one.configurations, place])
    return {
        "ruleId": rule_id,
        "ruleIndex": list(rules).index(rule_id),
        "level": LEVELS[one.severity],
        "message": {"text": f"{one.message} ({one.comparison})"},
        "locations": [location],
        "partialFingerprints": {"fettle/v1": hashlib.sha256(identity.encode()).hexdigest()[:32]},
        "properties": {
            "configurations": list(one.configurations),
            "value": one.value,
            "threshold": one.threshold,
            "position_mm": None if one.position_mm is None else list(one.position_mm),
            "borderline": one.borderline,
        },
    }


def _notification(outcome: Outcome) -> dict[str, Any]:
    where = {"physicalLocation": {"artifactLocation": {"uri": _uri(outcome.file)}}}
    return {"level": "error", "message": {"text": str(outcome.error)}, "locations": [where]}


def _uri(file: str) -> str:
    """Relative as given, so that a viewer finds it in the repository; absolute paths as file URIs."""
    return Path(file).as_uri() if Path(file).is_absolute() else quote(Path(file).as_posix())
