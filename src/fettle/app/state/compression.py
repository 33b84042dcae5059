"""Compressed bytes of stored files, alone or several in one (a bundle).

The maps of an analysis repeat one mesh four times over. Together in one frame with a window that reaches from one to
the next they take a third of what they take one by one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import zstandard

LEVEL = 3
WINDOW_LOG = 25
"""The window is two to this power, 32 MB: four maps of half a million triangles."""
FAR_BYTES = 16 * 1024**2
"""Content of so many bytes is also searched for what it repeats from far away. That takes half as long again, and saves
1 % at 12 MB, 2 to 4 % at 18 MB and half at 42 MB."""
_MAGIC = zstandard.FRAME_HEADER
_NEAR = zstandard.ZstdCompressionParameters.from_level(LEVEL, window_log=WINDOW_LOG)
_FAR = zstandard.ZstdCompressionParameters.from_level(LEVEL, window_log=WINDOW_LOG, enable_ldm=True)


def compress(data: bytes) -> bytes:
    """The bytes to store."""
    parameters = _FAR if len(data) >= FAR_BYTES else _NEAR
    return zstandard.ZstdCompressor(compression_params=parameters).compress(data)


def is_compressed(stored: bytes) -> bool:
    """Whether `decompress` would unpack the bytes."""
    return stored.startswith(_MAGIC)


def decompress(stored: bytes) -> bytes:
    """What was given to `compress`; what version 0.1 stored as it was is given back as it is."""
    if not is_compressed(stored):
        return stored
    return zstandard.ZstdDecompressor(max_window_size=1 << WINDOW_LOG).decompress(stored)


def join(members: Mapping[str, bytes]) -> bytes:
    """Several files as one: a line with their names and sizes, then their bytes."""
    sizes = json.dumps({name: len(data) for name, data in members.items()}).encode()
    return b"\n".join((sizes, b"".join(members.values())))


def split(joined: bytes) -> dict[str, bytes]:
    """What was given to `join`."""
    head = joined.index(b"\n")
    found, start = {}, head + 1
    for name, size in json.loads(joined[:head]).items():
        found[name] = joined[start : start + size]
        start += size
    return found
