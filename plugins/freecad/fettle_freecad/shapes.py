"""Shapes as STEP bytes."""

from __future__ import annotations

import tempfile
from pathlib import Path


def step_bytes(shape) -> bytes:
    """The shape as STEP; FreeCAD's exporter wants a file name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        shape.exportStep(str(path))
        return path.read_bytes()
