"""`fettle keys`: create, list and revoke API keys."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated

import typer

from fettle.app.access import accounts, keys
from fettle.app.access.plans import check_plan, load_plans
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.state import DataDir, opened

app = typer.Typer(
    help="API keys of every account.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)

Account = Annotated[str, typer.Option("--account", help="E-mail of the account; it is made if there is none.")]
PlanName = Annotated[str | None, typer.Option("--plan", help="Move the account to this plan [new accounts: free].")]
KeyName = Annotated[str, typer.Option("--name", help="What the key is for.")]


@app.command()
def create(account: Account, plan: PlanName = None, name: KeyName = "", data_dir: DataDir = None) -> None:
    """Create a key and print it, alone, on standard output. It is shown this once."""
    with opened(data_dir) as (settings, store):
        if plan is not None:
            check_plan(load_plans(settings.catalog_dir), plan)
        owner = accounts.find_or_create(store, account, plan)
        typer.echo(keys.create(store, owner, name, settings.key_prefix))


@app.command("list")
def list_keys(data_dir: DataDir = None, form: Form = AnswerFormat.TEXT) -> None:
    """Every key: what is shown of it, whose it is, when it was made, last used and revoked."""
    with opened(data_dir) as (_, store):
        found = keys.all_keys(store)
    if form is AnswerFormat.JSON:
        typer.echo(json.dumps({"keys": [_entry(key) for key in found]}, indent=2))
        return
    rows = [("KEY", "ACCOUNT", "NAME", "CREATED", "LAST USED", "REVOKED")]
    rows += [
        (key.shown, key.email, key.name, _day(key.created_at), _day(key.last_used_at), _day(key.revoked_at))
        for key in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@app.command()
def revoke(
    prefix: Annotated[str, typer.Argument(metavar="PREFIX", help="What `fettle keys list` shows of the key.")],
    data_dir: DataDir = None,
) -> None:
    """Revoke a key; it is refused at once on every process."""
    with opened(data_dir) as (_, store):
        key = keys.revoke_shown(store, prefix)
        typer.echo(f"revoked {key.shown} of {key.email}", err=True)


def _entry(key: keys.Key) -> dict[str, str | None]:
    moments = {"created_at": key.created_at, "last_used_at": key.last_used_at, "revoked_at": key.revoked_at}
    named = {"key": key.shown, "account": key.email, "name": key.name}
    return {**named, **{name: at.isoformat() if at else None for name, at in moments.items()}}


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "-"
