"""`fettle info`: what part files hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app.isolation.sandbox import run
from fettle.app.kernel_tasks.tasks import DESCRIBE_FILE
from fettle.app.settings import Settings
from fettle.cli.part_files import FORMATS_HELP, UNITS_HELP, read_file, refusal, waiting
from fettle.errors import BadRequest, FettleError

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def info(
    files: Annotated[list[Path], typer.Argument(help=f"Part files: {FORMATS_HELP}")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object; of several files {'results': [...]}.")
    ] = False,
    units: Annotated[str | None, typer.Option(help=UNITS_HELP)] = None,
) -> None:
    """What part files hold: exact volume, surface area and box, bodies, voids, units, and anything odd.

    Exit code 1 when a file was refused, 2 when one is missing or the unit unknown.
    """
    answers = []
    refused = False
    for path in files:
        data = read_file(path)
        try:
            with waiting(f"{path}: reading"):
                described = run(DESCRIBE_FILE, (data, path.name, units), Settings().kernel_limits)
                answer: dict[str, Any] = {"file": str(path), **described.to_dict()}
        except BadRequest as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from error
        except FettleError as error:
            refused = True
            answer = refusal(path, error)
        answers.append(answer)
        if not as_json:
            typer.echo(_text(answer), err="error" in answer)
    if as_json:
        typer.echo(json.dumps(answers[0] if len(answers) == 1 else {"results": answers}, indent=2))
    if refused:
        raise typer.Exit(1)


def _figure(value: float | None) -> str:
    """Six digits, or that the number is not known; a warning of the part then says why."""
    return "unknown" if value is None else f"{value:.6g}"


def _text(answer: dict[str, Any]) -> str:
    if "error" in answer:
        return f"{answer['file']}: refused: {answer['error']}"
    geometry, stats = answer["geometry"], answer["stats"]
    box = geometry["bounding_box_mm"]
    tight = "watertight" if answer["watertight"] else "not watertight"
    lines = [
        f"{answer['file']}: {answer['format']} {answer['schema']}, lengths in {answer['length_unit']}",
        f"  volume   {_figure(geometry['volume_cm3'])} cm3",
        f"  area     {_figure(geometry['surface_area_cm2'])} cm2",
        f"  box      {box['x']:.6g} x {box['y']:.6g} x {box['z']:.6g} mm",
        f"  bodies   {answer['bodies']}, voids {answer['voids']}, {tight}",
        f"  faces    {stats['n_faces']}, features {stats['n_features']}",
    ]
    return "\n".join([*lines, *(f"  warning  {warning}" for warning in answer["warnings"])])
