"""What every backend does with an analysis in the same way, each in a kernel child."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fettle.app.flats.request import FlatRequest
from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.tasks import CHANGE_FILE_PULL, COMPARE, EVALUATE, UNFOLD_ANALYSIS
from fettle.results import AnalysisResult, FlatPattern, ModuleResult

Json = dict[str, Any]


def turned(inspection: FileOutput, pull: str, limits: Limits) -> AnalysisResult:
    asked = (inspection.analysis, inspection.result.input_sha256, pull)
    return sandbox.run(CHANGE_FILE_PULL, asked, limits, lambda line: None).result


def evaluated(
    inspection: FileOutput, module: object, configuration: str | None, overrides: Mapping[str, float], limits: Limits
) -> ModuleResult:
    return sandbox.run(EVALUATE, (inspection.analysis, module, configuration, dict(overrides)), limits)


def unfolded(inspection: FileOutput, request: FlatRequest, limits: Limits) -> FlatPattern:
    return sandbox.run(UNFOLD_ANALYSIS, (inspection.analysis, request), limits)


def compared(old: FileOutput, new: FileOutput, limits: Limits) -> Json:
    return sandbox.run(COMPARE, (old.analysis, new.analysis, old.result, new.result), limits)
