"""Rule packs that an account wrote: checked when they are kept, every version kept, the newest in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from fettle.app import pack_versions
from fettle.app.access.accounts import Account
from fettle.app.errors import BadField, NotFound
from fettle.app.pack_versions import PackVersion
from fettle.app.state.store import Store
from fettle.errors import BadRequest
from fettle.rules import modules_in_force, parse_module
from fettle.rules.spec import Module
from fettle.rules.yaml_document import read_document

MOST_PACKS = 20


@dataclass(frozen=True, slots=True)
class AccountPack(PackVersion):
    """A version of a pack, and the module that its text is."""

    module: Module

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
    number, now = pack_versions.add(store, account, module.key, text)
    return AccountPack(module.key, number, text, now, module)


def remove(store: Store, account: Account, key: str) -> None:
    """Take a pack out of force; its versions stay in the database."""
    find(store, account, key)
    pack_versions.add(store, account, key, None)


def find(store: Store, account: Account, key: str) -> AccountPack:
    found = [one for one in read_all(store, account) if one.key == key]
    if not found:
        raise NotFound(f"There is no pack {key[:64]!r} of yours.")
    return found[0]


def read_all(store: Store, account: Account) -> list[AccountPack]:
    """The packs in force, by key."""
    return _packs(pack_versions.read_in_force(store, account))


def find_stand_ins(store: Store, account: Account) -> dict[str, str]:
    """Key of the shipped pack by that of the account's own in its place. Those taken out of force count: analyses that
    they judged still have prices."""
    packs = _packs(pack_versions.read_ever_in_force(store, account))
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
    return _packs(pack_versions.find_used(store, account_id, references))


def _packs(versions: Sequence[PackVersion]) -> list[AccountPack]:
    return [AccountPack(one.key, one.number, one.text, one.created_at, _parsed(one.text)) for one in versions]


@lru_cache(maxsize=64)
def _parsed(text: str) -> Module:
    return parse_module(read_document(text.encode(), "the module"))
