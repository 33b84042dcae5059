"""The roll of workers: how they are named, and how one that has gone is struck off.."""

from __future__ import annotations

import secrets
import socket

from fettle.app.state.store import Store, workers


def worker_name() -> str:
    """A name that no other process ever had or will have; it begins with the machine's."""
    return f"{socket.gethostname()[:40]}-{secrets.token_hex(6)}"


def delete_workers(store: Store, gone: set[str]) -> None:
    """These workers are no more; what they held is free."""
    if gone:
        with store.write() as connection:
            connection.execute(workers.delete().where(workers.c.id.in_(gone)))
