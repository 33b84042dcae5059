"""`fettle convert`: a part file as GLB."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app.isolation.sandbox import run
from fettle.app.kernel_tasks.tasks import PREVIEW
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.part_files import FORMATS_HELP, UNITS_HELP, read_file, refusal, waiting
from fettle.errors import BadRequest, FettleError

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def convert(
    file: Annotated[Path, typer.Argument(help=f"A part file: {FORMATS_HELP}")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write; default FILE with .glb.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    units: Annotated[str | None, typer.Option(help=UNITS_HELP)] = None,
    form: Form = AnswerFormat.TEXT,
) -> None:
    """A part file as binary glTF (GLB) that any 3D viewer opens, in meters, upright, with its face numbers.

    Exit code 1 when the file was refused, 2 when it is missing, the unit unknown or the output cannot be written.
    """
    as_json = as_json or form is AnswerFormat.JSON
    target = output or file.with_suffix(".glb")
    if target.resolve() == file.resolve():
        typer.echo(f"{target}: would overwrite the input; name another file with -o", err=True)
        raise typer.Exit(2)
    data = read_file(file)
    try:
        with waiting(f"{file}: converting"):
            made = run(PREVIEW, (data, file.name, JobOptions(units=units)), Settings().kernel_limits)
    except BadRequest as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    except FettleError as error:
        typer.echo(json.dumps(refusal(file, error)) if as_json else f"{file}: refused: {error}", err=not as_json)
        raise typer.Exit(1) from error
    try:
        target.write_bytes(made.glb)
    except OSError as error:
        typer.echo(f"{target}: {error.strerror or error}", err=True)
        raise typer.Exit(2) from error
    answer: dict[str, Any] = {
        "file": str(file),
        "output": str(target),
        "output_bytes": len(made.glb),
        **made.geometry.quoted().to_dict(),
        "warnings": list(made.warnings),
    }
    typer.echo(json.dumps(answer, indent=2) if as_json else f"{target}: {len(made.glb):,} bytes")
