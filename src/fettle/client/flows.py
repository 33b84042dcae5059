"""What the client does, without doing it: every operation is a generator of requests and pauses.

The synchronous and the asynchronous client drive the same generators, so there is one implementation of retries,
polling and errors. Metered calls are repeated only under one Idempotency-Key, so that a lost answer is not paid twice.
"""

from __future__ import annotations

import io
import json
import random
import secrets
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import httpx

from fettle.client.errors import BY_STATUS, AnalysisFailed, ApiError, ConnectionFailed, ServerBusy
from fettle.client.models import Conversion, Finish, Job, Material, ModuleEntry, QuickInfo, Quote, Result

T = TypeVar("T")
Say = Callable[[str], None]
UploadProgress = Callable[[int, int], None]

RETRIES = 4
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
POLL_S = 1.0
REPEATABLE_STATUSES = frozenset({408, 429, 502, 503})


class AnalysisOptions(TypedDict, total=False):
    """What an analysis may be told; what is left out takes the service's default."""

    pull: str | None
    max_edge: float | None
    curvature: float | None
    alpha_min: float | None
    alpha_warn: float | None
    units: str | None
    quote_id: str | None


@dataclass(frozen=True, slots=True)
class Send:
    """One HTTP request. `safe`: sending it twice does no harm."""

    method: str
    path: str
    safe: bool
    headers: Mapping[str, str] = field(default_factory=dict)
    content: Any = None
    data: Mapping[str, str] | None = None
    files: Callable[[], Mapping[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


Flow = Generator[Send | Pause, Any, T]


class CountingFile(io.BytesIO):
    """A file in memory that tells how much of it was sent."""

    def __init__(self, data: bytes, progress: UploadProgress | None) -> None:
        super().__init__(data)
        self._total, self._progress = len(data), progress

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        if self._progress and chunk:
            self._progress(self.tell(), self._total)
        return chunk


def send(request: Send) -> Flow[httpx.Response]:
    """Sends with retries and back-off; raises the typed error for any answer that is not 2xx."""
    pause_s = FIRST_PAUSE_S
    for attempt in range(RETRIES + 1):
        outcome = yield request
        last = attempt == RETRIES
        if isinstance(outcome, httpx.TransportError):
            if last or not request.safe:
                raise ConnectionFailed(f"{request.method} {request.path}: {outcome}") from outcome
            wait_s = pause_s
        else:
            response: httpx.Response = outcome
            if response.is_success:
                return response
            error = error_of(response)
            if (
                last
                or response.status_code not in REPEATABLE_STATUSES
                or not (request.safe or isinstance(error, ServerBusy))
            ):
                raise error
            wait_s = error.retry_after_s if error.retry_after_s is not None else pause_s
        yield Pause(min(wait_s, LONGEST_PAUSE_S) * random.uniform(0.8, 1.2))  # noqa: S311  jitter, not a secret
        pause_s *= 2
    raise AssertionError("unreachable: the last attempt returns or raises")


def error_of(response: httpx.Response) -> ApiError:
    """The service answers errors as JSON; anything else came from something in between."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {"error": f"answer {response.status_code} without the service's JSON: {response.text[:200]!r}"}
    kind = BY_STATUS.get(response.status_code, ApiError)
    retry_after = response.headers.get("Retry-After", "")
    return kind(
        str(body.get("error", response.reason_phrase)),
        status=response.status_code,
        code=body.get("code"),
        details=body.get("details"),
        request_id=response.headers.get("X-Request-Id"),
        upgrade_url=body.get("upgrade_url"),
        retry_after_s=float(retry_after) if retry_after.isdigit() else None,
    )


def get(path: str) -> Flow[Any]:
    response = yield from send(Send("GET", path, safe=True))
    return response.json()


def post_json(path: str, body: Mapping[str, Any], *, safe: bool, headers: Mapping[str, str] | None = None) -> Flow[Any]:
    content = json.dumps(body, default=str).encode()
    headers = {"Content-Type": "application/json", **(headers or {})}
    response = yield from send(Send("POST", path, safe=safe, headers=headers, content=content))
    return response.json()


def post_file(
    path: str,
    file: str | Path,
    *,
    data: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    safe: bool,
    upload_progress: UploadProgress | None = None,
) -> Flow[Any]:
    source = Path(file)
    payload = source.read_bytes()

    def files() -> Mapping[str, Any]:
        return {"file": (source.name, CountingFile(payload, upload_progress))}

    response = yield from send(Send("POST", path, safe=safe, headers=headers or {}, data=data or {}, files=files))
    return response.json()


def convert(file: str | Path, units: str | None, upload_progress: UploadProgress | None) -> Flow[Conversion]:
    data = {} if units is None else {"units": units}
    answer = yield from post_file("/convert", file, data=data, safe=True, upload_progress=upload_progress)
    return Conversion.model_validate(answer)


def quick_info(file: str | Path, units: str | None, upload_progress: UploadProgress | None) -> Flow[QuickInfo]:
    data = {} if units is None else {"units": units}
    answer = yield from post_file("/dfm/quick-info", file, data=data, safe=False, upload_progress=upload_progress)
    return QuickInfo.model_validate(answer)


def materials() -> Flow[list[Material]]:
    answer = yield from get("/materials")
    return [Material.model_validate(entry) for entry in answer["materials"]]


def finishes() -> Flow[list[Finish]]:
    answer = yield from get("/post-processing")
    return [Finish.model_validate(entry) for entry in answer["post_processing_options"]]


def create_quote(
    file_name: str, conversion: Conversion, material_id: str, quantity: int, finish_ids: list[str]
) -> Flow[Quote]:
    body = {
        "file_name": file_name,
        "geometry": conversion.geometry.model_dump(),
        "material_id": material_id,
        "quantity": quantity,
        "post_processing_option_ids": finish_ids,
    }
    answer = yield from post_json("/quotes", body, safe=True, headers={"Idempotency-Key": secrets.token_urlsafe(16)})
    return Quote.model_validate(answer["quote"])


def get_quote(quote_id: str) -> Flow[Quote]:
    answer = yield from get(f"/quotes/{quote_id}")
    return Quote.model_validate(answer["quote"])


def create_analysis(file: str | Path, options: AnalysisOptions, upload_progress: UploadProgress | None) -> Flow[Job]:
    data = {key: str(value) for key, value in options.items() if value is not None}
    headers = {"Idempotency-Key": secrets.token_urlsafe(16)}
    answer = yield from post_file(
        "/dfm/analyze", file, data=data, headers=headers, safe=True, upload_progress=upload_progress
    )
    return Job.model_validate(answer)


def get_job(job_id: str) -> Flow[Job]:
    return Job.model_validate((yield from get(f"/dfm/jobs/{job_id}")))


def delete_job(job_id: str) -> Flow[None]:
    yield from send(Send("DELETE", f"/dfm/jobs/{job_id}", safe=True))


def wait(job_id: str, progress: Say | None, timeout_s: float) -> Flow[Result]:
    """Polls until the job ends; every new log line goes to `progress`."""
    told = 0
    waited_s = 0.0
    while True:
        job = yield from get_job(job_id)
        for line in job.log[told:]:
            if progress:
                progress(line)
        told = max(told, len(job.log))
        if job.status == "error":
            raise AnalysisFailed(job.error or "the analysis failed", code="analysis_failed")
        if job.status == "done":
            return Result.model_validate((yield from get(f"/dfm/jobs/{job_id}/result")))
        if waited_s >= timeout_s:
            raise ApiError(
                f"{job_id} is still {job.status} after {timeout_s:.0f} s; call wait() again", code="still_running"
            )
        yield Pause(POLL_S)
        waited_s += POLL_S


def recompute(job_id: str, pull: str) -> Flow[Job]:
    response = yield from send(Send("POST", f"/dfm/jobs/{job_id}/recompute", safe=True, data={"pull": pull}))
    return Job.model_validate(response.json())


def evaluate(
    job_id: str, module: Mapping[str, Any], configuration_key: str, overrides: Mapping[str, float] | None
) -> Flow[ModuleEntry]:
    body = {"module": module, "configuration_key": configuration_key, "overrides": overrides or {}}
    return ModuleEntry.model_validate((yield from post_json(f"/dfm/jobs/{job_id}/modules/eval", body, safe=True)))
