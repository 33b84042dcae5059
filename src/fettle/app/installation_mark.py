"""Tells whether two processes of one machine run the same code, libraries, packs and catalog, in milliseconds.

The engine's fingerprint (`fettle.app.fingerprint`) reads every file, and holds between machines. This mark only looks
at place, size and time of change of the files, as Python does before it trusts compiled code, and holds on one machine.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import fettle

SOURCES = (".py", ".yaml")
MARK_DIGITS = 16


def installation_mark(catalog_dir: Path | None) -> str:
    """16 hexadecimal digits: another interpreter, package, library, rule pack or catalog file gives others."""
    digest = hashlib.sha256(f"{sys.prefix} {sys.version}\n".encode())
    folders = [Path(fettle.__file__).parent, *([catalog_dir] if catalog_dir is not None else [])]
    for line in (*_libraries(), *(line for folder in folders for line in _sources(str(folder.resolve())))):
        digest.update(line.encode(errors="surrogateescape"))
    return digest.hexdigest()[:MARK_DIGITS]


def _libraries() -> Iterator[str]:
    """A folder of installed packages changes with every package that comes, goes or gets another version."""
    for folder in sorted({Path(entry).resolve() for entry in sys.path if entry.endswith("-packages")}):
        if folder.is_dir():
            yield f"{folder} {folder.stat().st_mtime_ns}\n"


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda one: one.name)
    for entry in entries:
        if entry.name.endswith(SOURCES):
            status = entry.stat()
            yield f"{entry.path} {status.st_size} {status.st_mtime_ns}\n"
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry.path)
