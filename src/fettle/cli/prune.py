"""`fettle prune`: remove what has been kept long enough, now instead of within ten minutes."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fettle.app.keeping.sweep import Removed
from fettle.app.service import open_service
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.state import DataDir, settings_for

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def prune(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    data_dir: DataDir = None,
    form: Form = AnswerFormat.TEXT,
) -> None:
    """Remove expired jobs, uploads, artifacts, logs, previews, derived data, idempotency keys and sessions.

    A worker does the same every ten minutes. How long each kind is kept is a setting (FETTLE_..._DAYS).
    """
    service = open_service(settings_for(data_dir))
    try:
        removed = service.sweep(dry_run=dry_run)
    finally:
        service.close()
    if form is AnswerFormat.JSON:
        typer.echo(json.dumps({"dry_run": dry_run, "removed": [_entry(one) for one in removed]}, indent=2))
        return
    typer.echo("would remove" if dry_run else "removed")
    for one in removed:
        typer.echo(f"  {one.count:>8}  {one.size_bytes / 1e6:>10.3f} MB  {one.kind.value}")


def _entry(one: Removed) -> dict[str, str | int]:
    return {"kind": one.kind.value, "count": one.count, "size_bytes": one.size_bytes}
