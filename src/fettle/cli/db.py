"""`fettle db`: maintenance of the database."""

from __future__ import annotations

import typer

from fettle.app.state import migrations
from fettle.app.state.store import Store
from fettle.app.work.queue import migrate_queue
from fettle.cli.state import DataDir, settings_for

app = typer.Typer(
    help="The database.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def database() -> None:
    """The database."""


@app.command()
def upgrade(data_dir: DataDir = None) -> None:
    """Bring the tables to the newest step; `fettle serve` does it at its start."""
    store = Store(settings_for(data_dir).database)
    before, after = migrations.upgrade(store)
    migrate_queue(store)
    store.close()
    typer.echo(f"the database is at step {after}" + ("" if before == after else f", it was at {before or 'none'}"))
