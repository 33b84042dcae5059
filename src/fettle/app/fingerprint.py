"""What stored data depends on besides the part file: a hash of the engine, its libraries, the packs and the catalog."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fettle.catalog_names import PACKS

LIBRARIES = ("cadquery-ocp-novtk", "numpy", "scipy", "numba", "dracopy")
"""Libraries that compute: another version of one may give another answer."""


@cache
def engine_fingerprint(catalog_dir: Path | None) -> str:
    """64 hexadecimal digits, the same on every machine that runs the same code with the same catalog folder."""
    digest = hashlib.sha256()
    for library in LIBRARIES:
        digest.update(f"{library} {version(library)}\n".encode())
    for name, data in (*_code(files("fettle"), ""), *_catalog(catalog_dir)):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return digest.hexdigest()


def _code(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    """Every module and data file of the package, by name."""
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            found += _code(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith((".py", ".yaml")):
            found.append((f"{prefix}{entry.name}", entry.read_bytes()))
    return found


def _catalog(catalog_dir: Path | None) -> list[tuple[str, bytes]]:
    if catalog_dir is None:
        return []
    paths = sorted([*catalog_dir.glob("*.yaml"), *(catalog_dir / PACKS).glob("*.yaml")])
    return [(f"catalog/{path.relative_to(catalog_dir).as_posix()}", path.read_bytes()) for path in paths]
