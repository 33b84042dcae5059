"""Rule packs of accounts as they are stored: every version of the text, the newest in force.

An analysis names the packs it is judged by as they were then: a reference holds key, version and a hash of the text.
What a text says is read by `account_packs`, which loads the rule engine; a worker only hands it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row

from fettle.app.access.accounts import Account
from fettle.app.state.dashboard_tables import rule_packs
from fettle.app.state.store import Store


@dataclass(frozen=True, slots=True)
class PackVersion:
    """A version of a pack, counted from 1, as it was written."""

    key: str
    number: int
    text: str
    created_at: datetime

    @property
    def reference(self) -> str:
        """`my-cnc@3:9f86d081884c7d65` for version 3 of `my-cnc`."""
        return f"{self.key}@{self.number}:{sha256(self.text.encode()).hexdigest()[:16]}"


def read_in_force(store: Store, account: Account) -> list[PackVersion]:
    """The newest version of every pack in force, by key."""
    newest = {row.key: row for row in _rows(store, account.id)}
    return [_version(row) for row in newest.values() if row.text is not None]


def read_ever_in_force(store: Store, account: Account) -> list[PackVersion]:
    """The newest version of every pack, by key; of one taken out of force the version before that."""
    newest = {row.key: row for row in _rows(store, account.id) if row.text is not None}
    return [_version(row) for row in newest.values()]


def find_used(store: Store, account_id: str, references: Sequence[str]) -> list[PackVersion]:
    """The packs that an analysis of the account was judged by, in the order of their references."""
    if not references:
        return []
    packs = {(row.key, row.number): row for row in _rows(store, account_id)}
    found = []
    for reference in references:
        key, _, version = reference.partition(":")[0].rpartition("@")
        found.append(_version(packs[key, int(version)]))
    return found


def add(store: Store, account: Account, key: str, text: str | None) -> tuple[int, datetime]:
    """Store the next version of a pack, None to take it out of force; its number and time."""
    now = datetime.now(UTC)
    with store.write() as connection:
        mine = (rule_packs.c.account_id == account.id, rule_packs.c.key == key)
        number = (connection.scalar(sa.select(sa.func.max(rule_packs.c.number)).where(*mine)) or 0) + 1
        row = {"account_id": account.id, "key": key, "number": number, "text": text, "created_at": now}
        connection.execute(rule_packs.insert(), row)
    return number, now


def _rows(store: Store, account_id: str) -> Sequence[Row[Any]]:
    """Every version of every pack of an account, by key and number."""
    query = sa.select(rule_packs).where(rule_packs.c.account_id == account_id)
    with store.read() as connection:
        return connection.execute(query.order_by(rule_packs.c.key, rule_packs.c.number)).all()


def _version(row: Row[Any]) -> PackVersion:
    return PackVersion(row.key, row.number, row.text, row.created_at)
