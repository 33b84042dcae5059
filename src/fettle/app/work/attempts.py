"""One attempt of a worker at a job.

Attempts are counted before they start. Whatever an attempt writes, it writes only while the job's row still names it:
same run, same attempt, same worker. A worker wrongly counted as dead finds another name there, and stops.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.access.meters import give_back
from fettle.app.kernel_tasks.stages import STAGES
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.state.notices import Topic, tell
from fettle.app.state.store import Store, job_lines, jobs
from fettle.app.traces import record_job
from fettle.app.webhooks import subscriptions
from fettle.app.work import retention, summaries
from fettle.app.work.job_states import UNFINISHED, Status
from fettle.app.work.summaries import Finished
from fettle.app.work.timings import Timing, observe

STARTED = "Started."
DONE = "The analysis is done."
WORKER_STOPS = "The worker stops; another one takes the job."
STATE_AWAY = "The result could not be stored; the job is tried again, and this attempt does not count."
RECOMPUTE_FAILED = "The recompute failed; the previous result is kept."

# Built once: a job writes a dozen lines, and building these for each took as long as all else of writing it.
_UPDATE = jobs.update().where(
    jobs.c.id == sa.bindparam("of_job"),
    jobs.c.run == sa.bindparam("of_run"),
    jobs.c.attempts == sa.bindparam("of_attempt"),
    jobs.c.worker == sa.bindparam("of_worker"),
)
_NEXT_LINE = sa.select(
    sa.bindparam("of_job", type_=job_lines.c.job_id.type),
    sa.func.coalesce(sa.func.max(job_lines.c.number), 0) + 1,
    sa.bindparam("text", type_=job_lines.c.line.type),
).where(job_lines.c.job_id == sa.bindparam("of_job", type_=job_lines.c.job_id.type))
_INSERT_LINE = job_lines.insert().from_select(["job_id", "number", "line"], _NEXT_LINE)


def start_of_run(log: Sequence[str]) -> int:
    """Number of lines of a job's log that belong to its earlier runs."""
    ends = [number for number, line in enumerate(log, 1) if DONE in line or RECOMPUTE_FAILED in line]
    return ends[-1] if ends else 0


class Abandoned(Exception):
    """The job was deleted, or given to another worker."""


