"""Kernel tasks that keep no files: the result of a part file with its analysis.

Importing this module imports the kernel; it is called through `tasks`, by name.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence

from fettle.analysis import Analysis, Options, with_pull
from fettle.app.build_result import Process, build_encoded_result, build_result
from fettle.app.kernel_tasks.measuring import measure
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.pickles import to_pickle
from fettle.app.kernel_tasks.size_limits import check_bounds
from fettle.app.kernel_tasks.stages import JUDGING, READING, TURNING
from fettle.app.options import Bounds, JobOptions, ModuleChoice, check_units
from fettle.errors import BadRequest
from fettle.geometry.load import load
from fettle.results import AnalysisResult, EncodedResult
from fettle.rules import modules_in_force, parse_module
from fettle.rules.checked_input import nearest
from fettle.rules.yaml_document import read_document

Say = Callable[[str], None]


def find_processes(asked: Sequence[ModuleChoice]) -> list[Process] | None:
    """The modules asked for with their configurations, None where nothing was; refuses what does not exist."""
    processes = [_process(one) for one in asked]
    for process in processes:
        for key in process.configurations or ():
            if key not in process.module.configurations:
                hint = nearest(key, process.module.configurations)
                raise BadRequest(f"module '{process.module.key}' has no configuration {key[:60]!r}; {hint}")
    return processes or None


def check_options(options: JobOptions, asked: Sequence[ModuleChoice]) -> None:
    """Refuse impossible options, processes that do not exist and rule files with faults, before any part is read."""
    find_processes(asked)
    Options(options.pull, options.alpha_min_deg, options.alpha_warn_deg)
    options.mesh()
    if options.units is not None:
        check_units(options.units)


def _process(asked: ModuleChoice) -> Process:
    if asked.document is None:
        shipped = {module.key: module for module in modules_in_force()}
        if asked.module not in shipped:
            raise BadRequest(f"no shipped module {asked.module[:60]!r}; {nearest(asked.module, shipped)}")
        return Process(shipped[asked.module], asked.configurations)
    return Process(parse_module(read_document(asked.document, asked.module)), asked.configurations)


def analyze_file(
    data: bytes,
    filename: str,
    options: JobOptions,
    bounds: Bounds,
    input_sha256: str,
    asked: Sequence[ModuleChoice],
    *,
    say: Say,
) -> FileOutput:
    """Read, measure and judge a file by the processes asked for; none: by all that are shipped."""
    encoded, analysis = _judged(data, filename, options, bounds, input_sha256, asked, say)
    return FileOutput(encoded.result, to_pickle(analysis))


def judge_file(
    data: bytes,
    filename: str,
    options: JobOptions,
    bounds: Bounds,
    input_sha256: str,
    asked: Sequence[ModuleChoice],
    *,
    say: Say,
) -> AnalysisResult:
    """The same for callers that ask nothing more of the part: the analysis is not kept."""
    return encode_file(data, filename, options, bounds, input_sha256, asked, say=say).result


def encode_file(
    data: bytes,
    filename: str,
    options: JobOptions,
    bounds: Bounds,
    input_sha256: str,
    asked: Sequence[ModuleChoice],
    *,
    say: Say,
) -> EncodedResult:
    """The same with its JSON, for callers in this process."""
    return _judged(data, filename, options, bounds, input_sha256, asked, say)[0]


def _judged(
    data: bytes,
    filename: str,
    options: JobOptions,
    bounds: Bounds,
    input_sha256: str,
    asked: Sequence[ModuleChoice],
    say: Say,
) -> tuple[EncodedResult, Analysis]:
    processes = find_processes(asked)
    say(READING)
    model = load(data, filename, options.mesh(), options.units)
    check_bounds(model.part.size_mm.tolist(), bounds, model.part.source.format)
    analysis = measure(model, options, say)
    say(JUDGING)
    return build_encoded_result(analysis, input_sha256, processes), analysis


def analyze_with_pull(pickled: bytes, input_sha256: str, pull: str, *, say: Say) -> FileOutput:
    """Judges an analyzed part again for another pull direction."""
    say(TURNING)
    analysis = with_pull(pickle.loads(pickled), pull)  # noqa: S301 - our own bytes
    return FileOutput(build_result(analysis, input_sha256), to_pickle(analysis))
