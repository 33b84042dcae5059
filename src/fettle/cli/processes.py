"""`fettle processes`: what every process would cost, ranked."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fettle.app import account_rates, calibrations
from fettle.app.access import accounts
from fettle.app.options import JobOptions
from fettle.app.pricing.choices import choose
from fettle.app.pricing.parts import PriceablePart, part_of_result
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.cli.analyze_file import judge_file
from fettle.cli.part_files import FORMATS_HELP, read_file, waiting
from fettle.cli.process_text import choices_text
from fettle.cli.state import DataDir, opened, settings_for
from fettle.errors import FettleError
from fettle.quote import load_catalog

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)

AccountOption = Annotated[
    str | None, typer.Option("--account", help="E-mail of the account whose rate cards and calibration apply.")
]


class ProcessesFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command()
def processes(
    file: Annotated[Path, typer.Argument(help=f"A part file: {FORMATS_HELP}")],
    quantity: Annotated[int, typer.Option("--quantity", help="Number of parts.")] = 100,
    material: Annotated[
        str | None, typer.Option("--material", help="Only processes with this material, by any part of its name.")
    ] = None,
    form: Annotated[ProcessesFormat, typer.Option("--format", help="How to print it.")] = ProcessesFormat.TEXT,
    account: AccountOption = None,
    data_dir: DataDir = None,
) -> None:
    """What every process would cost, the one to choose first, and the quantities at which another is cheaper."""
    try:
        terms = terms_for(account, data_dir)
        choices = choose(analyzed_part(file), quantity, terms, material)
    except FettleError as refusal:
        typer.echo(f"{file}: {refusal}", err=True)
        raise typer.Exit(1) from refusal
    if form is ProcessesFormat.JSON:
        typer.echo(json.dumps({"file": str(file), **choices.to_dict()}, indent=2))
    else:
        typer.echo("\n".join([str(file), *choices_text(choices)]))


def analyzed_part(file: Path) -> PriceablePart:
    """What prices of a file rest on: it is analyzed and judged by all processes."""
    data = read_file(file)
    with waiting(f"{file}: analyzing"):
        return part_of_result(judge_file(file.name, data, JobOptions()))


def terms_for(account: str | None, data_dir: Path | None) -> PricingTerms:
    """Catalog and rate cards of the settings; those of an account, and its calibration, where one is named."""
    folder = settings_for(data_dir).catalog_dir
    catalog, cards = load_catalog(folder), rate_cards(folder)
    if account is None:
        return PricingTerms(catalog, cards)
    with opened(data_dir) as (_, store):
        owner = accounts.find(store, account)
        own = {**cards, **account_rates.read_all(store, owner)}
        return PricingTerms(catalog, own, calibrations.read_all(store, owner))
