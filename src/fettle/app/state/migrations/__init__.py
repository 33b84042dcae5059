"""The database schema, step by step: `upgrade(store)` brings any database to the newest step.

Every process asks at its start, and nearly always there is nothing to do. So the question is answered here, and alembic
(a second of start-up) is loaded only where there are steps to take.
"""

from __future__ import annotations

import logging
from importlib import import_module
from importlib.resources import files

from sqlalchemy import Connection, column, inspect, select, table

from fettle.app.state.store import Store

log = logging.getLogger(__name__)

_KEPT_STEP = table("alembic_version", column("version_num"))


def upgrade(store: Store) -> tuple[str | None, str]:
    """Bring the database to the newest step; returns the step before and after.

    A database that a later version has been at stays as it is. Steps only add, so that this version goes on with it
    while nodes are upgraded one by one.
    """
    with store.alter() as connection:
        before = current(connection)
        if before is not None and before > newest():
            log.warning("the database is at step %s of a later version; this one knows %s", before, newest())
            return before, before
        if before != newest():
            import_module("fettle.app.state.migrations.steps").climb(connection)
        return before, newest()


def upgrade_to(connection: Connection, step: str) -> None:
    """Bring a database to this step, for rows that were saved at it."""
    import_module("fettle.app.state.migrations.steps").climb(connection, step)


def current(connection: Connection) -> str | None:
    """The step this database is at; None for an empty one."""
    if not inspect(connection).has_table(_KEPT_STEP.name):
        return None
    step: str | None = connection.scalar(select(_KEPT_STEP.c.version_num))
    return step


def newest() -> str:
    """The newest step this version knows."""
    return max(known())


def known() -> list[str]:
    """Every step this version knows: the numbers that the names of the scripts begin with."""
    names = [entry.name for entry in (files(__name__) / "versions").iterdir() if entry.name.endswith(".py")]
    if not names:
        raise RuntimeError("no migration is packaged; the installation is incomplete: install fettle again")
    return [name.partition("_")[0] for name in names]
