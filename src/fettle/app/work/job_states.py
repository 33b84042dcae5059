"""The states a job goes through."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """State of a job."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    ERROR = "error"


UNFINISHED = (Status.QUEUED, Status.RUNNING)
