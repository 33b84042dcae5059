"""Deleting an account with everything that it left: rows, files, and what was derived from its files."""

from __future__ import annotations

import json
from dataclasses import dataclass

import sqlalchemy as sa

from fettle.app.access import audit
from fettle.app.access.accounts import Account
from fettle.app.access.audit import Action
from fettle.app.errors import NotFound
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.state.files import Files
from fettle.app.state.store import Store, accounts, jobs, quotes
from fettle.app.state.tables import metadata
from fettle.app.work.pipeline import analysis_folder, model_folder


@dataclass(frozen=True, slots=True)
class Deleted:
    """What went with an account. `rows`: table -> number of rows."""

    rows: dict[str, int]
    files: int


def delete_account(settings: Settings, store: Store, files: Files, account: Account) -> Deleted:
    """Delete the account; every process refuses its keys and sessions from then on, a running job stops.

    Derived data is shared by whoever sends the same bytes: it goes unless another account has a job with them.
    Previews of files that were never analyzed belong to no account; they expire.
    """
    with store.write() as connection:
        own = jobs.c.account_id == account.id
        found = connection.execute(sa.select(jobs).where(own)).all()
        quoted = connection.scalars(sa.select(quotes.c.id).where(quotes.c.account_id == account.id)).all()
        shared = set(connection.scalars(sa.select(jobs.c.input_sha256).where(~own)))
        rows = {
            table.name: connection.execute(
                sa.select(sa.func.count()).select_from(table).where(table.c.account_id == account.id)
            ).scalar_one()
            for table in metadata.sorted_tables
            if "account_id" in table.c and table.c.account_id.foreign_keys
        }
        # every table of an account's rows refers to it with ON DELETE CASCADE
        audit.record(connection, Action.ACCOUNT_DELETED, account.id, rows=rows)
        connection.execute(accounts.delete().where(accounts.c.id == account.id))
    folders = [f"jobs/{row.token}" for row in found] + [f"quotes/{quote_id}" for quote_id in quoted]
    for row in found:
        if row.input_sha256 not in shared:
            asked = (settings, row.input_sha256, row.filename, JobOptions.from_stored(row.options))
            folders += [model_folder(*asked), analysis_folder(*asked), *_previews(files, model_folder(*asked))]
    return Deleted(rows, sum(files.remove_all(folder) for folder in dict.fromkeys(folders)))


def _previews(files: Files, folder: str) -> list[str]:
    """Folder of the picture that goes with a model, where there is one."""
    try:
        return [f"previews/{json.loads(files.read(f'{folder}/preview.json'))['token']}"]
    except NotFound:
        return []
