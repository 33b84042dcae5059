"""The sweep: removes what has been kept long enough, kind by kind, or only says what it would remove.

Rows go first and their files after them: whoever looks in between sees a job that is gone, never one without files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row, Table

from fettle.app.settings import Settings
from fettle.app.state.files import Files, StoredFile
from fettle.app.state.operation_tables import audit_log, deliveries
from fettle.app.state.store import Store, idempotency, job_lines, jobs, sessions
from fettle.app.work.job_files import PRICING, RESULT, UPLOAD
from fettle.app.work.queue import JobQueue

LEFTOVER_AGE = timedelta(days=1)
"""A file whose job has no row belongs to a request that died before it wrote the row. A day is longer than any."""


class Kept(StrEnum):
    """Kinds of things that are kept for a time."""

    JOBS = "jobs"
    UPLOADS = "uploads"
    ARTIFACTS = "artifacts"
    LOGS = "logs"
    PREVIEWS = "previews"
    DERIVED = "derived"
    LEFTOVERS = "leftovers"
    IDEMPOTENCY_KEYS = "idempotency_keys"
    SESSIONS = "sessions"
    AUDIT = "audit"
    DELIVERIES = "deliveries"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class Removed:
    """How much of a kind was removed, or would be. `size_bytes`: of its files; rows of the database count 0."""

    kind: Kept
    count: int
    size_bytes: int = 0


def sweep(
    settings: Settings,
    store: Store,
    files: Files,
    queue: JobQueue,
    now: datetime | None = None,
    *,
    dry_run: bool = False,
) -> list[Removed]:
    """Remove everything whose time has come, every kind in turn; with `dry_run` only count it."""
    now = now or datetime.now(UTC)
    found = files.entries("jobs")
    gone, rows = _expired_jobs(store, now, dry_run=dry_run)
    held = {row.token: row for row in rows}
    of_gone = [file for file in found if _token(file) in gone]
    rest = [file for file in found if _token(file) not in gone]
    aged = {
        Kept.UPLOADS: [file for file in rest if _is_upload(file) and _past(held, file, now, settings.upload_days)],
        Kept.ARTIFACTS: [
            file for file in rest if _is_artifact(file) and _past(held, file, now, settings.artifact_days)
        ],
        Kept.PREVIEWS: _older(files.entries("previews"), now - timedelta(days=settings.preview_days)),
        Kept.DERIVED: _older(files.entries("derived"), now - timedelta(days=settings.derived_days)),
        Kept.LEFTOVERS: _older((file for file in rest if _token(file) not in held), now - LEFTOVER_AGE),
    }
    removed = [Removed(Kept.JOBS, len(gone), sum(file.size_bytes for file in of_gone))]
    removed += [Removed(kind, len(old), sum(file.size_bytes for file in old)) for kind, old in aged.items()]
    if not dry_run:
        files.remove(file.name for old in (of_gone, *aged.values()) for file in old)
    removed += _rows(settings, store, now, dry_run=dry_run)
    before = now - timedelta(days=settings.job_days)
    removed.append(Removed(Kept.QUEUE, queue.ended(before) if dry_run else queue.forget(before)))
    if not dry_run:
        store.shrink()
    return removed


def _expired_jobs(store: Store, now: datetime, *, dry_run: bool) -> tuple[set[str], list[Row[Any]]]:
    """Tokens of the expired jobs, and the rows of the others."""
    due = jobs.c.expires_at < now
    with store.write() as connection:
        if dry_run:
            gone = set(connection.scalars(sa.select(jobs.c.token).where(due)))
        else:
            gone = set(connection.scalars(jobs.delete().where(due).returning(jobs.c.token)))
        rows: list[Row[Any]] = list(connection.execute(sa.select(jobs.c.token, jobs.c.finished_at)))
    return gone, [row for row in rows if row.token not in gone]


def _rows(settings: Settings, store: Store, now: datetime, *, dry_run: bool) -> list[Removed]:
    silent: sa.ColumnElement[bool] = sa.false()
    if settings.log_days is not None:
        ended = sa.select(jobs.c.id).where(jobs.c.finished_at < now - timedelta(days=settings.log_days))
        silent = job_lines.c.job_id.in_(ended)
    due: list[tuple[Kept, Table, sa.ColumnElement[bool]]] = [
        (Kept.LOGS, job_lines, silent),
        (
            Kept.IDEMPOTENCY_KEYS,
            idempotency,
            idempotency.c.created_at < now - timedelta(days=settings.idempotency_days),
        ),
        (Kept.SESSIONS, sessions, sessions.c.expires_at < now),
        (
            Kept.DELIVERIES,
            deliveries,
            sa.and_(deliveries.c.next_at.is_(None), deliveries.c.created_at < now - timedelta(days=settings.job_days)),
        ),
        (Kept.AUDIT, audit_log, audit_log.c.at < now - timedelta(days=settings.audit_days)),
    ]
    with store.write() as connection:
        return [Removed(kind, _clear(connection, table, old, dry_run=dry_run)) for kind, table, old in due]


def _clear(connection: Connection, table: Table, old: sa.ColumnElement[bool], *, dry_run: bool) -> int:
    if dry_run:
        return connection.execute(sa.select(sa.func.count()).select_from(table).where(old)).scalar_one()
    return connection.execute(table.delete().where(old)).rowcount


def _token(file: StoredFile) -> str:
    return file.name.split("/")[1]


def _is_upload(file: StoredFile) -> bool:
    return file.name.endswith(f"/{UPLOAD}")


def _is_artifact(file: StoredFile) -> bool:
    """Maps, flats and the pickled analysis, in the layout of this version or of 0.1."""
    return not file.name.endswith((f"/{UPLOAD}", f"/{RESULT}", f"/{PRICING}"))


def _past(held: dict[str, Row[Any]], file: StoredFile, now: datetime, days: float | None) -> bool:
    """Whether the job of this file ended so many days ago; one that waits or runs has not ended. None: never, the file
    goes with its job."""
    row = held.get(_token(file))
    if days is None or row is None or row.finished_at is None:
        return False
    return bool(row.finished_at < now - timedelta(days=days))


def _older(found: Iterable[StoredFile], limit: datetime) -> list[StoredFile]:
    return [file for file in found if file.written_at < limit]
