"""Deleting an analysis for a while: nobody sees it, its owner can bring it back, then it expires like any other.

A deleted job is one that expires early; whatever removes expired jobs removes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound, NotReady
from fettle.app.settings import Settings
from fettle.app.state.store import Store, jobs
from fettle.app.work import retention
from fettle.app.work.job_states import UNFINISHED


@dataclass(frozen=True, slots=True)
class DeletedJob:
    """`gone_at`: until when it can be brought back."""

    job_id: str
    filename: str
    gone_at: datetime


def put_away(store: Store, settings: Settings, account: Account, job_id: str) -> DeletedJob:
    """Delete a finished job so that it can be brought back for some days."""
    now = datetime.now(UTC)
    with store.write() as connection:
        row = connection.execute(
            sa.select(jobs).where(*_own(account, job_id), jobs.c.deleted_at.is_(None))
        ).one_or_none()
        if row is None or (row.expires_at is not None and row.expires_at <= now):
            raise NotFound("No such job: it is unknown, or has expired.")
        if row.status in UNFINISHED:
            raise NotReady(f"Job {job_id} is {row.status}; cancel it instead.")
        # Never longer than it would have been kept anyway.
        gone_at = min(now + timedelta(days=settings.undo_days), row.expires_at or datetime.max.replace(tzinfo=UTC))
        change = jobs.update().where(jobs.c.id == job_id)
        connection.execute(change.values(deleted_at=now, expires_at=gone_at))
    return DeletedJob(job_id, row.filename, gone_at)


def bring_back(store: Store, settings: Settings, account: Account, job_id: str) -> None:
    """Undo a deletion; NotFound where it is too late."""
    with store.write() as connection:
        still = jobs.c.expires_at > datetime.now(UTC)
        query = sa.select(jobs).where(*_own(account, job_id), jobs.c.deleted_at.is_not(None), still)
        row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFound("No such deleted analysis: it is gone for good.")
        until = retention.expiry(connection, job_id, settings, row.finished_at)
        connection.execute(jobs.update().where(jobs.c.id == job_id).values(deleted_at=None, expires_at=until))


def read_all(store: Store, account: Account) -> list[DeletedJob]:
    """What can still be brought back, the last deleted first."""
    query = (
        sa.select(jobs.c.id, jobs.c.filename, jobs.c.expires_at)
        .where(jobs.c.account_id == account.id, jobs.c.deleted_at.is_not(None), jobs.c.expires_at > datetime.now(UTC))
        .order_by(jobs.c.deleted_at.desc(), jobs.c.id)
    )
    with store.read() as connection:
        return [DeletedJob(*row) for row in connection.execute(query)]


def _own(account: Account, job_id: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return jobs.c.id == job_id, jobs.c.account_id == account.id
