"""Lists, newest first, a page at a time: the cursor names the last row seen, so new rows shift nothing."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row, Select, Table

from fettle.errors import BadRequest

PAGE_LIMIT = (1, 100)
DEFAULT_LIMIT = 20


@dataclass(frozen=True, slots=True)
class Page:
    """`cursor`: what to ask for the next page with; None on the last."""

    rows: tuple[Row[Any], ...]
    cursor: str | None


def read_page(
    connection: Connection, query: Select[Any], table: Table, limit: int = DEFAULT_LIMIT, cursor: str | None = None
) -> Page:
    """One page of a query over `table`, which has `created_at` and `id`; both must be selected."""
    least, most = PAGE_LIMIT
    if not least <= limit <= most:
        raise BadRequest(f"limit is {limit}; it must be from {least} to {most}.")
    if cursor is not None:
        created_at, identity = _decode(cursor)
        query = query.where(
            sa.or_(table.c.created_at < created_at, sa.and_(table.c.created_at == created_at, table.c.id < identity))
        )
    query = query.order_by(table.c.created_at.desc(), table.c.id.desc()).limit(limit + 1)
    rows = tuple(connection.execute(query))
    if len(rows) <= limit:
        return Page(rows, None)
    last = rows[limit - 1]
    return Page(rows[:limit], _encode(last.created_at, last.id))


def _encode(created_at: datetime, identity: str) -> str:
    text = f"{created_at.astimezone(UTC).isoformat()}|{identity}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decode(cursor: str) -> tuple[datetime, str]:
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
        stamp, identity = text.split("|", 1)
        created_at = datetime.fromisoformat(stamp)
        if created_at.tzinfo is None or not identity.isprintable():
            raise ValueError("not one of ours")
        return created_at.astimezone(UTC), identity
    except (ValueError, OverflowError, binascii.Error, UnicodeError) as fault:
        raise BadRequest("cursor is not one that a list returned; leave it out to start from the newest.") from fault
