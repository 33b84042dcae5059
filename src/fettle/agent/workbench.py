"""What every bench does with an analysis in the same way, each in a kernel child."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fettle.app import sandbox
from fettle.app.handover import Inspection
from fettle.app.sandbox import Limits

Json = dict[str, Any]


def turned(inspection: Inspection, pull: str, limits: Limits) -> Json:
    asked = (inspection.analysis, inspection.result["input_sha256"], pull)
    made: Inspection = sandbox.run("fettle.app.inspection:inspect_turned", asked, limits, lambda line: None)
    return made.result


def evaluated(
    inspection: Inspection, module: object, configuration: str | None, overrides: Mapping[str, float], limits: Limits
) -> Json:
    asked = (inspection.analysis, module, configuration, dict(overrides))
    entry: Json = sandbox.run("fettle.app.study:evaluate", asked, limits)
    return entry


def compared(old: Inspection, new: Inspection, limits: Limits) -> Json:
    pair = (old.analysis, new.analysis, old.result, new.result)
    change: Json = sandbox.run("fettle.app.revision:compare", pair, limits)
    return change
