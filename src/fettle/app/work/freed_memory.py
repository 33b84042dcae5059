"""What a long-lived process does with memory that it has freed."""

from __future__ import annotations

import ctypes

_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8
"""Options of glibc's `mallopt`."""
LARGE_BYTES = 256 * 1024
"""A call to the system for each block of this size costs little beside filling it."""


def return_large_blocks() -> None:
    """From now on blocks of LARGE_BYTES and more go back to the system as soon as they are freed.

    glibc raises that size with each large block that is freed, up to 32 MB, and keeps a heap for every thread. A worker
    has each result once as an object, once joined and once compressed, each of another size, on any of its threads: its
    heaps grow by the gaps between them. Does nothing where the C library is another one.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(_M_ARENA_MAX, 1)
