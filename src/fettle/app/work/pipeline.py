"""From an upload to saved files: what a worker does with a job, and a front door with a preview.

Everything derived is kept under a hash of what it depends on (the bytes, the engine's version, the options), so that
the same question is computed once; everything that touches a part runs in a kernel child.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath

from fettle import __version__
from fettle.app.isolation import sandbox
from fettle.app.isolation.sandbox import Limits
from fettle.app.kernel_tasks.messages import JobOutput, Preview
from fettle.app.kernel_tasks.stages import CACHED, PROGRESS, SAVING
from fettle.app.kernel_tasks.tasks import ANALYZE_MODEL, ANALYZE_UPLOAD, EVALUATE, PREVIEW, TURN_JOB
from fettle.app.options import Bounds, JobOptions
from fettle.app.settings import Settings
from fettle.app.state.files import Files, derived_key
from fettle.app.state.uploads import Upload
from fettle.app.work.attempts import Attempt
from fettle.app.work.jobs import ANALYSIS, ARTIFACTS, RESULT, UPLOAD
from fettle.results import ModuleResult

MODEL = "model.pickle"
KEPT = (*ARTIFACTS.values(), ANALYSIS, RESULT)
"""Files of an analysis. The result comes last: where it is, the others are."""


def analyze_upload(files: Files, settings: Settings, attempt: Attempt) -> str:
    """Do the work of a job and save its files; returns the hash of the result."""

    def say(line: str) -> None:
        attempt.say(line, PROGRESS.get(line))

    derived = f"derived/{_analysis_key(attempt.input_sha256, attempt.filename, attempt.options)}"
    if files.exists(f"{derived}/{RESULT}"):
        say(CACHED)
        study = {name: files.read(f"{derived}/{name}") for name in KEPT}
    else:
        study = _study(files, settings, attempt, say).files
        say(SAVING)
        for name in KEPT:
            files.write(f"{derived}/{name}", study[name])
    for name in KEPT:
        files.write(f"jobs/{attempt.token}/{attempt.run}/{name}", study[name])
    return str(json.loads(study[RESULT])["result_sha256"])


def make_preview(files: Files, settings: Settings, upload: Upload, options: JobOptions) -> Preview:
    """Geometry, statistics and GLB of a part of any size; the model stays for the analysis that may follow."""
    asked = (upload.path.read_bytes(), upload.filename, options)
    made = sandbox.run(PREVIEW, asked, limits(settings))
    files.write(f"derived/{model_key(upload.sha256, upload.filename, options)}/{MODEL}", made.model)
    return made


def evaluate(
    settings: Settings, analysis: bytes, module: object, configuration_key: str | None, overrides: Mapping[str, float]
) -> ModuleResult:
    """Judge a kept analysis by a caller's own module: one configuration, or all where none is named."""
    return sandbox.run(EVALUATE, (analysis, module, configuration_key, dict(overrides)), limits(settings))


def limits(settings: Settings) -> Limits:
    return Limits(settings.kernel_wall_s, settings.kernel_cpu_s, settings.kernel_memory_bytes)


def _study(files: Files, settings: Settings, attempt: Attempt, say: sandbox.Say) -> JobOutput:
    """The analysis itself, from the nearest thing that is kept: the run before, the model, or the upload."""
    sha256, options = attempt.input_sha256, attempt.options
    bounds, within = bounds_of(settings), limits(settings)
    if attempt.result_run is not None:
        before = files.read(f"jobs/{attempt.token}/{attempt.result_run}/{ANALYSIS}")
        return sandbox.run(TURN_JOB, (before, sha256, options.pull), within, say)
    model = f"derived/{model_key(sha256, attempt.filename, options)}/{MODEL}"
    if files.exists(model):
        given = (files.read(model), sha256, options, bounds)
        return sandbox.run(ANALYZE_MODEL, given, within, say)
    data = files.read(f"jobs/{attempt.token}/{UPLOAD}")
    asked = (data, attempt.filename, options, bounds, sha256)
    study = sandbox.run(ANALYZE_UPLOAD, asked, within, say)
    if study.model is not None:
        files.write(model, study.model)
    return study


def bounds_of(settings: Settings) -> Bounds:
    return Bounds(settings.dfm_min_side_mm, settings.dfm_max_side_mm)


def model_key(sha256: str, filename: str, options: JobOptions) -> str:
    """Hash of everything a model depends on: the bytes, the engine, and how they are to be read and meshed."""
    suffix = PurePath(filename).suffix.lower()
    return derived_key("model", __version__, sha256, suffix, options.units, options.max_edge_mm, options.curvature)


def _analysis_key(sha256: str, filename: str, options: JobOptions) -> str:
    model = model_key(sha256, filename, options)
    return derived_key("analysis", model, options.pull, options.alpha_min_deg, options.alpha_warn_deg)
