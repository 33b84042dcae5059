"""Rows of the workers: their names, and deleting those of dead ones."""

from __future__ import annotations

import secrets
import socket

from fettle.app.state.store import Store, workers


def worker_name() -> str:
    """A unique name that begins with the machine's."""
    return f"{socket.gethostname()[:40]}-{secrets.token_hex(6)}"


def delete_workers(store: Store, gone: set[str]) -> None:
    """Delete the rows of dead workers, which releases their jobs."""
    if gone:
        with store.write() as connection:
            connection.execute(workers.delete().where(workers.c.id.in_(gone)))
