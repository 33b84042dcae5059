"""Idempotency-Key: the same key with the same body gives the same answer, and the work is done once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.access.accounts import Account
from fettle.app.errors import KeyReused
from fettle.app.state.store import idempotency, insert_into
from fettle.errors import BadRequest

KEY_LENGTH = 255


@dataclass(frozen=True, slots=True)
class Once:
    """A request that is to be done once: the caller's key for it, and a hash of what it asks."""

    route: str
    key: str
    body_hash: str


def once(route: str, key: str | None, body: Any) -> Once | None:
    """What the Idempotency-Key header asks for; None without it. `body`: the request as plain JSON data."""
    if key is None:
        return None
    if not 1 <= len(key) <= KEY_LENGTH or not key.isprintable():
        raise BadRequest(
            f"Idempotency-Key has {len(key)} characters; it must have from 1 to {KEY_LENGTH} printable ones."
        )
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return Once(route, key, hashlib.sha256(text.encode()).hexdigest())


def claim(connection: Connection, account: Account, request: Once) -> dict[str, Any] | None:
    """None when this is the first of its key: do the work and `remember` the answer in the same transaction.

    Otherwise the first one's answer. A second request that comes while the first is at work waits for its end.
    """
    first = connection.execute(
        insert_into(connection, idempotency)
        .values(
            account_id=account.id,
            route=request.route,
            key=request.key,
            body_hash=request.body_hash,
            answer={},
            created_at=datetime.now(UTC),
        )
        .on_conflict_do_nothing()
        .returning(idempotency.c.key)
    ).one_or_none()
    if first is not None:
        return None
    row = connection.execute(
        sa.select(idempotency.c.body_hash, idempotency.c.answer).where(*_is(account, request))
    ).one()
    if row.body_hash != request.body_hash:
        raise KeyReused("This Idempotency-Key was used with another body; use a new key for a new request.")
    answer: dict[str, Any] = row.answer
    return answer


def remember(connection: Connection, account: Account, request: Once, answer: dict[str, Any]) -> None:
    """Store the answer for every later request with the same key."""
    connection.execute(idempotency.update().where(*_is(account, request)).values(answer=answer))


def _is(account: Account, request: Once) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        idempotency.c.account_id == account.id,
        idempotency.c.route == request.route,
        idempotency.c.key == request.key,
    )
