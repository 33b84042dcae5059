"""The audit log: who signed in, which keys, plans and accounts changed, and when.

An entry is written in the transaction that makes the change, so neither is there without the other. It names the
account by its id alone: once the account is deleted, nothing in it says whose it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.logs import request_id
from fettle.app.state.operation_tables import audit_log
from fettle.app.state.store import Store


class Action(StrEnum):
    """What was done."""

    ACCOUNT_CREATED = "account_created"
    ACCOUNT_DELETED = "account_deleted"
    SIGNED_IN = "signed_in"
    SIGN_IN_REFUSED = "sign_in_refused"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of an action
    PLAN_CHANGED = "plan_changed"
    OVERAGE_CHANGED = "overage_changed"
    USAGE_ADJUSTED = "usage_adjusted"
    KEY_CREATED = "key_created"
    KEY_REVOKED = "key_revoked"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """`request_id`: of the request that did it; None for a command of the operator."""

    at: datetime
    action: str
    account_id: str | None
    request_id: str | None
    detail: dict[str, Any]


def record(connection: Connection, action: Action, account_id: str | None, **detail: object) -> None:
    """Add an entry in the caller's transaction."""
    connection.execute(
        audit_log.insert(),
        {
            "at": datetime.now(UTC),
            "action": action.value,
            "account_id": account_id,
            "request_id": request_id.get(),
            "detail": detail,
        },
    )


def read_entries(store: Store, account_id: str | None = None, limit: int = 100) -> list[AuditEntry]:
    """The newest entries, of one account or of all."""
    columns = audit_log.c
    query = sa.select(columns.at, columns.action, columns.account_id, columns.request_id, columns.detail)
    if account_id is not None:
        query = query.where(columns.account_id == account_id)
    with store.read() as connection:
        return [AuditEntry(*row) for row in connection.execute(query.order_by(columns.id.desc()).limit(limit))]
