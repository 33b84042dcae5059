"""One part file inspected in a kernel child of its own, under the limits and bounds of the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from fettle.app.isolation.part_files import run_on_file
from fettle.app.isolation.sandbox import Say
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.tasks import ANALYZE_FILE, JUDGE_FILE
from fettle.app.options import JobOptions, ModuleChoice
from fettle.app.settings import Settings
from fettle.results import AnalysisResult


def inspect_file(
    name: str, data: bytes, options: JobOptions, asked: Sequence[ModuleChoice] = (), say: Say = lambda line: None
) -> FileOutput:
    """Analyze a file and judge it by these modules; none: by all in force."""
    settings = Settings()
    sha256 = hashlib.sha256(data).hexdigest()
    return run_on_file(
        ANALYZE_FILE, (data, name, options, settings.size_bounds, sha256, tuple(asked)), settings.kernel_limits, say
    )


def judge_file(
    name: str, data: bytes, options: JobOptions, asked: Sequence[ModuleChoice] = (), say: Say = lambda line: None
) -> AnalysisResult:
    """The result alone, for callers that need no analysis to go on with."""
    settings = Settings()
    sha256 = hashlib.sha256(data).hexdigest()
    return run(
        JUDGE_FILE, (data, name, options, settings.size_bounds, sha256, tuple(asked)), settings.kernel_limits, say
    )
