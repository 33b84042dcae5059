"""Signatures of calls, in the form of the Standard Webhooks specification, which receivers have libraries for.

The signature covers the id of the call, the time and the body. A receiver refuses one whose time is old, and one whose
id it has seen: so a call that somebody recorded cannot be played again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from fettle.app.webhooks.subscriptions import SECRET_PREFIX


def signature(secret: str, call_id: str, timestamp_s: int, body: bytes) -> str:
    """Value of the header webhook-signature."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{call_id}.{timestamp_s}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def headers(secret: str, call_id: str, timestamp_s: int, body: bytes) -> dict[str, str]:
    """Headers of a call."""
    return {
        "Content-Type": "application/json",
        "webhook-id": call_id,
        "webhook-timestamp": str(timestamp_s),
        "webhook-signature": signature(secret, call_id, timestamp_s, body),
    }
