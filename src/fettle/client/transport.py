"""Requests as data: an operation is a generator of requests and pauses that a client drives.

The synchronous and the asynchronous client drive the same generators, so there is one implementation of retries and
errors. A metered call is repeated only under one Idempotency-Key, so that a lost answer is not counted twice.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import httpx

from fettle.client.answer import Answer
from fettle.client.errors import BY_STATUS, ApiError, ConnectionFailed, ServerBusy

T = TypeVar("T")
Model = TypeVar("Model", bound=Answer)
UploadProgress = Callable[[int, int], None]
"""Called with the bytes sent so far and the bytes of the whole file."""

RETRIES = 4
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
REPEATABLE_STATUSES = frozenset({408, 429, 502, 503})


@dataclass(frozen=True, slots=True)
class Send:
    """One HTTP request. `safe`: sending it twice does no harm."""

    method: str
    path: str
    safe: bool
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] | None = None
    content: bytes | None = None
    data: Mapping[str, str] | None = None
    files: Callable[[], list[tuple[str, tuple[str, io.BytesIO]]]] | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


Outcome = httpx.Response | httpx.TransportError | None
Flow: TypeAlias = Generator[Send | Pause, Outcome, T]


class CountingFile(io.BytesIO):
    """A file in memory that reports how much of it was sent."""

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
            if outcome is None:
                raise AssertionError("a request was answered like a pause")
            if outcome.is_success:
                return outcome
            error = error_of(outcome)
            if (
                last
                or outcome.status_code not in REPEATABLE_STATUSES
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


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file to upload."""

    path: str | Path
    progress: UploadProgress | None = None


def call(
    method: str,
    path: str,
    model: type[Model],
    *,
    safe: bool,
    query: Mapping[str, object] | None = None,
    body: Mapping[str, Any] | None = None,
    fields: Mapping[str, str] | None = None,
    file: FilePart | None = None,
    files: Sequence[FilePart] = (),
    idempotency_key: str | None = None,
) -> Flow[Model]:
    """One operation whose JSON answer is a `model`. `query`: what is None is left out."""
    parts = [*([("file", file)] if file else []), *(("files", one) for one in files)]
    request = _request(method, path, safe, query, body, fields, parts, idempotency_key)
    return model.model_validate((yield from send(request)).json())


def call_for_nothing(method: str, path: str, *, safe: bool) -> Flow[None]:
    """One operation whose answer has no body."""
    yield from send(Send(method, path, safe))


def _request(
    method: str,
    path: str,
    safe: bool,
    query: Mapping[str, object] | None,
    body: Mapping[str, Any] | None,
    fields: Mapping[str, str] | None,
    parts: Sequence[tuple[str, FilePart]],
    idempotency_key: str | None,
) -> Send:
    headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
    asked = {name: str(value) for name, value in (query or {}).items() if value is not None}
    if body is not None:
        content = json.dumps(body, default=str).encode()
        return Send(method, path, safe, {"Content-Type": "application/json", **headers}, asked, content)
    return Send(method, path, safe, headers, asked, data=fields, files=_files(parts) if parts else None)


def _files(parts: Sequence[tuple[str, FilePart]]) -> Callable[[], list[tuple[str, tuple[str, io.BytesIO]]]]:
    """Opens every file anew for every attempt."""
    read = [(field, Path(part.path), Path(part.path).read_bytes(), part.progress) for field, part in parts]
    return lambda: [(field, (path.name, CountingFile(data, progress))) for field, path, data, progress in read]
