"""Dashboard sessions and the limit on sign-in attempts: both in tables that every process shares."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.errors import TooManyAttempts
from fettle.app.state.store import Store, accounts, attempts, insert_into, sessions

WINDOW = timedelta(minutes=15)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def open_session(store: Store, account: Account, days: float) -> str:
    """Start a session; returns the token for the cookie, of which only a hash is stored."""
    token, now = secrets.token_urlsafe(32), datetime.now(UTC)
    row = {
        "token_hash": _hash(token),
        "account_id": account.id,
        "created_at": now,
        "expires_at": now + timedelta(days=days),
    }
    with store.write() as connection:
        connection.execute(sessions.delete().where(sessions.c.expires_at < now))
        connection.execute(sessions.insert(), row)
    return token


def find_account(store: Store, token: str | None) -> Account | None:
    """Who is signed in with this token; None when nobody is."""
    if not token:
        return None
    query = (
        sa.select(accounts.c.id, accounts.c.email, accounts.c.plan, accounts.c.overage_enabled)
        .join(sessions, sessions.c.account_id == accounts.c.id)
        .where(sessions.c.token_hash == _hash(token), sessions.c.expires_at > datetime.now(UTC))
    )
    with store.read() as connection:
        row = connection.execute(query).one_or_none()
    return Account(*row) if row is not None else None


def close_session(store: Store, token: str) -> None:
    """Sign out: every process refuses the token from now on."""
    with store.write() as connection:
        connection.execute(sessions.delete().where(sessions.c.token_hash == _hash(token)))


def close_all(store: Store, account: Account) -> None:
    """Sign out everywhere."""
    with store.write() as connection:
        connection.execute(sessions.delete().where(sessions.c.account_id == account.id))


def count_attempt(store: Store, who: str, limit: int, now: datetime | None = None) -> None:
    """Count one attempt of `who` (an e-mail, an address); refuses above `limit` in a quarter of an hour."""
    now = now or datetime.now(UTC)
    start = now - timedelta(seconds=now.timestamp() % WINDOW.total_seconds())
    with store.write() as connection:
        connection.execute(attempts.delete().where(attempts.c.window_start < now - 2 * WINDOW))
        count = connection.execute(
            insert_into(connection, attempts)
            .values(who=_hash(who), window_start=start, count=1)
            .on_conflict_do_update(
                index_elements=[attempts.c.who, attempts.c.window_start], set_={"count": attempts.c.count + 1}
            )
            .returning(attempts.c.count)
        ).scalar_one()
    if count > limit:
        raise TooManyAttempts(retry_after_s=int((start + WINDOW - now).total_seconds()) + 1)


def forgive_attempts(store: Store, who: str) -> None:
    """Delete the attempts of `who` after a successful sign-in."""
    with store.write() as connection:
        connection.execute(attempts.delete().where(attempts.c.who == _hash(who)))
