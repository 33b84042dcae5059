"""What every bench does with an analysis in the same way, each in a kernel child."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fettle.app.children.handover import Inspection
from fettle.app.isolation import sandbox
from fettle.app.isolation.sandbox import Limits

Json = dict[str, Any]


def turned(inspection: Inspection, pull: str, limits: Limits) -> Json:
    asked = (inspection.analysis, inspection.result["input_sha256"], pull)
    made: Inspection = sandbox.run("fettle.app.children.inspection:inspect_turned", asked, limits, lambda line: None)
    return made.result


def evaluated(
    inspection: Inspection, module: object, configuration: str | None, overrides: Mapping[str, float], limits: Limits
) -> Json:
    asked = (inspection.analysis, module, configuration, dict(overrides))
    entry: Json = sandbox.run("fettle.app.children.study:evaluate", asked, limits)
    return entry


def compared(old: Inspection, new: Inspection, limits: Limits) -> Json:
    pair = (old.analysis, new.analysis, old.result, new.result)
    change: Json = sandbox.run("fettle.app.revisions.revision:compare", pair, limits)
    return change
