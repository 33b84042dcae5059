"""What can go wrong when calling the service.

ApiError
├── ConnectionFailed    no answer came; the request may or may not have arrived
├── Unauthorized        401: the key is missing, malformed, unknown or revoked
├── QuotaExceeded       402: the plan's included units are used up; see `upgrade_url`
├── NotFound            404: no such quote or job on this account, or it expired
├── Conflict            409: the job is not in a state for this
├── TooLarge            413: the file is larger than the service takes
├── Invalid             400 or 422: the file or the request cannot be used; see `details`
├── ServerBusy          429 or 503: try again after `retry_after_s`
├── ServerTimedOut      504: the part took too long; ask for a coarser max_edge
└── AnalysisFailed      the job ended in status error
"""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """`status` is the HTTP status (0 when there was none), `code` the service's stable word for the cause."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str | None = None,
        details: list[dict[str, Any]] | None = None,
        request_id: str | None = None,
        upgrade_url: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details or []
        self.request_id = request_id
        self.upgrade_url = upgrade_url
        self.retry_after_s = retry_after_s


class ConnectionFailed(ApiError):
    pass


class Unauthorized(ApiError):
    pass


class QuotaExceeded(ApiError):
    pass


class NotFound(ApiError):
    pass


class Conflict(ApiError):
    pass


class TooLarge(ApiError):
    pass


class Invalid(ApiError):
    pass


class ServerBusy(ApiError):
    pass


class ServerTimedOut(ApiError):
    pass


class AnalysisFailed(ApiError):
    pass


BY_STATUS: dict[int, type[ApiError]] = {
    400: Invalid,
    401: Unauthorized,
    402: QuotaExceeded,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    422: Invalid,
    429: ServerBusy,
    503: ServerBusy,
    504: ServerTimedOut,
}
