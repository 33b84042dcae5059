"""`fettle jobs`: for operators, every account's jobs."""

from __future__ import annotations

import json

import sqlalchemy as sa
import typer

from fettle.app.state.store import accounts, jobs
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.cli.state import DataDir, opened

app = typer.Typer(
    help="Analysis jobs of every account.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def about() -> None:
    """Keeps `list` a command of its own while it is the only one."""


@app.command("list")
def list_jobs(data_dir: DataDir = None, limit: int = 50, form: Form = AnswerFormat.TEXT) -> None:
    """The newest jobs: status, attempts, account and file."""
    query = (
        sa.select(jobs, accounts.c.email)
        .join(accounts, accounts.c.id == jobs.c.account_id)
        .order_by(jobs.c.created_at.desc(), jobs.c.id.desc())
        .limit(limit)
    )
    with opened(data_dir) as (_, store), store.read() as connection:
        rows = connection.execute(query).all()
    if form is AnswerFormat.JSON:
        found = [
            {
                "job_id": row.id,
                "status": row.status,
                "attempts": row.attempts,
                "created_at": row.created_at.isoformat(),
                "account": row.email,
                "filename": row.filename,
            }
            for row in rows
        ]
        typer.echo(json.dumps({"jobs": found}, indent=2))
        return
    for row in rows:
        created = row.created_at.strftime("%Y-%m-%d %H:%M:%S")
        typer.echo(f"{row.id}  {row.status:<7}  {row.attempts}  {created}  {row.email}  {row.filename}")
