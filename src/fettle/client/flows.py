"""What the client does with the service's operations: from a file to a result, polling until a job ends."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from fettle.client import models, operations
from fettle.client.errors import AnalysisFailed, ApiError
from fettle.client.result import Result
from fettle.client.transport import FilePart, Flow, Pause, UploadProgress

Say = Callable[[str], None]
POLL_S = 1.0


class AnalysisOptions(TypedDict, total=False):
    """Options of an analysis; what is left out takes the service's default."""

    pull: str | None
    max_edge: float | None
    curvature: float | None
    alpha_min: float | None
    alpha_warn: float | None
    units: str | None
    quote_id: str | None


def convert(file: str | Path, units: str | None, upload_progress: UploadProgress | None) -> Flow[models.Conversion]:
    return operations.convert(_fields({"units": units}), FilePart(file, upload_progress))


def quick_info(file: str | Path, units: str | None, upload_progress: UploadProgress | None) -> Flow[models.QuickInfo]:
    return operations.quick_info(_fields({"units": units}), FilePart(file, upload_progress))


def materials() -> Flow[list[models.MaterialEntry]]:
    return (yield from operations.list_materials()).materials


def finishes() -> Flow[list[models.FinishEntry]]:
    return (yield from operations.list_post_processing()).post_processing_options


def modules() -> Flow[list[dict[str, Any]]]:
    return (yield from operations.read_modules()).modules


def rule_schema() -> Flow[dict[str, Any]]:
    return (yield from operations.read_rule_schema()).model_dump()


def create_quote(
    file_name: str, conversion: models.Conversion, material_id: str, quantity: int, finish_ids: list[str]
) -> Flow[models.Quote]:
    body = {
        "file_name": file_name,
        "geometry": conversion.geometry.model_dump(),
        "material_id": material_id,
        "quantity": quantity,
        "post_processing_option_ids": finish_ids,
    }
    return (yield from operations.create_quote(body, idempotency_key=secrets.token_urlsafe(16))).quote


def quote_process(
    job_id: str, process: str, quantity: int, material: str | None, finish_ids: list[str]
) -> Flow[models.Quote]:
    body = {
        "job_id": job_id,
        "process": process,
        "quantity": quantity,
        "material": material,
        "post_processing_option_ids": finish_ids,
    }
    return (yield from operations.create_quote(body, idempotency_key=secrets.token_urlsafe(16))).quote


def get_quote(quote_id: str) -> Flow[models.Quote]:
    return (yield from operations.read_quote(quote_id)).quote


def create_analysis(
    file: str | Path, options: AnalysisOptions, upload_progress: UploadProgress | None
) -> Flow[models.JobAccepted]:
    key = secrets.token_urlsafe(16)
    return operations.analyze(_fields(options), FilePart(file, upload_progress), idempotency_key=key)


def create_batch(files: Sequence[str | Path], options: AnalysisOptions) -> Flow[models.BatchAccepted]:
    key = secrets.token_urlsafe(16)
    parts = [FilePart(file) for file in files]
    return operations.analyze_batch(_fields(options), parts, idempotency_key=key)


def wait(job_id: str, progress: Say | None, timeout_s: float) -> Flow[Result]:
    """Polls until the job ends; every new log line goes to `progress`."""
    shown = 0
    waited_s = 0.0
    while True:
        job = yield from operations.read_job(job_id)
        for line in job.log[shown:]:
            if progress:
                progress(line)
        shown = max(shown, len(job.log))
        if job.status == "error":
            raise AnalysisFailed(job.error or "the analysis failed", code="analysis_failed")
        if job.status == "done":
            return Result.model_construct(**dict((yield from operations.read_result(job_id))))
        if waited_s >= timeout_s:
            raise ApiError(
                f"{job_id} is still {job.status} after {timeout_s:.0f} s; call wait() again", code="still_running"
            )
        yield Pause(POLL_S)
        waited_s += POLL_S


def recompute(job_id: str, pull: str) -> Flow[models.JobAccepted]:
    return operations.recompute(job_id, {"pull": pull})


def evaluate(
    job_id: str, module: Mapping[str, Any], configuration_key: str, overrides: Mapping[str, float] | None
) -> Flow[models.ModuleResult]:
    body = {"module": module, "configuration_key": configuration_key, "overrides": overrides or {}}
    return operations.evaluate(job_id, body)


def _fields(options: Mapping[str, object]) -> dict[str, str]:
    """Form fields of the options that were given."""
    return {name: str(value) for name, value in options.items() if value is not None}
