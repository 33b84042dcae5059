"""Every task that may run in a kernel process, with its types. Calling one needs no import of the kernel:

    output = sandbox.run(ANALYZE_FILE, (data, name, options, bounds, sha256, ()), limits, say)

A declaration names the function once; a test compares the declared types with the function's own signature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fettle.app.flats.request import FlatRequest
from fettle.app.isolation.task import KernelTask
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.kernel_tasks.messages import FileOutput, JobOutput, PictureRequest, Preview, ReportPictures
from fettle.app.options import Bounds, JobOptions, ModuleChoice
from fettle.geometry.mesh_options import MeshOptions

if TYPE_CHECKING:
    from pathlib import Path

    from fettle.geometry.model import Model
    from fettle.results import AnalysisResult, FileDescription, FlatPattern, ModuleResult
    from fettle.results.record import JsonObject
    from fettle.rules.cases import Case, Miss
    from fettle.rules.spec import Module

LOAD: KernelTask[Model, bytes, str, MeshOptions, str | None] = KernelTask("fettle.geometry.load:load")
DESCRIBE_FILE: KernelTask[FileDescription, bytes, str, str | None] = KernelTask(
    "fettle.app.kernel_tasks.preview:describe_file"
)
PREVIEW: KernelTask[Preview, bytes, str, JobOptions] = KernelTask("fettle.app.kernel_tasks.preview:preview")

ANALYZE_FILE: KernelTask[FileOutput, bytes, str, JobOptions, Bounds, str, Sequence[ModuleChoice]] = KernelTask(
    "fettle.app.kernel_tasks.file_analysis:analyze_file"
)
JUDGE_FILE: KernelTask[AnalysisResult, bytes, str, JobOptions, Bounds, str, Sequence[ModuleChoice]] = KernelTask(
    "fettle.app.kernel_tasks.file_analysis:judge_file"
)
CHANGE_FILE_PULL: KernelTask[FileOutput, bytes, str, str] = KernelTask(
    "fettle.app.kernel_tasks.file_analysis:analyze_with_pull"
)
CHECK_OPTIONS: KernelTask[None, JobOptions, Sequence[ModuleChoice]] = KernelTask(
    "fettle.app.kernel_tasks.file_analysis:check_options"
)

ANALYZE_UPLOAD: KernelTask[JobOutput, bytes, str, JobOptions, Bounds, str, Sequence[bytes]] = KernelTask(
    f"{CHILD_MODULE}:analyze_upload"
)
ANALYZE_MODEL: KernelTask[JobOutput, bytes, str, JobOptions, Bounds, Sequence[bytes]] = KernelTask(
    f"{CHILD_MODULE}:analyze_model"
)
CHANGE_JOB_PULL: KernelTask[JobOutput, bytes, str, str, Sequence[bytes]] = KernelTask(
    f"{CHILD_MODULE}:analyze_with_pull"
)
EVALUATE: KernelTask[ModuleResult, bytes, object, str | None, Mapping[str, float]] = KernelTask(
    f"{CHILD_MODULE}:evaluate"
)

UNFOLD_FILE: KernelTask[FlatPattern, bytes, str, str | None, FlatRequest] = KernelTask(
    "fettle.app.kernel_tasks.unfolding:unfold_file"
)
UNFOLD_ANALYSIS: KernelTask[FlatPattern, bytes, FlatRequest] = KernelTask(
    "fettle.app.kernel_tasks.unfolding:unfold_analysis"
)

COMPARE: KernelTask[JsonObject, bytes, bytes, AnalysisResult, AnalysisResult] = KernelTask(
    "fettle.app.revisions.revision:compare"
)
DRAW_PICTURES: KernelTask[ReportPictures, bytes, Sequence[PictureRequest], bool] = KernelTask(
    "fettle.app.kernel_tasks.report_pictures:draw_pictures"
)
DRAW_PART: KernelTask[bytes, bytes] = KernelTask("fettle.app.kernel_tasks.part_picture:draw_part")

BUILD_PART: KernelTask[bytes, Mapping[str, object], str] = KernelTask("fettle.geometry.csg:build")

CASE_RUNNER = "fettle.rules.run_cases"
RUN_CASE: KernelTask[list[Miss], Module, Case, Path] = KernelTask(f"{CASE_RUNNER}:run_case")
