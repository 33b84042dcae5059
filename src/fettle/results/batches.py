"""Several files in one order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.results.jobs import JobStatus
from fettle.results.record import Format, JsonObject, Record


@dataclass(frozen=True, slots=True)
class BatchFile(Record):
    """What became of one file of a batch: a job, or a refusal."""

    filename: Annotated[str, "Name of the part file."]
    job_id: Annotated[str | None, "Id of its job; null where the file was refused."]
    error: Annotated[str | None, "Why it was refused, for a person; null where it was accepted."]
    code: Annotated[str | None, "Why it was refused, for machines; null where it was accepted."]


@dataclass(frozen=True, slots=True)
class BatchAccepted(Record):
    """A batch that was taken in, file by file in the order in which they were sent."""

    EXAMPLE: ClassVar[JsonObject] = {
        "batch_id": "batch_pXv1m0Vw7tFQ2lq0a4mN9A",
        "status_url": "https://fettle.example/api/v1/dfm/batches/batch_pXv1m0Vw7tFQ2lq0a4mN9A",
        "files": [
            {"filename": "bracket.step", "job_id": "job_CMGbzIh1Gk-z__XjvjotwA", "error": None, "code": None},
            {
                "filename": "notes.txt",
                "job_id": None,
                "error": "notes.txt has the extension '.txt'; accepted are .step, .stp, .glb, .gltf.",
                "code": "bad_upload",
            },
        ],
    }

    batch_id: Annotated[str, "Id to ask with."]
    status_url: Annotated[str, "Where the state of all its jobs is read.", Format("uri")]
    files: Annotated[tuple[BatchFile, ...], "Every file that was sent."]


@dataclass(frozen=True, slots=True)
class BatchJob(Record):
    """A job of a batch."""

    job_id: Annotated[str, "Id of the job."]
    filename: Annotated[str, "Name of the part file."]
    status: Annotated[JobStatus, "State of the job."]
    error: Annotated[str | None, "Why it failed; null unless status is error."]


@dataclass(frozen=True, slots=True)
class Batch(Record):
    """How the jobs of a batch stand."""

    EXAMPLE: ClassVar[JsonObject] = {
        "batch_id": "batch_pXv1m0Vw7tFQ2lq0a4mN9A",
        "finished": False,
        "counts": {"queued": 0, "running": 1, "done": 0, "error": 0},
        "jobs": [
            {
                "job_id": "job_CMGbzIh1Gk-z__XjvjotwA",
                "filename": "bracket.step",
                "status": "running",
                "error": None,
            }
        ],
    }

    batch_id: Annotated[str, "Id of the batch."]
    finished: Annotated[bool, "True when every job has ended."]
    counts: Annotated[Mapping[str, int], "Number of jobs by status."]
    jobs: Annotated[tuple[BatchJob, ...], "Its jobs, in the order in which their files were sent."]
