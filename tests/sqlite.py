"""An upgraded, empty SQLite database: to write it takes a hundredth of an upgrade's time."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fettle.app.service import open_service
from fettle.app.settings import Settings

NAME = "fettle.sqlite"
"""Of the file in a data folder."""


@cache
def _upgraded() -> bytes:
    with TemporaryDirectory() as folder:
        open_service(Settings(data_dir=Path(folder))).close()
        return (Path(folder) / NAME).read_bytes()


def write_upgraded(data_dir: Path) -> Path:
    """Put the database into a data folder, which is made if need be; its file."""
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / NAME
    path.write_bytes(_upgraded())
    return path
