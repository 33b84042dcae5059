"""`fettle audit`: for operators, what was done to accounts."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from fettle.app.access import accounts
from fettle.app.access.audit import AuditEntry, read_entries
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.state import DataDir, opened

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def audit(
    account: Annotated[str | None, typer.Option("--account", help="E-mail of one account [default: all].")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries, newest first.")] = 100,
    data_dir: DataDir = None,
    form: Form = AnswerFormat.TEXT,
) -> None:
    """Sign-ins, keys, plans, passwords, usage and accounts: what changed, when, and by which request."""
    with opened(data_dir) as (_, store):
        found = read_entries(store, accounts.find(store, account).id if account else None, limit)
    if form is AnswerFormat.JSON:
        typer.echo(json.dumps({"entries": [_entry(one) for one in found]}, indent=2))
        return
    for one in found:
        detail = " ".join(f"{name}={value}" for name, value in one.detail.items())
        who, by = one.account_id or "-", one.request_id or "command line"
        typer.echo(f"{one.at:%Y-%m-%d %H:%M:%S}  {one.action:<16}  {who}  {by}  {detail}".rstrip())


def _entry(one: AuditEntry) -> dict[str, object]:
    return {
        "at": one.at.isoformat(),
        "action": one.action,
        "account_id": one.account_id,
        "request_id": one.request_id,
        "detail": one.detail,
    }
