"""Rule packs that an account wrote: checked when they are kept, every version kept, the newest in force.

An analysis names the packs it is judged by as they were then: a reference holds key, version and a hash of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.errors import BadField, NotFound
from fettle.app.state.dashboard_tables import rule_packs
from fettle.app.state.store import Store
from fettle.errors import BadRequest
from fettle.rules import modules_in_force, parse_module
from fettle.rules.spec import Module
from fettle.rules.yaml_document import read_document

MOST_PACKS = 20


@dataclass(frozen=True, slots=True)
class AccountPack:
    """A pack in force: its newest version, counted from 1, as it was written."""

    key: str
    number: int
    text: str
    created_at: datetime
    module: Module

    @property
    def reference(self) -> str:
        """`my-cnc@3:9f86d081884c7d65` for version 3 of `my-cnc`."""
        return f"{self.key}@{self.number}:{sha256(self.text.encode()).hexdigest()[:16]}"

    @property
    def stands_for(self) -> str | None:
        """Key of the shipped pack whose place it takes: the one of the same process, by the fit that both ask for."""
        if self.module.fit is None:
            return None
        wanted = set(self.module.fit.processes)
        return next((one.key for one in modules_in_force() if one.fit and set(one.fit.processes) == wanted), None)


def keep(store: Store, account: Account, text: str) -> AccountPack:
    """Store the next version of a pack; raises BadRequest (InvalidModule with every fault) where it is none.

    A pack of one's own has a key of its own: those of the operator stay what they are for everybody.
    """
    module = _parsed(text)
    if module.key in {one.key for one in modules_in_force()}:
        raise BadRequest(
            f"The key {module.key!r} is that of a shipped pack; give yours another, such as my-{module.key}."
        )
    others = {one.key for one in read_all(store, account)} - {module.key}
    if len(others) >= MOST_PACKS:
        raise BadRequest(f"There are {len(others)} packs already, the most an account may have; remove one first.")
    number, now = _add(store, account, module.key, text)
    return AccountPack(module.key, number, text, now, module)


def remove(store: Store, account: Account, key: str) -> None:
    """Take a pack out of force; its versions stay in the database."""
    find(store, account, key)
    _add(store, account, key, None)


def find(store: Store, account: Account, key: str) -> AccountPack:
    found = [one for one in read_all(store, account) if one.key == key]
    if not found:
        raise NotFound(f"There is no pack {key[:64]!r} of yours.")
    return found[0]


def read_all(store: Store, account: Account) -> list[AccountPack]:
    """The packs in force, by key."""
    query = sa.select(rule_packs).where(rule_packs.c.account_id == account.id)
    with store.read() as connection:
        rows = connection.execute(query.order_by(rule_packs.c.key, rule_packs.c.number)).all()
    newest = {row.key: row for row in rows}
    return [
        AccountPack(row.key, row.number, row.text, row.created_at, _parsed(row.text))
        for row in newest.values()
        if row.text is not None
    ]


def find_stand_ins(store: Store, account: Account) -> dict[str, str]:
    """Key of the shipped pack by that of the account's own in its place. Those taken out of force count: analyses that
    they judged still have prices."""
    query = sa.select(rule_packs).where(rule_packs.c.account_id == account.id, rule_packs.c.text.is_not(None))
    with store.read() as connection:
        rows = connection.execute(query.order_by(rule_packs.c.key, rule_packs.c.number)).all()
    newest = {row.key: row for row in rows}
    packs = [AccountPack(one.key, one.number, one.text, one.created_at, _parsed(one.text)) for one in newest.values()]
    return {pack.key: shipped for pack in packs if (shipped := pack.stands_for) is not None}


def find_named(store: Store, account: Account, keys: Sequence[str]) -> tuple[str, ...]:
    """References of the packs in force with these keys; BadField names one that the account has not."""
    packs = {one.key: one for one in read_all(store, account)}
    for key in keys:
        if key not in packs:
            known = f"yours: {', '.join(packs)}" if packs else "you have none; save one under Rules in the dashboard"
            raise BadField("packs", f"packs names {key[:64]!r}, which is no pack of yours; {known}.")
    return tuple(packs[key].reference for key in dict.fromkeys(keys))


def find_used(store: Store, account_id: str, references: Sequence[str]) -> list[AccountPack]:
    """The packs that an analysis of the account was judged by, in the order of their references."""
    if not references:
        return []
    query = sa.select(rule_packs).where(rule_packs.c.account_id == account_id, rule_packs.c.text.is_not(None))
    with store.read() as connection:
        rows = connection.execute(query).all()
    packs = {(row.key, row.number): row for row in rows}
    found = []
    for reference in references:
        key, _, version = reference.partition(":")[0].rpartition("@")
        row = packs[key, int(version)]
        found.append(AccountPack(row.key, row.number, row.text, row.created_at, _parsed(row.text)))
    return found


@lru_cache(maxsize=64)
def _parsed(text: str) -> Module:
    return parse_module(read_document(text.encode(), "the module"))


def _add(store: Store, account: Account, key: str, text: str | None) -> tuple[int, datetime]:
    now = datetime.now(UTC)
    with store.write() as connection:
        mine = (rule_packs.c.account_id == account.id, rule_packs.c.key == key)
        number = (connection.scalar(sa.select(sa.func.max(rule_packs.c.number)).where(*mine)) or 0) + 1
        row = {"account_id": account.id, "key": key, "number": number, "text": text, "created_at": now}
        connection.execute(rule_packs.insert(), row)
    return number, now
