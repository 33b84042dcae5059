"""Shared by commands on part files: reading them, a message while work lasts, and errors as JSON."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from fettle.errors import FettleError
from fettle.geometry.file_formats import EXTENSIONS, READERS
from fettle.geometry.length_units import UNITS_MM

FORMATS_HELP = f"{', '.join(EXTENSIONS)}."
UNITS_HELP = (
    f"Length unit of files that carry none: {', '.join(UNITS_MM)}. Default "
    f"{', '.join(f'{row.name} {row.default_unit}' for row in READERS if row.default_unit)}; other formats say theirs."
)

PATIENCE_S = 1.0
"""Seconds after which a message says what is being done."""


def read_file(path: Path) -> bytes:
    """The bytes of a file; a missing one ends the command with exit code 2."""
    try:
        return path.read_bytes()
    except OSError as error:
        typer.echo(f"{path}: {error.strerror or error}", err=True)
        raise typer.Exit(2) from error


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say `what` on stderr when the block takes longer than a second."""
    timer = threading.Timer(PATIENCE_S, typer.echo, [what], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def refusal(path: Path, error: FettleError) -> dict[str, str]:
    """A refused file in JSON."""
    return {"file": str(path), "error": str(error), "code": error.code}
