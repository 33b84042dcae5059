"""What every backend does with an analysis in the same way, each in a kernel child."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.kernel_tasks.messages import FileOutput

Json = dict[str, Any]


def turned(inspection: FileOutput, pull: str, limits: Limits) -> Json:
    asked = (inspection.analysis, inspection.result["input_sha256"], pull)
    made: FileOutput = sandbox.run(
        "fettle.app.kernel_tasks.file_analysis:analyze_with_pull", asked, limits, lambda line: None
    )
    return made.result


def evaluated(
    inspection: FileOutput, module: object, configuration: str | None, overrides: Mapping[str, float], limits: Limits
) -> Json:
    asked = (inspection.analysis, module, configuration, dict(overrides))
    entry: Json = sandbox.run("fettle.app.kernel_tasks.job_analysis:evaluate", asked, limits)
    return entry


def compared(old: FileOutput, new: FileOutput, limits: Limits) -> Json:
    pair = (old.analysis, new.analysis, old.result, new.result)
    change: Json = sandbox.run("fettle.app.revisions.revision:compare", pair, limits)
    return change
