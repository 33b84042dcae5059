"""Names of workers."""

from __future__ import annotations

import secrets
import socket


def worker_name() -> str:
    """A name that no other process ever had or will have; it begins with the machine's."""
    return f"{socket.gethostname()[:40]}-{secrets.token_hex(6)}"
