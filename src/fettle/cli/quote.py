"""`fettle quote`: what a part costs, without a service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fettle.app.isolation.part_files import run_on_file
from fettle.app.kernel_tasks.tasks import DESCRIBE_FILE
from fettle.app.prices import most_of_one, pieces_of, summarize_price
from fettle.app.pricing.choices import best_process, choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.terms import PricingTerms
from fettle.app.quotes import BREAKDOWN, material_id
from fettle.app.settings import Settings
from fettle.cli.part_files import FORMATS_HELP, read_file, waiting
from fettle.cli.process_text import choices_text, order_text
from fettle.cli.processes import AccountOption, analyzed_part, terms_for
from fettle.cli.state import DataDir
from fettle.errors import FettleError
from fettle.quote import AssemblyPrice, Catalog, Geometry, Price, price_pieces
from fettle.quote.investment import PROCESS as INVESTMENT
from fettle.results import ListedBody

CURVE = (1, 10, 100, 1000)

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


class QuoteFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command()
def quote(
    file: Annotated[Path, typer.Argument(help=f"A part file: {FORMATS_HELP}")],
    quantity: Annotated[int, typer.Option("--quantity", help="Number of parts.")],
    process: Annotated[
        str | None,
        typer.Option("--process", metavar="MODULE:CONFIGURATION", help="How it is made; default the best process."),
    ] = None,
    material: Annotated[
        str | None,
        typer.Option("--material", help="Name, id, or any part of a name that only one has; default the usual one."),
    ] = None,
    finish: Annotated[list[str] | None, typer.Option("--finish", help="Name or id of a finishing option.")] = None,
    form: Annotated[QuoteFormat, typer.Option("--format", help="How to print it.")] = QuoteFormat.TEXT,
    account: AccountOption = None,
    data_dir: DataDir = None,
) -> None:
    """What a part costs: lines of the order, unit price with its band, lead time; by the best process, or the one
    named. A material of the casting catalog, named in full, means investment casting."""
    try:
        terms = terms_for(account, data_dir)
        if process in (None, INVESTMENT) and material is not None and is_casting_alloy(terms.catalog, material):
            _quote_casting(file, material, quantity, finish or [], form, terms.catalog)
        else:
            _quote_process(file, OrderRequest(process or "", quantity, material, tuple(finish or ())), form, terms)
    except FettleError as refusal:
        typer.echo(f"{file}: {refusal}", err=True)
        raise typer.Exit(1) from refusal


def is_casting_alloy(catalog: Catalog, material: str) -> bool:
    """Whether a material of the casting catalog is named in full, or by its id."""
    wanted = material.strip().casefold()
    return any(wanted in (one.name.casefold(), str(one.id)) for one in catalog.materials)


def _quote_process(file: Path, asked: OrderRequest, form: QuoteFormat, terms: PricingTerms) -> None:
    part, choices = analyzed_part(file), None
    if not asked.process:
        choices = choose(part, asked.quantity, terms, asked.material)
        asked = replace(asked, process=best_process(choices))
    order = price_part(part, asked, terms)
    if form is QuoteFormat.TEXT:
        others = [] if choices is None else choices_text(choices)
        typer.echo("\n".join([*order_text(file.name, order), *others]))
        return
    quoted = {
        **order.to_dict(),
        "file_name": file.name,
        "geometry": part.geometry.quoted().to_dict(),
        "material_id": material_id(order.process, order.material, terms.catalog),
        "post_processing_option_ids": [str(terms.catalog.finish(name).id) for name in asked.finishes],
    }
    typer.echo(json.dumps({"quote": quoted, **(choices.to_dict() if choices else {})}, indent=2))


def _quote_casting(
    file: Path, material: str, quantity: int, finish: Sequence[str], form: QuoteFormat, catalog: Catalog
) -> None:
    """The price of a casting, for which no analysis is needed."""
    chosen, finishes = catalog.material(material), [catalog.finish(name) for name in finish]
    with waiting(f"{file}: reading"):
        described = run_on_file(DESCRIBE_FILE, (read_file(file), file.name, None), Settings().kernel_limits)
    pieces = pieces_of(described.geometry, described.body_list)
    priced = price_pieces(pieces, chosen, quantity, finishes, catalog.rates)
    within = [number for number in CURVE if number * most_of_one(priced) <= catalog.rates.quantity.maximum]
    curve = [(number, price_pieces(pieces, chosen, number, finishes, catalog.rates).whole) for number in within]
    if form is QuoteFormat.JSON:
        asked_for = {
            "file_name": file.name,
            "geometry": described.geometry.quoted().to_dict(),
            "material_id": str(chosen.id),
            "quantity": quantity,
            "post_processing_option_ids": [str(entry.id) for entry in finishes],
            "process": INVESTMENT,
        }
        typer.echo(json.dumps({"quote": {**summarize_price(priced).to_dict(), **asked_for}}, indent=2))
    else:
        title = f"{file.name}: {quantity} x {chosen.name}, investment casting"
        title += "".join(f", {entry.name}" for entry in finishes)
        bought = [body for body in described.body_list if not body.made]
        typer.echo("\n".join([title, *_sizes(priced), *_bought(bought), *_amounts(priced.whole, curve)]))


def _sizes(priced: AssemblyPrice) -> list[str]:
    """What is made: size and mass, and for an assembly the price of each body."""
    if priced.is_single:
        geometry, whole = priced.pieces[0].piece.geometry, priced.whole
        mass = f"{whole.mass_kg:.3f} kg each, {whole.parts_per_tree} on a tree"
        return [f"  {_size(geometry)} mm, {geometry.volume_cm3:.2f} cm3, {mass}"]
    return [
        f"  body {one.piece.body}: {one.piece.count} x {one.piece.name}, {_size(one.piece.geometry)} mm, "
        f"{one.price.unit_price:,.2f} each, {one.price.total_price:,.2f} together"
        for one in priced.pieces
    ]


def _size(geometry: Geometry) -> str:
    return " x ".join(f"{float(side):.5g}" for side in geometry.box_mm)


def _bought(bodies: Sequence[ListedBody]) -> list[str]:
    return [
        f"  body {body.body}: {body.count} x {body.name}, bought ({body.bought.what}), not priced"
        for body in bodies
        if body.bought is not None
    ]


def _amounts(priced: Price, curve: Sequence[tuple[int, Price]]) -> list[str]:
    return [
        *(f"  {line.replace('_', ' '):<22}{getattr(priced, line):>14,.2f}" for line in BREAKDOWN),
        f"  {'total':<22}{priced.total_price:>14,.2f} {priced.currency}",
        f"  {'each':<22}{priced.unit_price:>14,.2f} {priced.currency}",
        f"  lead time {priced.lead_time_days} working days; rate card {priced.rate_card_version}",
        "  each at " + ", ".join(f"{number}: {at.unit_price:,.2f}" for number, at in curve),
    ]
