"""The typed client of the HTTP API, for programs that do not carry the engine.

    from fettle.client import Fettle

    with Fettle("http://127.0.0.1:8000", api_key) as client:
        result = client.analyses.create("bracket.step").wait(progress=print)
        print(result.verdicts())

`AsyncFettle` is the same with `await`. `client.run(operations.read_job(job_id))` calls any operation of the service;
operations and models are generated from its OpenAPI document. Every failure is an `ApiError`, one class per kind.
"""

from fettle.client.aio import AsyncFettle
from fettle.client.errors import (
    AnalysisFailed,
    ApiError,
    Conflict,
    ConnectionFailed,
    Invalid,
    NotFound,
    QuotaExceeded,
    ServerBusy,
    ServerTimedOut,
    TooLarge,
    Unauthorized,
)
from fettle.client.models import Conversion, Finding, Job, QuickInfo, Quote
from fettle.client.models import FinishEntry as Finish
from fettle.client.models import MaterialEntry as Material
from fettle.client.result import Result
from fettle.client.sync import Fettle

__all__ = [
    "AnalysisFailed",
    "ApiError",
    "AsyncFettle",
    "Conflict",
    "ConnectionFailed",
    "Conversion",
    "Fettle",
    "Finding",
    "Finish",
    "Invalid",
    "Job",
    "Material",
    "NotFound",
    "QuickInfo",
    "QuotaExceeded",
    "Quote",
    "Result",
    "ServerBusy",
    "ServerTimedOut",
    "TooLarge",
    "Unauthorized",
]
