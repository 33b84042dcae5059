"""Restore: a backup into an empty database of either kind, and its files into whatever store the settings name.

Files first, then all rows in one transaction: a service that runs on the same state sees nothing or everything.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from fettle.app.errors import BackupRefused
from fettle.app.keeping.archive import ArchiveReader, Manifest, open_archive
from fettle.app.state.files import Files
from fettle.app.state.migrations import current, known, upgrade, upgrade_to
from fettle.app.state.store import Money, Store, UtcTime, accounts, jobs
from fettle.app.state.tables import metadata
from fettle.app.work.job_states import Status

BATCH = 500


def restore(store: Store, files: Files, path: Path) -> Manifest:
    """Bring the archive back; BackupRefused before anything is written where it cannot be."""
    with open_archive(path) as archive:
        step = archive.manifest.step
        if step not in known():
            raise BackupRefused(
                f"The backup is at step {step} of the database, and this version of Fettle knows none; install the "
                f"version that made it ({archive.manifest.version}) or a later one."
            )
        archive.check()
        with store.alter() as connection:
            before = current(connection)
            if before is not None and before != step:
                raise BackupRefused(f"The database is at step {before}, the backup at {step}: use a new database.")
            if before is None:
                upgrade_to(connection, step)
            elif connection.execute(sa.select(accounts.c.id).limit(1)).one_or_none() is not None:
                raise BackupRefused("The database has accounts already; restore into an empty one.")
            for name, stored in archive.files():
                files.write_stored(name, stored)
            for table in metadata.sorted_tables:
                _insert(connection, table, archive)
            _requeue_running(connection)
        upgrade(store)
        return archive.manifest


def _insert(connection: Connection, table: Table, archive: ArchiveReader) -> None:
    batch: list[dict[str, Any]] = []
    for row in archive.rows(table.name):
        batch.append({name: _typed(table.c[name].type, value) for name, value in row.items()})
        if len(batch) == BATCH:
            connection.execute(table.insert(), batch)
            batch = []
    if batch:
        connection.execute(table.insert(), batch)


def _typed(kind: sa.types.TypeEngine[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, UtcTime):
        return datetime.fromisoformat(value)
    if isinstance(kind, sa.Date):
        return date.fromisoformat(value)
    return Decimal(value) if isinstance(kind, Money) else value


def _requeue_running(connection: Connection) -> None:
    """The workers that ran these jobs are not part of the backup; what they had done of them is not, either."""
    held = jobs.c.status == Status.RUNNING
    connection.execute(jobs.update().where(held).values(status=Status.QUEUED, worker=None, attempts=0, progress=0.0))