@dataclass(slots=True)
class Attempt:
    """A job that this worker runs. `number` counts the attempts of this run, from 1."""

    store: Store
    settings: Settings
    worker: str
    job_id: str
    account_id: str
    run: int
    number: int
    token: str
    filename: str
    input_sha256: str
    options: JobOptions
    result_run: int | None
    started: float = field(default_factory=time.monotonic)
    stages: list[tuple[str, float]] = field(default_factory=list)
    """Lines of the log that begin a stage, with the monotonic time of each."""

    def say(self, line: str, progress: float | None = None) -> None:
        """Add a line to the job's log, with the seconds since the attempt began."""
        if line in STAGES:
            self.stages.append((line, time.monotonic()))
        with self.store.write() as connection:
            self._write(connection, {"progress": progress} if progress is not None else {}, line)

    def finish(self, finished: Finished) -> None:
        """Mark the job as done, once its result is saved."""
        values = {"status": Status.DONE, "error": None, "error_code": None, "progress": 1.0}
        result = {"result_run": self.run, "result_sha256": finished.result_sha256}
        with self.store.write() as connection:
            self._end(connection, {**values, **result}, DONE, "done")
            summaries.keep(connection, self.job_id, finished)
        self._trace("done")

    def fail(self, text: str, code: str) -> None:
        """End the job in an error and give its unit back; a recompute that fails keeps the result before it."""
        with self.store.write() as connection:
            if self.result_run is not None:
                values = {"status": Status.DONE, "progress": 1.0}
                self._end(connection, values, f"{RECOMPUTE_FAILED} {text}", code)
            else:
                self._end(connection, {"status": Status.ERROR, "error": text, "error_code": code}, text, code)
                give_back(connection, self.job_id)
        self._trace(code)

    def release(self, why: str = WORKER_STOPS) -> None:
        """Release the job for a reason that is not its own: the attempt does not count."""
        values = {"status": Status.QUEUED, "worker": None, "attempts": self.number - 1}
        with self.store.write() as connection:
            self._write(connection, values, why)

    def exists(self) -> bool:
        """Whether the job still exists, with whichever worker."""
        with self.store.read() as connection:
            return connection.execute(sa.select(jobs.c.id).where(jobs.c.id == self.job_id)).one_or_none() is not None

    def _end(self, connection: Connection, values: dict[str, Any], line: str, outcome: str) -> None:
        now = datetime.now(UTC)
        expires_at = retention.expiry(connection, self.job_id, self.settings, now)
        self._write(connection, {**values, "worker": None, "finished_at": now, "expires_at": expires_at}, line)
        observe(connection, self._timings(outcome))
        subscriptions.enqueue(connection, self.job_id, None if outcome == "done" else line)

    def _timings(self, outcome: str) -> list[tuple[Timing, str, float]]:
        end = time.monotonic()
        stages = [(Timing.STAGE, stage, after - at) for stage, at, after in self._stages(end)]
        return [(Timing.JOB, outcome, end - self.started), *stages]

    def _stages(self, end: float) -> list[tuple[str, float, float]]:
        """Name, begin and end of the stages, up to now."""
        return [(STAGES[line], at, after) for (line, at), (_, after) in pairwise([*self.stages, ("", end)])]

    def _trace(self, outcome: str) -> None:
        record_job(self.job_id, outcome, self.started, self._stages(time.monotonic()))

    def _write(self, connection: Connection, values: dict[str, Any], line: str) -> None:
        ours = {"of_job": self.job_id, "of_run": self.run, "of_attempt": self.number, "of_worker": self.worker}
        held = connection.execute(_UPDATE, {**ours, "worker": self.worker, **values})
        if held.rowcount != 1:
            raise Abandoned(self.job_id)
        _add_line(connection, self.job_id, log_line(time.monotonic() - self.started, line))


def begin(store: Store, settings: Settings, worker: str, job_id: str, run: int) -> Attempt | None:
    """Assign a run of a job to this worker; None when it has ended or is gone.

    A run that was tried often enough ends in an error here.
    """
    with store.write() as connection:
        ours = sa.and_(jobs.c.id == job_id, jobs.c.run == run, jobs.c.status.in_(UNFINISHED))
        row = connection.execute(sa.select(jobs).where(ours).with_for_update()).one_or_none()
        if row is None:
            return None
        attempt = Attempt(
            store=store,
            settings=settings,
            worker=worker,
            job_id=job_id,
            account_id=row.account_id,
            run=run,
            number=row.attempts + 1,
            token=row.token,
            filename=row.filename,
            input_sha256=row.input_sha256,
            options=JobOptions.from_stored(row.options),
            result_run=row.result_run,
        )
        exhausted = row.attempts >= settings.job_attempts
        now = datetime.now(UTC)
        connection.execute(
            jobs.update()
            .where(ours)
            .values(
                status=Status.RUNNING,
                attempts=attempt.number if not exhausted else row.attempts,
                worker=worker,
                progress=0.0,
                started_at=now,
            )
        )
        if not exhausted:
            if run == 1 and attempt.number == 1:
                observe(connection, [(Timing.WAIT, "", max(0.0, (now - row.created_at).total_seconds()))])
            again = f"Started (attempt {attempt.number} of {settings.job_attempts})."
            _add_line(connection, job_id, log_line(0.0, again if attempt.number > 1 else STARTED))
            return attempt
        attempt.number = row.attempts
    attempt.fail(
        f"The analysis was tried {settings.job_attempts} times, and each time its process died before the end.",
        "attempts_exhausted",
    )
    return None


def log_line(elapsed_s: float, text: str) -> str:
    """A line of a job's log: seconds since the attempt began, and a sentence."""
    return f"{elapsed_s:.1f} s: {text}"


def _add_line(connection: Connection, job_id: str, line: str) -> None:
    """The job's row is locked by the caller's update, so that numbers cannot collide."""
    connection.execute(_INSERT_LINE, {"of_job": job_id, "text": line})
    tell(connection, Topic.CHANGED, job_id)
