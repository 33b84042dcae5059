"""The kernel's own BREP files, text or binary: how shapes of CadQuery and build123d come in. They carry no unit; by
custom it is the millimeter."""

from __future__ import annotations

import io
import re

from OCP.BinTools import BinTools
from OCP.BRep import BRep_Builder
from OCP.BRepTools import BRepTools
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from fettle.errors import Damaged
from fettle.geometry.kernel.step import solids_in

TEXT_STARTS = (b"DBRep_DrawableShape", b"CASCADE Topology")
_TEXT_END = re.compile(rb"[+-]\d+ \d+\s*$")
"""The reference to the root shape, with which a text file ends."""


def read_native(data: bytes, name: str) -> tuple[TopoDS_Compound, list[str]]:
    """A compound of the solids, and warnings; refuses what cannot be read or holds no solid."""
    shape = TopoDS_Shape()
    is_text = data.lstrip().startswith(TEXT_STARTS)
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
