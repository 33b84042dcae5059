"""`fettle accounts`: for operators, the accounts of the service and their passwords."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer

from fettle.app.access import accounts, sessions
from fettle.app.keeping.deletion import delete_account
from fettle.app.state.files import open_files
from fettle.cli.state import DataDir, opened

app = typer.Typer(
    help="Accounts of the service.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)

NEW_PASSWORD_BYTES = 15
"""120 random bits, 20 letters: nobody guesses it before its owner changes it."""


@app.command("reset-password")
def reset_password(
    account: Annotated[str, typer.Option("--account", help="E-mail of the account.")], data_dir: DataDir = None
) -> None:
    """Print a new password of the account, alone, on standard output, and end all its sessions.

    For an owner who forgot it: hand it over safely, to be changed on the page of the account after signing in.
    """
    with opened(data_dir) as (_, store):
        owner = accounts.find(store, account)
        password = secrets.token_urlsafe(NEW_PASSWORD_BYTES)
        accounts.set_password(store, owner, password)
        sessions.close_all(store, owner)
    typer.echo(password)


@app.command()
def delete(
    account: Annotated[str, typer.Option("--account", help="E-mail of the account.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete an account with everything it left: keys, sessions, quotes, jobs, meters, rate cards and files.

    It takes effect at once on every process and cannot be undone, except from a backup.
    """
    with opened(data_dir) as (settings, store):
        owner = accounts.find(store, account)
        if not yes:
            typer.confirm(f"Delete {owner.email} and everything it left?", abort=True, err=True)
        gone = delete_account(settings, store, open_files(settings), owner)
    rows = ", ".join(f"{count} {table}" for table, count in gone.rows.items() if count)
    typer.echo(f"deleted {owner.email}: {rows or 'no rows'}, {gone.files} files", err=True)
