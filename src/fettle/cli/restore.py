"""`fettle restore`: a backup into an empty database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fettle.app.keeping.restore import restore as bring_back
from fettle.app.state.files import open_files
from fettle.app.state.store import Store
from fettle.cli.state import DataDir, settings_for
from fettle.errors import FettleError

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def restore(
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", exists=True, dir_okay=False, help="A backup.")],
    data_dir: DataDir = None,
) -> None:
    """Bring a backup back into the database and the store that the settings name; the database must be empty.

    It may be of the other kind than the one that was saved: so a service moves from SQLite to PostgreSQL. Jobs that
    waited or ran are enqueued again by the first worker.
    """
    settings = settings_for(data_dir)
    store = Store(settings.database)
    try:
        manifest = bring_back(store, open_files(settings), archive)
    except FettleError as refusal:
        typer.echo(f"fettle: {refusal}", err=True)
        raise typer.Exit(1) from refusal
    finally:
        store.close()
    typer.echo(f"restored {sum(manifest.rows.values())} rows, saved at {manifest.taken_at}", err=True)
