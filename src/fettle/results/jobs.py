"""Analysis jobs as their owners see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from fettle.results.record import Format, JsonObject, Record

JobStatus = Literal["queued", "running", "done", "error"]


@dataclass(frozen=True, slots=True)
class JobAccepted(Record):
    """A job that was taken in."""

    EXAMPLE: ClassVar[JsonObject] = {"job_id": "job_CMGbzIh1Gk-z__XjvjotwA", "status": "queued"}

    job_id: Annotated[str, "Id to ask with."]
    status: Annotated[JobStatus, "State of the job when it was taken in."]


@dataclass(frozen=True, slots=True)
class Job(Record):
    """The state of a job."""

    EXAMPLE: ClassVar[JsonObject] = {
        "job_id": "job_CMGbzIh1Gk-z__XjvjotwA",
        "status": "running",
        "error": None,
        "filename": "bracket.step",
        "log": ["0.0 s: Started.", "0.1 s: Reading the file."],
        "created_at": "2026-11-15T12:55:09+00:00",
        "started_at": "2026-11-15T12:55:10+00:00",
        "finished_at": None,
        "expires_at": None,
        "progress": 0.2,
        "attempts": 1,
        "quote_id": None,
        "packs": [],
    }

    job_id: Annotated[str, "Id of the job."]
    status: Annotated[JobStatus, "State of the job."]
    error: Annotated[str | None, "Why it failed; null unless status is error."]
    filename: Annotated[str, "Name of the part file."]
    log: Annotated[tuple[str, ...], "Stages so far, a line each."]
    created_at: Annotated[datetime, "When it was taken in."]
    started_at: Annotated[datetime | None, "When a worker began."]
    finished_at: Annotated[datetime | None, "When it ended."]
    expires_at: Annotated[datetime | None, "When the job and its files are removed."]
    progress: Annotated[float, "Share of the work that is done, 0 to 1."]
    attempts: Annotated[int, "Times a worker began it."]
    quote_id: Annotated[str | None, "Quote it belongs to.", Format("uuid")]
    packs: Annotated[tuple[str, ...], "Rule packs of your own that judge it, as key@version."] = ()


@dataclass(frozen=True, slots=True)
class JobPage(Record):
    """A page of jobs, newest first."""

    jobs: Annotated[tuple[Job, ...], "Jobs of this page."]
    cursor: Annotated[str | None, "Ask with it for the next page; null on the last."]
