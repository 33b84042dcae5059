"""`fettle doctor`: is this installation well?"""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from fettle.app.doctor import Health, examine
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.state import DataDir, settings_for

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def doctor(data_dir: DataDir = None, form: Form = AnswerFormat.TEXT) -> None:
    """Check versions, database, store, disk and kernel, with advice where something is wrong.

    Exit code 0: all well, or warnings only; 1: something does not work. Nothing is changed.
    """
    findings = []
    for found in examine(settings_for(data_dir)):
        findings.append(found)
        if form is AnswerFormat.TEXT:
            typer.echo(f"{found.health.value:<8} {found.check:<9} {found.found}")
            if found.advice:
                typer.echo(f"{'':<18} -> {found.advice}")
    if form is AnswerFormat.JSON:
        typer.echo(json.dumps({"checks": [asdict(found) for found in findings]}, indent=2))
    if any(found.health is Health.FAULT for found in findings):
        raise typer.Exit(1)
