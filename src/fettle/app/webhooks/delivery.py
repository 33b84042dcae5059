"""Making the calls: a thread of every worker takes those that are due, one at a time, and tries again with pauses.

A call belongs to whoever moved its due time first; if that worker dies, it is due again after `LEASE`. Receivers may
see a call twice, with the same id.
"""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpcore
import sqlalchemy as sa
from sqlalchemy import Row

from fettle.app.settings import Settings
from fettle.app.state.operation_tables import deliveries, webhooks
from fettle.app.state.store import Store
from fettle.app.state.url_fetch import CheckedNetwork, origin, url_of
from fettle.app.webhooks.signing import headers
from fettle.app.webhooks.subscriptions import check_form
from fettle.errors import FettleError

log = logging.getLogger(__name__)

POLL_S = 1.0
TIMEOUT_S = 15.0
LEASE = timedelta(seconds=60)
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 3600, 6 * 3600, 12 * 3600))
"""After the first, second... failed attempt; after the last of them a call is given up, a day after its job ended."""


class Deliveries:
    """The thread. `stop` lets the running call end."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                made = deliver_next(self._settings, self._store)
            except Exception:
                log.exception("webhooks could not be looked at")
                made = False
            if not made:
                self._stop.wait(POLL_S)


def deliver_next(settings: Settings, store: Store, now: datetime | None = None) -> bool:
    """Make the call that is due longest; whether there was one."""
    now = now or datetime.now(UTC)
    row = _claim(store, now)
    if row is None:
        return False
    outcome = send(row.url, row.body.encode(), headers(row.secret, row.id, int(now.timestamp()), row.body.encode()),
                   settings.webhook_allowed_origins)  # fmt: skip
    attempts = row.attempts + 1
    values: dict[str, Any] = {"attempts": attempts, "outcome": outcome}
    if outcome.isdigit() and 200 <= int(outcome) < 300:
        values |= {"delivered_at": datetime.now(UTC), "next_at": None}
    else:
        log.warning("call %s of webhook %s failed (%s), attempt %d", row.id, row.webhook_id, outcome, attempts)
        values["next_at"] = now + PAUSES[attempts - 1] if attempts <= len(PAUSES) else None
    with store.write() as connection:
        connection.execute(deliveries.update().where(deliveries.c.id == row.id).values(values))
    return True


def _claim(store: Store, now: datetime) -> Row[Any] | None:
    due = (
        sa.select(deliveries, webhooks.c.url, webhooks.c.secret)
        .join(webhooks, webhooks.c.id == deliveries.c.webhook_id)
        .where(deliveries.c.next_at <= now)
        .order_by(deliveries.c.next_at)
        .limit(1)
    )
    with store.read() as connection:
        row = connection.execute(due).one_or_none()
    if row is None:
        return None
    ours = sa.and_(deliveries.c.id == row.id, deliveries.c.next_at == row.next_at)
    with store.write() as connection:
        moved = connection.execute(deliveries.update().where(ours).values(next_at=now + LEASE))
    return row if moved.rowcount == 1 else None


def send(url: str, body: bytes, fields: dict[str, str], allowed_origins: tuple[str, ...]) -> str:
    """Post to a public address, without following redirects; the status, or why there was none."""
    try:
        return str(anyio.run(_post, url, body, fields, allowed_origins))
    except FettleError:
        return "refused"
    except TimeoutError:
        return "no answer in time"
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError, ValueError):
        return "no answer"


async def _post(url: str, body: bytes, fields: dict[str, str], allowed_origins: tuple[str, ...]) -> int:
    parts = check_form(url)
    allowed = {origin(urlsplit(one)) for one in allowed_origins}
    network = CheckedNetwork(open_to_all=origin(parts) in allowed)
    said = {**fields, "Host": parts.netloc.encode("idna" if not parts.netloc.isascii() else "ascii").decode()}
    sent = [(name.encode(), value.encode()) for name, value in {**said, "User-Agent": "fettle"}.items()]
    with anyio.fail_after(TIMEOUT_S):
        async with (
            httpcore.AsyncConnectionPool(network_backend=network) as pool,
            pool.stream("POST", url_of(parts), headers=[*sent, (b"Content-Length", str(len(body)).encode())],
                        content=body) as answer,
        ):  # fmt: skip
            return answer.status
