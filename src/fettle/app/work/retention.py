"""How long analyses are kept: the operator's period, or the account's own within the operator's limit."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.settings import Settings
from fettle.app.state.dashboard_tables import account_settings
from fettle.app.state.store import jobs


def kept_days(connection: Connection, account_id: str, settings: Settings) -> float:
    """Days for which analyses of an account are kept after their end."""
    query = sa.select(account_settings.c.retention_days).where(account_settings.c.account_id == account_id)
    chosen = connection.scalar(query)
    return settings.job_days if chosen is None else min(chosen, settings.longest_job_days)


def expiry(connection: Connection, job_id: str, settings: Settings, finished_at: datetime) -> datetime:
    """When a job that ended at that time expires."""
    owner = connection.scalar(sa.select(jobs.c.account_id).where(jobs.c.id == job_id))
    return finished_at + timedelta(days=kept_days(connection, str(owner), settings))


def renew(connection: Connection, account_id: str, settings: Settings) -> None:
    """Give every finished job of an account the expiry that its choice asks for now; deleted ones stay deleted."""
    period = timedelta(days=kept_days(connection, account_id, settings))
    mine = sa.and_(jobs.c.account_id == account_id, jobs.c.finished_at.is_not(None), jobs.c.deleted_at.is_(None))
    for job_id, finished_at in connection.execute(sa.select(jobs.c.id, jobs.c.finished_at).where(mine)).all():
        connection.execute(jobs.update().where(jobs.c.id == job_id).values(expires_at=finished_at + period))
