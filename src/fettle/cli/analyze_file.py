"""One part file inspected in a kernel child of its own, under the limits and bounds of the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from fettle.app.command_settings import command_settings
from fettle.app.isolation.part_files import run_on_file
from fettle.app.isolation.sandbox import Say
from fettle.app.isolation.task import KernelTask
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.tasks import ANALYZE_FILE, JUDGE_FILE
from fettle.app.options import Bounds, JobOptions, ModuleChoice
from fettle.results import AnalysisResult

T = TypeVar("T")


def inspect_file(
    name: str, data: bytes, options: JobOptions, asked: Sequence[ModuleChoice] = (), say: Say = lambda line: None
) -> FileOutput:
    """Analyze a file and judge it by these modules; none: by all in force."""
    return _run(ANALYZE_FILE, name, data, options, asked, say)


def judge_file(
    name: str,
    data: bytes,
    options: JobOptions,
    asked: Sequence[ModuleChoice] = (),
    say: Say = lambda line: None,
    *,
    alone: bool = True,
) -> AnalysisResult:
    """The result alone, for callers that need no analysis to go on with. `alone`: no other file is judged meanwhile."""
    return _run(JUDGE_FILE, name, data, options, asked, say, alone=alone)


def _run(
    task: KernelTask[T, bytes, str, JobOptions, Bounds, str, Sequence[ModuleChoice]],
    name: str,
    data: bytes,
    options: JobOptions,
    asked: Sequence[ModuleChoice],
    say: Say,
    *,
    alone: bool = True,
) -> T:
    settings = command_settings()
    sha256 = hashlib.sha256(data).hexdigest()
    limits = settings.kernel_limits if alone else replace(settings.kernel_limits, cores=1)
    return run_on_file(task, (data, name, options, settings.size_bounds, sha256, asked), limits, say)
