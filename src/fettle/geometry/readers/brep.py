"""The kernel's own BREP files, text or binary: how shapes of CadQuery and build123d come in. They carry no unit; by
custom it is the millimeter."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from fettle.errors import Damaged
from fettle.geometry.reader import Reader

if TYPE_CHECKING:
    from OCP.TopoDS import TopoDS_Compound

    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

_TEXT_STARTS = (b"DBRep_DrawableShape", b"CASCADE Topology")
_BINARY_START = b"Open CASCADE Topology"
_TEXT_END = re.compile(rb"[+-]\d+ \d+\s*$")
"""The reference to the root shape, with which a text file ends."""


def _matches(data: bytes) -> bool:
    return data.lstrip().startswith((*_TEXT_STARTS, _BINARY_START))


def _read(data: bytes, name: str, options: MeshOptions, unit: str) -> Model:
    from fettle.geometry.kernel.shape_to_part import read_part
    from fettle.geometry.model import Model
    from fettle.geometry.part import Source

    solids, warnings = _read_solids(data, name)
    source = Source("BREP", "Open CASCADE", "mm", exact=True, warnings=tuple(warnings))
    return Model(*read_part(solids, options, source, name), options)


def _read_solids(data: bytes, name: str) -> tuple[TopoDS_Compound, list[str]]:
    """A compound of the solids, and warnings; refuses what cannot be read or holds no solid."""
    from OCP.BinTools import BinTools
    from OCP.BRep import BRep_Builder
    from OCP.BRepTools import BRepTools
    from OCP.TopoDS import TopoDS_Shape

    from fettle.geometry.kernel.healing import solids_in

    shape = TopoDS_Shape()
    is_text = data.lstrip().startswith(_TEXT_STARTS)
    if is_text and not _TEXT_END.search(data[-64:]):
        # The kernel would read on for ever.
        raise Damaged(f"{name} could not be read as BREP: it ends before its root shape, so it is truncated")
    try:
        if is_text:
            BRepTools.Read_s(shape, io.BytesIO(data), BRep_Builder())
        else:
            BinTools.Read_s(shape, io.BytesIO(data))
    except Exception as fault:
        raise Damaged(f"{name} could not be read as BREP ({type(fault).__name__}); write it again") from fault
    if shape.IsNull():
        raise Damaged(f"{name} could not be read as BREP; it is truncated or of a version unknown here")
    return solids_in(shape, name)


READERS = (
    Reader(
        name="BREP",
        extensions=(".brep", ".brp"),
        media_type="model/vnd.occt.brep",
        matches=_matches,
        mismatch="does not start with 'DBRep_DrawableShape'",
        recognized_as="an Open CASCADE BREP file; name it .brep",
        read=_read,
        exact=True,
    ),
)
