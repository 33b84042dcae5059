"""Bytes to a `Model`: the part and its base mesh. The only pass that needs the kernel."""

from __future__ import annotations

from pathlib import PurePath

# Readers import these when they read a file. Here they are imported at once: a process that forks children to read
# files in, or reads many itself, pays for it once. The search for faces of triangles is left to the readers of
# triangles: it loads in a thirtieth of the time.
import fettle.geometry.kernel.shape_to_part
import fettle.geometry.kernel.step  # noqa: F401
from fettle.geometry.file_formats import identify
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.model import Model


def load(data: bytes, filename: str, options: MeshOptions = MeshOptions(), units: str | None = None) -> Model:
    """Read a part file of any format of the table (`fettle.geometry.file_formats`), chosen by its extension.

    `units`: length unit of a file that carries none, a key of `length_units.UNITS_MM`; None for the format's default.
    """
    reader = identify(data, filename)
    return reader.read(data, PurePath(filename).name, options, units or reader.default_unit)
