"""`fettle backup`: the database and its files in one archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fettle.app.keeping.backup import back_up
from fettle.app.state.files import open_files
from fettle.cli.state import DataDir, opened

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def backup(
    archive: Annotated[Path, typer.Argument(metavar="ARCHIVE", dir_okay=False, help="File to write, as fettle.tar.")],
    data_dir: DataDir = None,
) -> None:
    """Save everything that cannot be computed anew, while the service runs.

    What was accepted before the command began is in the archive. It holds hashes of passwords and keys, and the files
    of every account: keep it as safe as the service.
    """
    with opened(data_dir) as (settings, store):
        manifest = back_up(store, open_files(settings), archive)
    rows = sum(manifest.rows.values())
    typer.echo(
        f"saved {rows} rows and {len(manifest.sha256) - len(manifest.rows)} files to {archive} "
        f"({archive.stat().st_size / 1e6:.1f} MB, step {manifest.step})",
        err=True,
    )
