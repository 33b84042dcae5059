"""`fettle unfold`: the flat pattern of a sheet part."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app.flats.dxf import write_dxf
from fettle.app.flats.request import FlatRequest
from fettle.app.flats.svg import write_svg
from fettle.app.isolation.part_files import run_on_file
from fettle.app.kernel_tasks.tasks import UNFOLD_FILE
from fettle.app.settings import Settings
from fettle.app.wording import counted, deviation
from fettle.cli.part_files import FORMATS_HELP, UNITS_HELP, read_file, refusal, waiting
from fettle.errors import BadRequest, CannotUnfold, FettleError
from fettle.geometry.part import fid
from fettle.results.flat import FlatPattern

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
WRITERS = {".dxf": write_dxf, ".svg": write_svg}


class UnfoldFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command()
def unfold(
    file: Annotated[Path, typer.Argument(help=f"A part file: {FORMATS_HELP}")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write: OUT.dxf or OUT.svg.")] = None,
    k_factor: Annotated[float | None, typer.Option("--k-factor", help="K factor of every bend.")] = None,
    din_6935: Annotated[bool, typer.Option("--din-6935", help="Allowances by DIN 6935.")] = False,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            help="CSV of test bends: thickness_mm, inner_radius_mm, angle_deg, deduction_mm, and maybe material.",
        ),
    ] = None,
    material: Annotated[
        str | None, typer.Option("--material", help="Sheet material by any part of its name: mass, force, K factor.")
    ] = None,
    form: Annotated[UnfoldFormat, typer.Option("--format", help="How to print it.")] = UnfoldFormat.TEXT,
    units: Annotated[str | None, typer.Option(help=UNITS_HELP)] = None,
) -> None:
    """The flat pattern of a sheet part, with its bend table; it is folded back and compared with the part.

    Exit code 1 when the part is no sheet, does not lie flat or was refused, with the reason and the faces; 2 when a
    file is missing, an option wrong or the output cannot be written.
    """
    if output is not None and output.suffix.lower() not in WRITERS:
        typer.echo(
            f"{output}: writes {', '.join(WRITERS)}, not {output.suffix or 'a file without extension'}", err=True
        )
        raise typer.Exit(2)
    data = read_file(file)
    try:
        text = None if table is None else read_file(table).decode("utf-8-sig", errors="replace")
        request = FlatRequest(k_factor, din_6935, text, table.name if table else "", material)
        with waiting(f"{file}: unfolding"):
            flat = run_on_file(UNFOLD_FILE, (data, file.name, units, request), Settings().kernel_limits)
    except BadRequest as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    except FettleError as error:
        answer: dict[str, Any] = refusal(file, error)
        if isinstance(error, CannotUnfold):
            answer["fids"] = [fid(face) for face in error.faces]
        as_json = form is UnfoldFormat.JSON
        typer.echo(json.dumps(answer, indent=2) if as_json else f"{file}: cannot be unfolded: {error}", err=not as_json)
        raise typer.Exit(1) from error
    if output is not None:
        try:
            output.write_bytes(WRITERS[output.suffix.lower()](flat))
        except OSError as error:
            typer.echo(f"{output}: {error.strerror or error}", err=True)
            raise typer.Exit(2) from error
    if form is UnfoldFormat.JSON:
        typer.echo(json.dumps({"file": str(file), **flat.to_dict()}, indent=2))
    else:
        typer.echo(_text(file, flat, output))


def _text(file: Path, flat: FlatPattern, output: Path | None) -> str:
    long, short = flat.size_mm
    lines = [
        f"{file}: sheet of {flat.thickness_mm:.4g} mm, {long:.2f} x {short:.2f} mm flat",
        f"  area     {flat.area_mm2:.6g} mm2, cut {flat.cut_length_mm:.6g} mm, {counted(flat.pierces, 'pierce')}",
    ]
    if flat.mass_kg is not None:
        lines.append(f"  mass     {flat.mass_kg:.4g} kg of {flat.material}")
    used = flat.allowance
    factor = "" if used.k_factor is None else f" K {used.k_factor:.4g},"
    lines.append(f"  bends    {len(flat.bends)}; allowance by {used.method},{factor} {used.source}")
    for bend in flat.bends:
        force = "" if bend.force_kn is None else f", {bend.force_kn:.3g} kN"
        lines.append(
            f"    {bend.line}: {bend.kind} {bend.direction} {bend.angle_deg:.4g} degrees, inside radius "
            f"{bend.inner_radius_mm:.4g}, length {bend.length_mm:.2f}, allowance {bend.allowance_mm:.4f} mm"
            f" (K {bend.k_factor:.3f}){force}; faces {', '.join(bend.fids)}"
        )
    lines += [f"  mark     {mark.kind}, faces {', '.join(mark.fids[:6])}" for mark in flat.marks]
    lines += [
        f"  sheet    {one.sheet_mm[0]:g} x {one.sheet_mm[1]:g} mm gives {counted(one.count, 'blank')}"
        f" ({one.used_fraction:.0%} used)"
        for one in flat.sheets
    ]
    lines.append(
        f"  refold   misses the part by {deviation(flat.refold.max_deviation_mm)}, "
        f"volume by {abs(flat.refold.volume_error):.2g}"
    )
    lines += [f"  warning  {warning}" for warning in flat.warnings]
    if output is not None:
        lines.append(f"  written  {output}")
    return "\n".join(lines)
