"""`fettle info`: what part files hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app.isolation.part_files import run_on_file
from fettle.app.kernel_tasks.tasks import DESCRIBE_FILE
from fettle.app.settings import Settings
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.formats.pmi_text import pmi_lines
from fettle.cli.part_files import FORMATS_HELP, UNITS_HELP, read_file, refusal, waiting
from fettle.errors import BadRequest, FettleError

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def info(
    files: Annotated[list[Path], typer.Argument(help=f"Part files: {FORMATS_HELP}")],
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    units: Annotated[str | None, typer.Option(help=UNITS_HELP)] = None,
    pmi: Annotated[
        bool, typer.Option("--pmi", help="Also list the dimensions, tolerances, datums and notes in the file.")
    ] = False,
    form: Form = AnswerFormat.TEXT,
) -> None:
    """What part files hold: exact volume, surface area and box, bodies, voids, units, and anything odd.

    Exit code 1 when a file was refused, 2 when one is missing or the unit unknown.
    """
    as_json = as_json or form is AnswerFormat.JSON
    answers = []
    refused = False
    for path in files:
        data = read_file(path)
        tolerances: list[str] = []
        try:
            with waiting(f"{path}: reading"):
                described = run_on_file(DESCRIBE_FILE, (data, path.name, units), Settings().kernel_limits)
                answer: dict[str, Any] = {"file": str(path), **described.to_dict()}
            if pmi:
                tolerances = list(pmi_lines(described.pmi))
            else:
                del answer["pmi"]
        except BadRequest as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(2) from error
        except FettleError as error:
            refused = True
            answer = refusal(path, error)
        answers.append(answer)
        if not as_json:
            typer.echo("\n".join([_text(answer), *tolerances]), err="error" in answer)
    if as_json:
        typer.echo(json.dumps(answers[0] if len(answers) == 1 else {"results": answers}, indent=2))
    if refused:
        raise typer.Exit(1)


def _figure(value: float | None) -> str:
    """Six digits, or that the number is not known; a warning of the part then says why."""
    return "unknown" if value is None else f"{value:.6g}"


def _body(body: dict[str, Any]) -> str:
    box, bought = body["geometry"]["bounding_box_mm"], body["bought"]
    size = f"{box['x']:.4g} x {box['y']:.4g} x {box['z']:.4g} mm"
    kind = f"bought, {bought['what']}" if bought else "made"
    volume = _figure(body["geometry"]["volume_cm3"])
    return f"  body {body['body']:<4}{body['count']} x {body['name']}: {kind}, {size}, {volume} cm3"


def _pattern(pattern: dict[str, Any]) -> str:
    what = f"  pattern  {pattern['count']} x {pattern['kind'].lower()}"
    if pattern["form"] == "circle":
        return f"{what} on a circle of {pattern['diameter_mm']:.6g} mm, every {pattern['pitch_deg']:.6g} degrees"
    if pattern["form"] == "line":
        return f"{what} on a line, {pattern['pitch_mm']:.6g} mm apart"
    sizes = f"{pattern['columns']} x {pattern['rows']}, {pattern['pitch_mm']:.6g} x {pattern['row_pitch_mm']:.6g} mm"
    return f"{what} on a grid of {sizes} apart"


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
    lines += [_pattern(one) for one in answer["patterns"]]
    if answer["bodies"] > 1:
        lines += [_body(body) for body in answer["body_list"]]
    return "\n".join([*lines, *(f"  warning  {warning}" for warning in answer["warnings"])])
