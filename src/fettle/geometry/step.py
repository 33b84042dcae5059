"""STEP bytes to a kernel shape: syntax checks, units, healing, and which of its content is the part."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

from OCP.BRep import BRep_Builder
from OCP.collections import (
    DataMap_TCollection_AsciiString_TCollection_AsciiString,
    IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher,
    Sequence_TCollection_AsciiString,
)
from OCP.IFSelect import IFSelect_RetDone
from OCP.Message import Message
from OCP.STEPControl import STEPControl_Reader
from OCP.TCollection import TCollection_AsciiString
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_SOLID
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from fettle.errors import Damaged, NoSolid
from fettle.geometry.formats import BOM

# Searching wires for crossings with themselves takes up to a quarter of the transfer and changed no volume, face or
# open edge on any part it was compared on; every other fix stays on, because without them volumes come out wrong.
_SKIPPED_FIXES = (
    "FixSelfIntersectionMode",
    "FixSelfIntersectingEdgeMode",
    "FixIntersectingEdgesMode",
    "FixNonAdjacentIntersectingEdgesMode",
    "FixIntersectingWiresMode",
    "FixSmallAreaWireMode",
)

_SCHEMAS = (("AP242", "AP242"), ("AUTOMOTIVE_DESIGN", "AP214"), ("CONFIG_CONTROL_DESIGN", "AP203"), ("AP203", "AP203"))


@dataclass(frozen=True, slots=True, eq=False)
class StepShape:
    """`shape`: a compound of the solids, millimetres, in file order."""

    shape: TopoDS_Compound
    schema: str
    length_unit: str
    warnings: tuple[str, ...]


def read_step(data: bytes, name: str) -> StepShape:
    """Read, heal and convert to millimetres; refuse what holds no solid."""
    text = _checked_text(data, name)
    Message.DefaultMessenger_s().ChangePrinters().Clear()
    reader = STEPControl_Reader()
    reader.SetSystemLengthUnit(1.0)
    if reader.ReadStream(name, io.BytesIO(text)) != IFSelect_RetDone:
        raise Damaged(f"{name} could not be parsed as STEP; export it again from the CAD system")
    reader.SetShapeFixParameters(_healing())
    reader.TransferRoots()
    shape = reader.OneShape()
    if shape.IsNull():
        raise NoSolid(f"{name} describes no shape (drawings or product data only); export the 3D solid")
    solids, warnings = _solids(shape, name)
    return StepShape(solids, _schema(text), _length_unit(reader), tuple(warnings))


def _checked_text(data: bytes, name: str) -> bytes:
    text = data.removeprefix(BOM)
    if b"\r" in text and b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    if b"END-ISO-10303-21" not in text:
        raise Damaged(
            f"{name} is truncated: the closing END-ISO-10303-21 is missing after {len(data)} bytes; send it again"
        )
    if not re.search(rb"\bDATA\b", text):
        raise Damaged(f"{name} has no DATA section; export it again from the CAD system")
    return text


def _healing() -> DataMap_TCollection_AsciiString_TCollection_AsciiString:
    parameters = DataMap_TCollection_AsciiString_TCollection_AsciiString()
    for key in _SKIPPED_FIXES:
        parameters.Bind(TCollection_AsciiString(f"FixShape.{key}"), TCollection_AsciiString("0"))
    return parameters


def _solids(shape: TopoDS_Shape, name: str) -> tuple[TopoDS_Compound, list[str]]:
    """The solids of `shape` as one compound, and what was left out, in sentences."""
    found = _map(shape, TopAbs_SOLID)
    if found.Extent() == 0:
        if _map(shape, TopAbs_FACE).Extent():
            raise NoSolid(
                f"{name} holds surfaces only, no solid; close and knit them in the CAD system and export again"
            )
        what = "wireframe" if _map(shape, TopAbs_EDGE).Extent() else "points"
        raise NoSolid(f"{name} holds {what} only, no solid; export the 3D solid")
    builder = BRep_Builder()
    compound = TopoDS_Compound()
    builder.MakeCompound(compound)
    for index in range(1, found.Extent() + 1):
        builder.Add(compound, found.FindKey(index))
    loose = _map(shape, TopAbs_FACE).Extent() - _map(compound, TopAbs_FACE).Extent()
    warnings = [f"{loose} loose surfaces outside the solids were ignored"] if loose > 0 else []
    return compound, warnings


def _map(shape: TopoDS_Shape, kind: object) -> IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher:
    shapes = IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher()
    TopExp.MapShapes_s(shape, kind, shapes)
    return shapes


def _schema(text: bytes) -> str:
    found = re.search(rb"FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'", text[:65536])
    if not found:
        return "unknown"
    raw = found[1].decode("latin-1").split("{")[0].strip()
    return next((short for key, short in _SCHEMAS if raw.upper().startswith(key)), raw)


def _length_unit(reader: STEPControl_Reader) -> str:
    lengths, angles, solid_angles = (Sequence_TCollection_AsciiString() for _ in range(3))
    reader.FileUnits(lengths, angles, solid_angles)
    names = dict.fromkeys(lengths.Value(index).ToCString().lower() for index in range(1, lengths.Length() + 1))
    return ", ".join(names) or "unknown"
