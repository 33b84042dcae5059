"""What the commands that touch state share: the settings, the store, and how an error ends a command."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from fettle.app.settings import Settings
from fettle.app.state.migrations import upgrade
from fettle.app.state.store import Store
from fettle.errors import FettleError

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Folder of the database and files [default: FETTLE_DATA_DIR].", file_okay=False),
]


def settings_for(data_dir: Path | None) -> Settings:
    """The settings of the environment, with the folder the command named."""
    return Settings(data_dir=data_dir) if data_dir is not None else Settings()


@contextmanager
def opened(data_dir: Path | None) -> Iterator[tuple[Settings, Store]]:
    """The store, brought to the newest step; a refusal ends the command with its text and exit code 1."""
    settings = settings_for(data_dir)
    store = Store(settings.database)
    try:
        upgrade(store)
        yield settings, store
    except FettleError as refusal:
        typer.echo(f"fettle: {refusal}", err=True)
        raise typer.Exit(1) from refusal
    finally:
        store.close()


def environment_for(settings: Settings) -> dict[str, str]:
    """The environment in which another process reads these same settings."""
    said = settings.model_dump(mode="json", exclude_none=True)
    values = {name: value if isinstance(value, str) else json.dumps(value) for name, value in said.items()}
    return {**os.environ, **{f"FETTLE_{name.upper()}": value for name, value in values.items()}}
