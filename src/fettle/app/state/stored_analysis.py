"""A pickled analysis on disk, with the engine it belongs to in its first line.

A pickle is only as good as the classes it was made from. One of another engine is never unpickled.
"""

from __future__ import annotations

_FORMAT = b"fettle analysis 1 "


def add_header(pickled: bytes, fingerprint: str) -> bytes:
    """The bytes to store."""
    return _FORMAT + fingerprint.encode("ascii") + b"\n" + pickled


def read_pickle(stored: bytes, fingerprint: str) -> bytes | None:
    """The pickle, None where it was stored by another engine."""
    header = _FORMAT + fingerprint.encode("ascii") + b"\n"
    return stored[len(header) :] if stored.startswith(header) else None
