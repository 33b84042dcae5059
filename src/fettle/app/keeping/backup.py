"""Backup while the service runs: the rows of one snapshot of the database, then the files those rows speak of.

Files are written before the row that speaks of them and never changed, so every file of a snapshot is there after it;
only what is deleted meanwhile may be missing, as it would be without the backup. The queue is not saved: a job that is
in no queue is enqueued again by the first worker. Derived data is not saved: it is computed anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from fettle import __version__
from fettle.app.errors import NotFound
from fettle.app.keeping.archive import FILES, TABLES, Manifest, new_archive
from fettle.app.state.files import Files
from fettle.app.state.migrations import current
from fettle.app.state.store import Store, jobs, workers
from fettle.app.state.tables import metadata

LEFT_OUT = (workers.name,)
"""Tables about processes that run now."""


def back_up(store: Store, files: Files, path: Path) -> Manifest:
    """Write the archive `path`; an archive that is there is replaced once the new one is whole."""
    with new_archive(path) as archive:
        with store.snapshot() as connection:
            step = current(connection)
            rows = {}
            for table in (one for one in metadata.sorted_tables if one.name not in LEFT_OUT):
                lines = list(_lines(connection, table))
                rows[table.name] = len(lines)
                archive.add(f"{TABLES}{table.name}.jsonl", b"".join(lines))
            tokens = set(connection.scalars(sa.select(jobs.c.token)))
        for file in [*files.entries("jobs"), *files.entries("previews"), *files.entries("quotes")]:
            folder, token = file.name.split("/")[:2]
            if folder == "jobs" and token not in tokens:
                continue  # of a job that came after the snapshot
            try:
                archive.add(FILES + file.name, files.read_stored(file.name))
            except NotFound:
                continue  # deleted since it was listed
        return archive.finish(__version__, str(step), rows)


def _lines(connection: Connection, table: Table) -> Iterator[bytes]:
    for row in connection.execute(sa.select(table)).mappings():
        yield json.dumps(dict(row), default=_plain).encode() + b"\n"


def _plain(value: Any) -> str:
    if isinstance(value, date):  # or a datetime, which is one
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in a backup")
