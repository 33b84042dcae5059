"""From an upload to saved files: what a worker does with a job, and the service with a preview.

Everything derived is stored under a hash of what it depends on (the bytes, the engine, the options), so that the same
question is computed once; everything that touches a part runs in a kernel child.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from fettle.app import pack_versions
from fettle.app.errors import NotFound, NotReady
from fettle.app.fingerprint import engine_fingerprint
from fettle.app.flats.request import FlatRequest
from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.isolation.part_files import run_on_file
from fettle.app.kernel_tasks.messages import JobOutput, Preview
from fettle.app.kernel_tasks.stages import CACHED, PROGRESS, SAVING
from fettle.app.kernel_tasks.tasks import (
    ANALYZE_MODEL,
    ANALYZE_UPLOAD,
    CHANGE_JOB_PULL,
    EVALUATE,
    PREVIEW,
    UNFOLD_ANALYSIS,
)
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.state.files import Files, derived_key
from fettle.app.state.stored_analysis import add_header, read_pickle
from fettle.app.state.uploads import Upload
from fettle.app.work.attempts import Attempt
from fettle.app.work.job_files import (
    ANALYSIS,
    ARTIFACTS,
    BUNDLE,
    FLAT_ARTIFACTS,
    LEFT_BY_PULL,
    PRICING,
    RESULT,
    UPLOAD,
    FinishedRun,
    read_bundled,
)
from fettle.app.work.summaries import Finished, summarize

if TYPE_CHECKING:
    from fettle.results import FlatPattern, ModuleResult

MODEL = "model.pickle"
BUNDLED = (*ARTIFACTS.values(), ANALYSIS)
ALONE = (*FLAT_ARTIFACTS.values(), PRICING, RESULT)
"""Files of an analysis beside its bundle; only sheet parts have those of a flat. The result comes last: where it is,
the others are."""
MADE_IN = "made_in"
"""Name of the file of derived data that says in which run's folder an analysis was stored first."""


def analyze_upload(files: Files, settings: Settings, attempt: Attempt, within: Limits) -> Finished:
    """Analyze the part of a job and save the files."""

    def say(line: str) -> None:
        attempt.say(line, PROGRESS.get(line))

    derived = analysis_folder(settings, attempt.input_sha256, attempt.filename, attempt.options)
    folder = f"jobs/{attempt.token}/{attempt.run}"
    content = _stored(files, derived)
    if content is not None:
        say(CACHED)
        _save(files, folder, content)
    else:
        content = _with_header(settings, _computed(files, settings, attempt, within, say))
        say(SAVING)
        _save(files, folder, content)
        files.write(f"{derived}/{MADE_IN}", folder.encode())
    return summarize(json.loads(content[RESULT]))


def make_preview(files: Files, settings: Settings, upload: Upload, options: JobOptions) -> Preview:
    """Geometry, statistics and GLB of a part of any size; the model is stored for the analysis that may follow."""
    given = (upload.path.read_bytes(), upload.filename, options)
    made = run_on_file(PREVIEW, given, settings.kernel_limits)
    files.write(f"{model_folder(settings, upload.sha256, upload.filename, options)}/{MODEL}", made.model)
    return made


def evaluate(
    settings: Settings, analysis: bytes, module: object, configuration_key: str | None, overrides: Mapping[str, float]
) -> ModuleResult:
    """Judge a stored analysis by a caller's own module: one configuration, or all where none is named."""
    return sandbox.run(EVALUATE, (analysis, module, configuration_key, dict(overrides)), settings.kernel_limits)


def unfold(settings: Settings, analysis: bytes, request: FlatRequest) -> FlatPattern:
    """The flat of a stored analysis with an allowance and a material of the caller's choice."""
    return sandbox.run(UNFOLD_ANALYSIS, (analysis, request), settings.kernel_limits)


def read_analysis(files: Files, settings: Settings, run: FinishedRun) -> bytes:
    """The pickled analysis of a job. One that another version of the engine stored is computed anew from the upload,
    once; NotReady where that is gone."""
    fingerprint = engine_fingerprint(settings.catalog_dir)
    left = _left_by(files, f"{run.folder}/{run.number}", fingerprint, ())
    if left is not None:
        return left[0]
    anew = f"{analysis_folder(settings, run.input_sha256, run.filename, run.options)}/{ANALYSIS}"
    if files.exists(anew):
        pickled = read_pickle(files.read(anew), fingerprint)
        if pickled is not None:
            return pickled
    within = settings.kernel_limits
    made = _from_upload(files, settings, within, run.folder, run.filename, run.input_sha256, run.options, ())
    files.write(anew, add_header(made.files[ANALYSIS], fingerprint))
    return made.files[ANALYSIS]


