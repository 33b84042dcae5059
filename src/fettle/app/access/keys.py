"""API keys: a secret shown once, stored as a hash, refused from the moment it is revoked."""

from __future__ import annotations

import hashlib
import logging
import secrets
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from fettle.app.access import audit
from fettle.app.access.accounts import Account
from fettle.app.access.audit import Action
from fettle.app.errors import MalformedKey, MissingKey, NotFound, RevokedKey, UnknownKey
from fettle.app.state.store import Store, accounts, api_keys
from fettle.app.state.unavailable import PASSING, unavailable
from fettle.errors import BadRequest

log = logging.getLogger(__name__)

SHOWN_CHARACTERS = 6
_SECRET_BYTES = 32  # 43 url-safe characters
# "Last used" is for people: one write a minute is enough, and keeps reads from becoming writes.
_LAST_USED_STEP = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Key:
    """A key as its owner sees it. `shown`: the prefix and the first characters of the secret."""

    id: str
    email: str
    name: str
    shown: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def _hash(key: str) -> str:
    # 256 random bits need no slow hash: there is nothing to guess.
    return hashlib.sha256(key.encode()).hexdigest()


def create(store: Store, account: Account, name: str, prefix: str) -> str:
    """Create a key of the account; its text is returned here and never again."""
    if len(name) > 100 or not name.isprintable():
        raise BadRequest(f"The name of the key has {len(name)} characters; it may have 100 printable ones.")
    key = prefix + secrets.token_urlsafe(_SECRET_BYTES)
    row = {
        "id": str(uuid.uuid4()),
        "account_id": account.id,
        "name": name,
        "shown": key[: len(prefix) + SHOWN_CHARACTERS],
        "hash": _hash(key),
        "created_at": datetime.now(UTC),
    }
    with store.write() as connection:
        connection.execute(api_keys.insert(), row)
        audit.record(connection, Action.KEY_CREATED, account.id, key=row["shown"])
    return key


def authenticate(store: Store, key: str | None, prefix: str) -> Account:
    """The account of a key. It is looked up each time, so that every process refuses a revoked key at once."""
    if key is None:
        raise MissingKey
    if not key.startswith(prefix):
        raise MalformedKey
    query = (
        sa.select(
            accounts.c.id,
            accounts.c.email,
            accounts.c.plan,
            accounts.c.overage_enabled,
            api_keys.c.id.label("key_id"),
            api_keys.c.revoked_at,
            api_keys.c.last_used_at,
        )
        .join(accounts, accounts.c.id == api_keys.c.account_id)
        .where(api_keys.c.hash == _hash(key))
    )
    with store.read() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        raise UnknownKey
    if row.revoked_at is not None:
        raise RevokedKey
    now = datetime.now(UTC)
    if row.last_used_at is None or now - row.last_used_at > _LAST_USED_STEP:
        _note_use(store, row.key_id, now)
    return Account(row.id, row.email, row.plan, row.overage_enabled)


def _note_use(store: Store, key_id: str, now: datetime) -> None:
    """Write down when the key was used. On a full disk that fails, and reading goes on."""
    try:
        with store.write() as connection:
            connection.execute(api_keys.update().where(api_keys.c.id == key_id).values(last_used_at=now))
    except PASSING as error:
        if unavailable(error) is None:
            raise
        log.warning("the use of a key was not written down: %s", error)


def all_keys(store: Store, account: Account | None = None) -> list[Key]:
    """Keys of one account, or of all; oldest first."""
    columns = api_keys.c
    query = (
        sa.select(
            columns.id,
            accounts.c.email,
            columns.name,
            columns.shown,
            columns.created_at,
            columns.last_used_at,
            columns.revoked_at,
        )
        .join(accounts, accounts.c.id == columns.account_id)
        .order_by(columns.created_at, columns.id)
    )
    if account is not None:
        query = query.where(columns.account_id == account.id)
    with store.read() as connection:
        return [Key(*row) for row in connection.execute(query)]


def revoke_shown(store: Store, shown: str) -> Key:
    """Revoke the key with this visible prefix; BadRequest when none or more than one has it."""
    found = [key for key in all_keys(store) if key.shown == shown]
    if not found:
        raise NotFound(f"No key is shown as {shown}. `fettle keys list` shows them all.")
    if len(found) > 1:
        emails = ", ".join(key.email for key in found)
        raise BadRequest(f"{len(found)} keys are shown as {shown} (of {emails}); revoke it in the owner's dashboard.")
    _revoke(store, found[0].id)
    return found[0]


def find(store: Store, account: Account, key_id: str) -> Key:
    """A key of this account; refuses one that is not its own."""
    found = [key for key in all_keys(store, account) if key.id == key_id]
    if not found:
        raise NotFound("You have no such key.")
    return found[0]


def revoke(store: Store, account: Account, key_id: str) -> None:
    """Revoke a key of this account; refuses one that is not its own."""
    _revoke(store, find(store, account, key_id).id)


def _revoke(store: Store, key_id: str) -> None:
    with store.write() as connection:
        revoked = connection.execute(
            api_keys.update()
            .where(api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None))
            .values(revoked_at=datetime.now(UTC))
            .returning(api_keys.c.account_id, api_keys.c.shown)
        ).one_or_none()
        if revoked is not None:
            audit.record(connection, Action.KEY_REVOKED, revoked.account_id, key=revoked.shown)
