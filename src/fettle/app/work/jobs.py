"""Analysis jobs as their owners see them: submit, read, recompute, delete.

queued -> running -> done | error. A recompute sends a done job through the same way once more (`run` counts them) and
keeps the result it had until a new one is there. The row, the meter and the queue entry commit together.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from fettle.app import quotes
from fettle.app.access import idempotency
from fettle.app.access.accounts import Account
from fettle.app.access.meters import Meters, Reading
from fettle.app.access.plans import Meter
from fettle.app.errors import NotFound, NotReady, QueueFull
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.state.files import Files, Stored, in_chunks, new_token
from fettle.app.state.paging import DEFAULT_LIMIT, read_page
from fettle.app.state.store import Store, job_lines, jobs
from fettle.app.state.uploads import Upload
from fettle.app.traces import note_job
from fettle.app.work.job_files import ARTIFACTS, FLAT_ARTIFACTS, PRICING, RESULT, UPLOAD, FinishedRun, read_bundled
from fettle.app.work.job_states import Status
from fettle.app.work.queue import JobQueue
from fettle.errors import KernelTimedOut
from fettle.results import Job, JobStatus

RETRY_AFTER_S = 30


@dataclass(frozen=True, slots=True)
class Submitted:
    job_id: str
    status: JobStatus
    meter: Reading


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """Which of the files of a batch a job is."""

    batch_id: str
    number: int


@dataclass(frozen=True, slots=True)
class StoredResult:
    """`body`: the result's own JSON object as saved, without what differs between two jobs of the same input.

    `artifacts`: name in the result -> path below the service's `/files/`.
    """

    job_id: str
    body: bytes
    artifacts: dict[str, str]


class Jobs:
    """The jobs of every account in one store."""

    def __init__(self, settings: Settings, store: Store, files: Files, queue: JobQueue, meters: Meters) -> None:
        self._settings = settings
        self._store = store
        self._files = files
        self._queue = queue
        self._meters = meters

    def submit(
        self,
        account: Account,
        upload: Upload,
        options: JobOptions,
        quote_id: str | None = None,
        key: str | None = None,
        *,
        metered: bool = True,
    ) -> Submitted:
        """Count, store and enqueue one analysis in one transaction, or nothing of it. `metered`: False for parts of
        ours."""
        sent = {"sha256": upload.sha256, "filename": upload.filename, "quote_id": quote_id, **options.to_store()}
        once = idempotency.once("analyze", key, sent)
        token = new_token()
        self._files.write(f"jobs/{token}/{UPLOAD}", upload.path)
        try:
            with self._store.write() as connection:
                if once is not None:
                    earlier = idempotency.claim(connection, account, once)
                    if earlier is not None:
                        self._files.remove_all(f"jobs/{token}")
                        return Submitted(
                            earlier["job_id"], earlier["status"], self._meters.read(account, Meter.ANALYZE)
                        )
                if quote_id is not None:
                    quotes.check_owner(connection, account, quote_id)
                self.refuse_when_full(connection)
                meter = self._meters.take(connection, account, Meter.ANALYZE) if metered else None
                job_id = self._add(connection, account, upload, token, options, quote_id=quote_id, metered=metered)
                if once is not None:
                    answer = {"job_id": job_id, "status": Status.QUEUED}
                    idempotency.remember(connection, account, once, answer)
        except Exception:
            self._files.remove_all(f"jobs/{token}")
            raise
        return Submitted(job_id, "queued", meter or self._meters.read(account, Meter.ANALYZE))

    def take_of_batch(
        self,
        connection: Connection,
        account: Account,
        upload: Upload,
        token: str,
        options: JobOptions,
        quote_id: str | None,
        place: BatchPlace,
    ) -> tuple[str, Reading]:
        """Count and enqueue one file of a batch in the caller's transaction; refuses it, leaving the transaction whole,
        at the cap and where the queue is full. The job's id, and the meter after it."""
        self.refuse_when_full(connection)
        meter = self._meters.take(connection, account, Meter.ANALYZE)
        return self._add(connection, account, upload, token, options, quote_id=quote_id, place=place), meter

    def _add(
        self,
        connection: Connection,
        account: Account,
        upload: Upload,
        token: str,
        options: JobOptions,
        *,
        quote_id: str | None = None,
        metered: bool = True,
        place: BatchPlace | None = None,
    ) -> str:
        """Store and enqueue a job whose file is in the folder `token`; its id."""
        job_id = f"job_{secrets.token_urlsafe(16)}"
        note_job(job_id)
        row = {
            "id": job_id,
            "account_id": account.id,
            "quote_id": quote_id,
            "status": Status.QUEUED,
            "filename": upload.filename,
            "input_sha256": upload.sha256,
            "options": options.to_store(),
            "token": token,
            "progress": 0.0,
            "attempts": 0,
            "run": 1,
            "created_at": datetime.now(UTC),
            "metered": metered,
            "batch_id": place.batch_id if place else None,
            "batch_number": place.number if place else None,
        }
        connection.execute(jobs.insert(), row)
        self._queue.enqueue(connection, job_id, 1)
        return job_id

    def read(self, account: Account, job_id: str) -> Job:
        """The job as its owner sees it."""
        with self._store.read() as connection:
            row = self._own(connection, account, job_id)
            return _job(row, _lines(connection, [job_id])[job_id])

    def exists(self, account: Account, job_id: str) -> bool:
        """Whether the account has this job, neither expired nor deleted."""
        mine = sa.select(jobs.c.id).where(jobs.c.id == job_id, jobs.c.account_id == account.id, alive())
        with self._store.read() as connection:
            return connection.execute(mine).one_or_none() is not None

    def read_all(
        self, account: Account, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> tuple[list[Job], str | None]:
        """A page of the account's jobs, newest first, and the cursor of the next page."""
        query = sa.select(jobs).where(jobs.c.account_id == account.id, alive())
        with self._store.read() as connection:
            page = read_page(connection, query, jobs, limit, cursor)
            lines = _lines(connection, [row.id for row in page.rows])
        return [_job(row, lines[row.id]) for row in page.rows], page.cursor

    def result(self, account: Account, job_id: str) -> StoredResult:
        """The result; NotReady before the end and after a failure, KernelTimedOut where time ran out."""
        with self._store.read() as connection:
            row = self._finished(connection, account, job_id)
        folder = f"{row.token}/{row.result_run}"
        return StoredResult(
            job_id,
            self._files.read(f"jobs/{folder}/{RESULT}"),
            {name: f"{folder}/{file}" for name, file in (ARTIFACTS | self._flat_files(folder)).items()},
        )

    def pricing(self, account: Account, job_id: str) -> bytes:
        """What prices of a job rest on; NotReady as for `result`, and where an older version analyzed it."""
        with self._store.read() as connection:
            row = self._finished(connection, account, job_id)
        path = f"jobs/{row.token}/{row.result_run}/{PRICING}"
        if not self._files.exists(path):
            raise NotReady(
                "This analysis was made by an older version of Fettle, which kept no prices; send the file again."
            )
        return self._files.read(path)

    def _flat_files(self, folder: str) -> dict[str, str]:
        """Names of the files of a flat, where the job has one."""
        first = next(iter(FLAT_ARTIFACTS.values()))
        return FLAT_ARTIFACTS if self._files.exists(f"jobs/{folder}/{first}") else {}

    def finished_run(self, account: Account, job_id: str) -> FinishedRun:
        """What the result of a job was made from; NotReady and KernelTimedOut as for `result`."""
        with self._store.read() as connection:
            row = self._finished(connection, account, job_id)
        options = JobOptions.from_stored(row.options)
        return FinishedRun(f"jobs/{row.token}", row.result_run, row.filename, row.input_sha256, options)

    def recompute(self, account: Account, job_id: str, pull: str) -> Submitted:
        """Enqueue one more run of a done job with another pull direction; it is not counted."""
        with self._store.write() as connection:
            row = self._finished(connection, account, job_id)
            self.refuse_when_full(connection)
            options = replace(JobOptions(**row.options), pull=pull)
            moved = connection.execute(
                jobs.update()
                .where(jobs.c.id == job_id, jobs.c.run == row.run, jobs.c.status == Status.DONE)
                .values(
                    status=Status.QUEUED,
                    run=row.run + 1,
                    attempts=0,
                    progress=0.0,
                    options=options.to_store(),
                    finished_at=None,
                    expires_at=None,
                )
            )
            if moved.rowcount != 1:
                raise _not_ready(job_id, Status.QUEUED)
            self._queue.enqueue(connection, job_id, row.run + 1)
        return Submitted(job_id, "queued", self._meters.read(account, Meter.ANALYZE))

    def artifact(self, token: str, run: str, name: str) -> Stored:
        """A public file of a job; NotFound for anything else."""
        if name not in (ARTIFACTS | FLAT_ARTIFACTS).values() or not run.isdecimal():
            raise NotFound("No such file.")
        with self._store.read() as connection:
            found = connection.execute(sa.select(jobs.c.id).where(jobs.c.token == token, alive())).one_or_none()
        if found is None:
            raise NotFound("No such file.")
        folder = f"jobs/{token}/{int(run)}"
        if name in FLAT_ARTIFACTS.values():
            return self._files.stream(f"{folder}/{name}")
        return in_chunks(read_bundled(self._files, folder, [name])[0])

    def original(self, account: Account, job_id: str) -> Stored:
        """The file that was sent, as it was sent."""
        with self._store.read() as connection:
            row = self._own(connection, account, job_id)
        return self._files.stream(f"jobs/{row.token}/{UPLOAD}")

    def delete(self, account: Account, job_id: str) -> None:
        """Remove a job with all its files; a worker that runs it notices and stops."""
        with self._store.write() as connection:
            row = self._own(connection, account, job_id)
            connection.execute(jobs.delete().where(jobs.c.id == job_id))
        self._files.remove_all(f"jobs/{row.token}")

    def refuse_when_full(self, connection: Connection) -> None:
        """Raise QueueFull where as many jobs wait as may."""
        waiting = sa.select(sa.func.count()).select_from(jobs).where(jobs.c.status == Status.QUEUED)
        if connection.execute(waiting).scalar_one() >= self._settings.queue_limit:
            raise QueueFull(RETRY_AFTER_S)

    def _own(self, connection: Connection, account: Account, job_id: str) -> Row[Any]:
        query = sa.select(jobs).where(jobs.c.id == job_id, jobs.c.account_id == account.id, alive())
        row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound("No such job: it is unknown, or has expired.")
        return row

    def _finished(self, connection: Connection, account: Account, job_id: str) -> Row[Any]:
        row = self._own(connection, account, job_id)
        if row.status == Status.ERROR and row.error_code == KernelTimedOut.code:
            raise KernelTimedOut(row.error)
        if row.status != Status.DONE:
            raise _not_ready(job_id, row.status, row.error)
        return row


def _job(row: Row[Any], lines: list[str]) -> Job:
    return Job(
        job_id=row.id,
        status=row.status,
        error=row.error,
        filename=row.filename,
        log=tuple(lines),
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        expires_at=row.expires_at,
        progress=row.progress,
        attempts=row.attempts,
        quote_id=row.quote_id,
        packs=tuple(reference.partition(":")[0] for reference in row.options.get("packs", ())),
    )


def result_body(result: StoredResult, files_url: str) -> bytes:
    """The answer to GET result: the saved bytes, with the job and its addresses put before them."""
    head = {
        "job_id": result.job_id,
        "status": Status.DONE,
        "artifacts": {name: f"{files_url}/{path}" for name, path in result.artifacts.items()},
    }
    return json.dumps(head, separators=(",", ":")).encode()[:-1] + b"," + result.body[1:]


def alive() -> sa.ColumnElement[bool]:
    """Condition of jobs that are neither deleted nor expired; the rows of the others are removed later."""
    kept = sa.or_(jobs.c.expires_at.is_(None), jobs.c.expires_at > datetime.now(UTC))
    return sa.and_(jobs.c.deleted_at.is_(None), kept)


def _lines(connection: Connection, job_ids: list[str]) -> dict[str, list[str]]:
    query = (
        sa.select(job_lines.c.job_id, job_lines.c.line)
        .where(job_lines.c.job_id.in_(job_ids))
        .order_by(job_lines.c.job_id, job_lines.c.number)
    )
    found: dict[str, list[str]] = {job_id: [] for job_id in job_ids}
    for job_id, line in connection.execute(query):
        found[job_id].append(line)
    return found


def _not_ready(job_id: str, status: str, error: str | None = None) -> NotReady:
    if error:
        return NotReady(f"Job {job_id} ended in an error and has no result: {error}")
    return NotReady(f"Job {job_id} is {status}; wait until its status is done.")