def _computed(files: Files, settings: Settings, attempt: Attempt, within: Limits, say: sandbox.Say) -> JobOutput:
    """The analysis itself, from the nearest thing that is stored: the run before, the model, or the upload."""
    folder, sha256, options = f"jobs/{attempt.token}", attempt.input_sha256, attempt.options
    packs = _documents(attempt)
    if attempt.result_run is not None:
        fingerprint = engine_fingerprint(settings.catalog_dir)
        before = _left_by(files, f"{folder}/{attempt.result_run}", fingerprint, LEFT_BY_PULL)
        if before is not None:
            pickled, *kept = before
            turned = sandbox.run(CHANGE_JOB_PULL, (pickled, sha256, options.pull, packs), within, say)
            return JobOutput(dict(zip(LEFT_BY_PULL, kept, strict=True)) | turned.files)
    return _from_upload(files, settings, within, folder, attempt.filename, sha256, options, packs, say)


def _documents(attempt: Attempt) -> tuple[bytes, ...]:
    """The caller's own packs that the job is judged by."""
    used = pack_versions.find_used(attempt.store, attempt.account_id, attempt.options.packs)
    return tuple(pack.text.encode() for pack in used)


def _left_by(files: Files, folder: str, fingerprint: str, others: Sequence[str]) -> list[bytes] | None:
    """The pickled analysis that a run left, and other files of its bundle; None where their time is over, or another
    version of the engine wrote them."""
    try:
        stored, *kept = read_bundled(files, folder, [ANALYSIS, *others])
    except NotFound:
        return None
    pickled = read_pickle(stored, fingerprint)
    return None if pickled is None else [pickled, *kept]


def _from_upload(
    files: Files,
    settings: Settings,
    within: Limits,
    folder: str,
    filename: str,
    sha256: str,
    options: JobOptions,
    packs: tuple[bytes, ...],
    say: sandbox.Say = lambda line: None,
) -> JobOutput:
    """An analysis from the stored model or the uploaded file."""
    bounds = settings.size_bounds
    model = f"{model_folder(settings, sha256, filename, options)}/{MODEL}"
    if files.exists(model):
        return sandbox.run(ANALYZE_MODEL, (files.read(model), sha256, options, bounds, packs), within, say)
    try:
        data = files.read(f"{folder}/{UPLOAD}")
    except NotFound as gone:
        raise NotReady(
            "The analysis behind this result is no longer stored, or was made by another version of Fettle, and the "
            "file it was made from is no longer stored. Send the file again."
        ) from gone
    made = run_on_file(ANALYZE_UPLOAD, (data, filename, options, bounds, sha256, packs), within, say)
    if made.model is not None:
        files.write(model, made.model)
    return made


def _with_header(settings: Settings, output: JobOutput) -> dict[str, bytes]:
    fingerprint = engine_fingerprint(settings.catalog_dir)
    return {**output.files, ANALYSIS: add_header(output.files[ANALYSIS], fingerprint)}


def _save(files: Files, folder: str, content: dict[str, bytes]) -> None:
    if not files.plain:  # nodes of version 0.1 know no bundles
        files.write_bundle(f"{folder}/{BUNDLE}", {name: content[name] for name in BUNDLED})
    for name in (*BUNDLED, *ALONE) if files.plain else ALONE:
        if name in content:
            files.write(f"{folder}/{name}", content[name])


def _stored(files: Files, derived: str) -> dict[str, bytes] | None:
    """The files of an analysis that another run of the same question made, None where there is none any more."""
    try:
        folder = files.read(f"{derived}/{MADE_IN}").decode()
        content = {**files.read_bundle(f"{folder}/{BUNDLE}"), RESULT: files.read(f"{folder}/{RESULT}")}
        others = [name for name in (*FLAT_ARTIFACTS.values(), PRICING) if files.exists(f"{folder}/{name}")]
        return content | {name: files.read(f"{folder}/{name}") for name in others}
    except NotFound:
        return None  # its job was deleted: computed anew


def model_folder(settings: Settings, sha256: str, filename: str, options: JobOptions) -> str:
    """Where a model is stored: it depends on the bytes, the engine, and how they are to be read and meshed."""
    return f"derived/{_model_key(settings, sha256, filename, options)}"


def _model_key(settings: Settings, sha256: str, filename: str, options: JobOptions) -> str:
    engine, suffix = engine_fingerprint(settings.catalog_dir), PurePath(filename).suffix.lower()
    return derived_key("model", engine, sha256, suffix, options.units, options.max_edge_mm, options.curvature)


def analysis_folder(settings: Settings, sha256: str, filename: str, options: JobOptions) -> str:
    """Where it is written down which run an analysis was stored in, and one that was made anew."""
    model = _model_key(settings, sha256, filename, options)
    key = derived_key("analysis", model, options.pull, options.alpha_min_deg, options.alpha_warn_deg, *options.packs)
    return f"derived/{key}"
