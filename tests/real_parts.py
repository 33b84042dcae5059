"""Real parts of the corpus. Reading one takes up to three seconds: what several files of tests look at is read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fettle.geometry.load import load
from fettle.geometry.model import Model


@cache
def read(path: Path) -> Model:
    """The part and its mesh, kept for the process; the tests of all files that read real parts here run in one
    (`tests.scheduling.REAL_PARTS`)."""
    return load(path.read_bytes(), path.name)
