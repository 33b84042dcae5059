"""Webhooks of accounts, and the calls that are due to them.

A call is written down in the transaction that ends the job, so that it is made if and only if the job has ended.
"""

from __future__ import annotations

import base64
import json
import secrets
import socket
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound, WebhookRefused
from fettle.app.state.operation_tables import deliveries, webhooks
from fettle.app.state.store import Store, jobs
from fettle.app.state.url_fetch import is_public, origin

MOST = 10
"""Webhooks of one account."""
SECRET_PREFIX = "whsec_"  # noqa: S105 - what a secret begins with
Event = Literal["job.done", "job.failed"]
JOB_DONE: Event = "job.done"
JOB_FAILED: Event = "job.failed"


@dataclass(frozen=True, slots=True)
class Webhook:
    """`secret`: the key of the signatures, base64 after its prefix; shown to its owner once."""

    id: str
    url: str
    secret: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A call: how often it was tried, and how the last attempt ended (`200`, `refused`, `no answer`)."""

    id: str
    webhook_id: str
    event: Event
    created_at: datetime
    next_at: datetime | None
    attempts: int
    delivered_at: datetime | None
    outcome: str | None


def check_form(url: str) -> SplitResult:
    """The parts of an http or https address without a password; WebhookRefused for any other text."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise WebhookRefused
    return parts


def check_address(url: str, allowed_origins: tuple[str, ...]) -> str:
    """The address if it may be called; WebhookRefused with one text for every other.

    It is resolved here to tell its owner early. What counts is the check of the connection at each call.
    """
    try:
        parts = check_form(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if origin(parts) in {origin(urlsplit(one)) for one in allowed_origins}:
            return url
        name = parts.hostname or ""
        host = name.encode("idna" if not name.isascii() else "ascii").decode()
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        if not found or not all(is_public(ip_address(str(entry[4][0]))) for entry in found):
            raise WebhookRefused
    except (OSError, UnicodeError, ValueError) as fault:
        raise WebhookRefused from fault
    return url


def create(store: Store, account: Account, url: str, allowed_origins: tuple[str, ...]) -> Webhook:
    """Tell this address about every job of the account that ends from now on."""
    secret = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
    made = Webhook(str(uuid.uuid4()), check_address(url, allowed_origins), secret, datetime.now(UTC))
    own = sa.select(sa.func.count()).select_from(webhooks).where(webhooks.c.account_id == account.id)
    with store.write() as connection:
        if connection.execute(own).scalar_one() >= MOST:
            raise WebhookRefused(f"You have {MOST} webhooks, which is the most; delete one first.")
        row = {"id": made.id, "url": url, "secret": secret, "created_at": made.created_at}
        connection.execute(webhooks.insert(), {**row, "account_id": account.id})
    return made


def read_all(store: Store, account: Account) -> list[Webhook]:
    """Webhooks of the account, oldest first."""
    columns = webhooks.c
    query = sa.select(columns.id, columns.url, columns.secret, columns.created_at)
    query = query.where(columns.account_id == account.id).order_by(columns.created_at, columns.id)
    with store.read() as connection:
        return [Webhook(*row) for row in connection.execute(query)]


def delete(store: Store, account: Account, webhook_id: str) -> None:
    """Delete a webhook, and the calls that were still to be made."""
    own = sa.and_(webhooks.c.id == webhook_id, webhooks.c.account_id == account.id)
    with store.write() as connection:
        if connection.execute(webhooks.delete().where(own)).rowcount == 0:
            raise NotFound("You have no such webhook.")


def read_deliveries(store: Store, account: Account, webhook_id: str, limit: int = 50) -> list[DeliveryReport]:
    """The newest calls of a webhook of this account."""
    if webhook_id not in {one.id for one in read_all(store, account)}:
        raise NotFound("You have no such webhook.")
    columns = deliveries.c
    query = sa.select(
        columns.id, columns.webhook_id, columns.event, columns.created_at, columns.next_at, columns.attempts,
        columns.delivered_at, columns.outcome,
    )  # fmt: skip
    query = query.where(columns.webhook_id == webhook_id).order_by(columns.created_at.desc()).limit(limit)
    with store.read() as connection:
        return [DeliveryReport(*row) for row in connection.execute(query)]


def enqueue(connection: Connection, job_id: str, failure: str | None) -> None:
    """Write down a call to each webhook of the job's owner, in the transaction that ends the job."""
    query = (
        sa.select(webhooks.c.id.label("webhook_id"), jobs.c.filename, jobs.c.status)
        .join(jobs, jobs.c.account_id == webhooks.c.account_id)
        .where(jobs.c.id == job_id)
    )
    now = datetime.now(UTC)
    event = JOB_DONE if failure is None else JOB_FAILED
    for row in connection.execute(query).all():
        data = {"job_id": job_id, "status": row.status, "filename": row.filename, "error": failure}
        body = json.dumps({"type": event, "timestamp": now.isoformat(), "data": data})
        call = {"id": str(uuid.uuid4()), "webhook_id": row.webhook_id, "event": event, "body": body}
        connection.execute(deliveries.insert(), {**call, "created_at": now, "next_at": now, "attempts": 0})
