"""`fettle quote`: what a part costs, without a service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fettle.app.isolation.sandbox import run
from fettle.app.kernel_tasks.tasks import DESCRIBE_FILE
from fettle.app.prices import summarize_price
from fettle.app.quotes import BREAKDOWN
from fettle.app.settings import Settings
from fettle.cli.part_files import FORMATS_HELP, read_file, waiting
from fettle.cli.state import settings_for
from fettle.errors import FettleError
from fettle.quote import Finish, Geometry, Price, exact_geometry, load_catalog, price

CURVE = (1, 10, 100, 1000)

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


class QuoteFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command()
def quote(
    file: Annotated[Path, typer.Argument(help=f"A part file: {FORMATS_HELP}")],
    material: Annotated[str, typer.Option("--material", help="Name or id of a material.")],
    quantity: Annotated[int, typer.Option("--quantity", help="Number of parts.")],
    finish: Annotated[list[str] | None, typer.Option("--finish", help="Name or id of a finishing option.")] = None,
    form: Annotated[QuoteFormat, typer.Option("--format", help="How to print it.")] = QuoteFormat.TEXT,
) -> None:
    """What it costs to cast a part: unit price, breakdown of the order, lead time."""
    try:
        catalog = load_catalog(settings_for(None).catalog_dir)
        chosen, finishes = catalog.material(material), [catalog.finish(name) for name in finish or ()]
        with waiting(f"{file}: reading"):
            read = run(DESCRIBE_FILE, (read_file(file), file.name, None), Settings().kernel_limits).geometry
        geometry = exact_geometry(read.volume_cm3, read.surface_area_cm2, read.size_mm)
        priced = price(geometry, chosen, quantity, finishes, catalog.rates)
        curve = [price(geometry, chosen, number, finishes, catalog.rates) for number in CURVE]
    except FettleError as refusal:
        typer.echo(f"{file}: {refusal}", err=True)
        raise typer.Exit(1) from refusal
    if form is QuoteFormat.JSON:
        asked_for = {
            "file_name": file.name,
            "geometry": read.quoted().to_dict(),
            "material_id": str(chosen.id),
            "quantity": quantity,
            "post_processing_option_ids": [str(entry.id) for entry in finishes],
        }
        typer.echo(json.dumps({"quote": {**summarize_price(priced).to_dict(), **asked_for}}, indent=2))
    else:
        typer.echo(_text(f"{file.name}: {quantity} x {chosen.name}", geometry, priced, finishes, curve))


def _text(title: str, geometry: Geometry, priced: Price, finishes: Sequence[Finish], curve: Sequence[Price]) -> str:
    size = " x ".join(f"{float(side):.5g}" for side in geometry.box_mm)
    lines = [
        title + "".join(f", {entry.name}" for entry in finishes),
        f"  {size} mm, {geometry.volume_cm3:.2f} cm3, {priced.mass_kg:.3f} kg each, {priced.parts_per_tree} on a tree",
        *(f"  {line.replace('_', ' '):<22}{getattr(priced, line):>14,.2f}" for line in BREAKDOWN),
        f"  {'total':<22}{priced.total_price:>14,.2f} {priced.currency}",
        f"  {'each':<22}{priced.unit_price:>14,.2f} {priced.currency}",
        f"  lead time {priced.lead_time_days} working days; rate card {priced.rate_card_version}",
        "  each at " + ", ".join(f"{n}: {at.unit_price:,.2f}" for n, at in zip(CURVE, curve, strict=True)),
    ]
    return "\n".join(lines)
