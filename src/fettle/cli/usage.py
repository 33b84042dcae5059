"""`fettle usage`: read or set the meters of an account, and what happens beyond the included units."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fettle.app.access import accounts
from fettle.app.access.meters import Meters, Reading
from fettle.app.access.plans import Meter, load_plans
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.state import DataDir, opened

app = typer.Typer(
    help="Meters of an account.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)

Account = Annotated[str, typer.Option("--account", help="E-mail of the account.")]


@app.command()
def show(account: Account, data_dir: DataDir = None, form: Form = AnswerFormat.TEXT) -> None:
    """Units used and included of every meter of the account this month."""
    with opened(data_dir) as (settings, store):
        meters = Meters(store, load_plans(settings.catalog_dir))
        owner = accounts.find(store, account)
        readings = [meters.read(owner, meter) for meter in Meter]
    if form is AnswerFormat.JSON:
        typer.echo(json.dumps({"account": owner.email, "meters": [_entry(one) for one in readings]}, indent=2))
        return
    for one in readings:
        _tell(one)


@app.command()
def adjust(
    account: Account,
    meter: Annotated[Meter, typer.Option("--meter", help="Which meter.")],
    used: Annotated[int, typer.Option("--used", min=0, help="Units used this month.")],
    data_dir: DataDir = None,
) -> None:
    """Set the units used this month."""
    with opened(data_dir) as (settings, store):
        meters = Meters(store, load_plans(settings.catalog_dir))
        _tell(meters.adjust(accounts.find(store, account), meter, used))


@app.command()
def overage(
    account: Account,
    allowed: Annotated[bool, typer.Option("--allow/--refuse", help="Take calls beyond the included units, or not.")],
    data_dir: DataDir = None,
) -> None:
    """Set whether calls beyond the included units are taken, on a plan that bills them."""
    with opened(data_dir) as (_, store):
        owner = accounts.set_overage(store, accounts.find(store, account), allowed)
        typer.echo(f"{owner.email}: overage {'allowed' if owner.overage_enabled else 'refused'}")


def _entry(reading: Reading) -> dict[str, str | int]:
    return {
        "meter": reading.meter.value,
        "period": reading.period,
        "used": reading.used,
        "included": reading.included,
        "overage": reading.overage,
        "plan": reading.tier,
    }


def _tell(reading: Reading) -> None:
    over = f", {reading.overage} beyond" if reading.overage else ""
    typer.echo(f"{reading.meter.value}  {reading.period}  {reading.used} of {reading.included} ({reading.tier}{over})")
