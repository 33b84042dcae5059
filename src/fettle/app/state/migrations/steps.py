"""Taking the steps, with alembic; imported only where there are any to take."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config(connection: Connection) -> Config:
    """Where alembic finds the steps, and the transaction they are taken in."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.attributes["connection"] = connection
    return settings


def climb(connection: Connection, step: str = "head") -> None:
    """Take every step that is missing up to this one."""
    command.upgrade(config(connection), step)
