"""The database schema, step by step: `upgrade(store)` brings any database to the newest step."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from fettle.app.state.store import Store


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config


def upgrade(store: Store) -> tuple[str | None, str]:
    """Bring the database to the newest step; returns the step before and after."""
    with store.alter() as connection:
        before = current(connection)
        if before != newest():
            command.upgrade(_config(connection), "head")
        return before, newest()


def current(connection: Connection) -> str | None:
    """The step this database is at; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """The newest step this version knows."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise RuntimeError("no migration is packaged; the installation is incomplete: install fettle again")
    return head
