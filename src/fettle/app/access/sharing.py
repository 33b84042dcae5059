"""Share links: whoever has one reads one report or one quote, until it expires or is revoked.

The address holds 256 random bits; the table only their hash, so that nobody who reads the database can open a link.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound
from fettle.app.state.dashboard_tables import share_links
from fettle.app.state.store import Store, accounts, jobs, quotes
from fettle.errors import BadRequest

LONGEST_DAYS = 365
_SECRET_BYTES = 32


class NoSuchLink(NotFound):
    """One text whatever the reason, so that nothing is told about links that were."""

    def __init__(self) -> None:
        super().__init__("This link shows nothing: it is not complete, has expired, or was revoked.")


@dataclass(frozen=True, slots=True)
class Shared:
    """What a link shows: the report of `job_id` or the quote `quote_id` of this account."""

    account: Account
    job_id: str | None
    quote_id: str | None


@dataclass(frozen=True, slots=True)
class ShareLink:
    """A link as its owner sees it."""

    id: str
    job_id: str | None
    quote_id: str | None
    file_name: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.expires_at > datetime.now(UTC)


def create(
    store: Store, account: Account, days: float, *, job_id: str | None = None, quote_id: str | None = None
) -> str:
    """The secret of a new link to a job or quote, which the caller knows to be this account's; returned only here."""
    if not 0 < days <= LONGEST_DAYS:
        raise BadRequest(f"A link can work for at most {LONGEST_DAYS} days; {days:g} were asked for.")
    secret, now = secrets.token_urlsafe(_SECRET_BYTES), datetime.now(UTC)
    row = {
        "id": str(uuid.uuid4()),
        "account_id": account.id,
        "job_id": job_id,
        "quote_id": quote_id,
        "token_hash": _hash(secret),
        "created_at": now,
        "expires_at": now + timedelta(days=days),
    }
    with store.write() as connection:
        connection.execute(share_links.insert(), row)
    return secret


def find(store: Store, secret: str, now: datetime | None = None) -> Shared:
    """What a link shows; raises NoSuchLink where it is unknown, expired or revoked."""
    query = (
        sa.select(
            accounts.c.id,
            accounts.c.email,
            accounts.c.plan,
            accounts.c.overage_enabled,
            share_links.c.job_id,
            share_links.c.quote_id,
        )
        .join(accounts, accounts.c.id == share_links.c.account_id)
        .where(
            share_links.c.token_hash == _hash(secret),
            share_links.c.revoked_at.is_(None),
            share_links.c.expires_at > (now or datetime.now(UTC)),
        )
    )
    with store.read() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        raise NoSuchLink
    return Shared(Account(row.id, row.email, row.plan, row.overage_enabled), row.job_id, row.quote_id)


def read_all(
    store: Store, account: Account, *, job_id: str | None = None, quote_id: str | None = None
) -> list[ShareLink]:
    """The account's links, newest first; of one job or quote where it is named."""
    name = sa.func.coalesce(jobs.c.filename, quotes.c.file_name).label("file_name")
    query = (
        sa.select(share_links, name)
        .outerjoin(jobs, jobs.c.id == share_links.c.job_id)
        .outerjoin(quotes, quotes.c.id == share_links.c.quote_id)
        .where(share_links.c.account_id == account.id)
        .order_by(share_links.c.created_at.desc(), share_links.c.id)
    )
    if job_id is not None:
        query = query.where(share_links.c.job_id == job_id)
    if quote_id is not None:
        query = query.where(share_links.c.quote_id == quote_id)
    with store.read() as connection:
        rows = connection.execute(query).all()
    return [
        ShareLink(row.id, row.job_id, row.quote_id, row.file_name, row.created_at, row.expires_at, row.revoked_at)
        for row in rows
    ]


def revoke(store: Store, account: Account, link_id: str) -> None:
    """Close a link of this account; every process refuses it from now on."""
    ours = sa.and_(share_links.c.id == link_id, share_links.c.account_id == account.id)
    with store.write() as connection:
        found = connection.execute(sa.select(share_links.c.id).where(ours)).one_or_none()
        if found is None:
            raise NotFound("No such link.")
        still = sa.and_(ours, share_links.c.revoked_at.is_(None))
        connection.execute(share_links.update().where(still).values(revoked_at=datetime.now(UTC)))


def _hash(secret: str) -> str:
    # 256 random bits need no slow hash: there is nothing to guess.
    return hashlib.sha256(secret.encode()).hexdigest()
