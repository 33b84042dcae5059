"""STEP bytes to a kernel shape: syntax checks, units, healing, and which of its content is the part."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from OCP.collections import DataMap_TCollection_AsciiString_TCollection_AsciiString, Sequence_TCollection_AsciiString
from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.Message import Message
from OCP.ShapeBuild import ShapeBuild_ReShape
from OCP.STEPControl import STEPControl_Reader
from OCP.TCollection import TCollection_AsciiString
from OCP.TopAbs import TopAbs_FACE
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from fettle.errors import Damaged, NoSolid
from fettle.geometry.kernel.face_repair import SKIPPED_FACE_FIXES, SKIPPED_WIRE_FIXES, complete_solids
from fettle.geometry.kernel.healing import loose_surfaces, solids_in
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.step_instances import repeated_instance
from fettle.geometry.kernel.step_names import SolidName, solid_names
from fettle.geometry.kernel.step_references import listed, referred_parts
from fettle.geometry.kernel.step_units import common_name, length_units
from fettle.geometry.kernel.topology import map_of
from fettle.geometry.reader import BOM

_REPAIRS = ("FixSolidMode", "FixFreeShellMode", "FixFreeFaceMode", "FixFreeWireMode", "FixSameParameterMode")
"""Of the transfer: all that it repairs besides the tolerances of vertices, which is never needed."""

_REGULARITY = "read.encoderegularity.angle"
"""A setting of the whole process: the angle below which the kernel notes that two faces meet smoothly; 0 for never."""

_STRING = re.compile(rb"'[^']*'")
_LONGEST_TEXT = 100_000
"""Bytes of a text that are left to the kernel where it cannot read the whole file."""

_TRIM = b"PCURVE"
_UNCERTAINTY = re.compile(
    rb"UNCERTAINTY_MEASURE_WITH_UNIT\s*\(\s*LENGTH_MEASURE\s*\(\s*([0-9.]++(?:[Ee][+-]?[0-9]++)?)\s*\)"
)
_UNIT_MM = {"millimetre": 1.0, "centimetre": 10.0, "metre": 1000.0, "inch": 25.4, "foot": 304.8}
_DEFAULT_PRECISION_MM = 1e-3
"""The transfer's own, where a file does not say how exact it is."""

_SCHEMAS = (("AP242", "AP242"), ("AUTOMOTIVE_DESIGN", "AP214"), ("CONFIG_CONTROL_DESIGN", "AP203"), ("AP203", "AP203"))


@dataclass(frozen=True, slots=True, eq=False)
class StepShape:
    """`shape`: a compound of the solids, millimeters, in file order; `names`: of each.

    `reader` knows which instance of the file every face came from, `changes` what became of it since, where anything
    did; `sampled`: the shape numbered and its edges sampled, where that is known; `text`: the file without its byte
    order mark.
    """

    shape: TopoDS_Compound
    names: tuple[SolidName, ...]
    schema: str
    length_unit: str
    warnings: tuple[str, ...]
    reader: STEPControl_Reader
    changes: ShapeBuild_ReShape | None
    sampled: SampledShape | None
    text: bytes


def read_step(data: bytes, name: str) -> StepShape:
    """Read, heal and convert to millimeters; refuse what holds no solid."""
    Message.DefaultMessenger_s().ChangePrinters().Clear()
    reader, text = _parsed(_checked_text(data, name), name)
    shape = transfer(reader, repaired=False)
    elsewhere = referred_parts(text, name)
    if shape.IsNull() or not map_of(shape, TopAbs_FACE).Extent():
        _refuse_without_faces(shape, text, elsewhere, name)
    unit = _length_unit(reader, text)
    complete = complete_solids(shape, _precision_mm(text, unit), has_trims=_TRIM in text)
    if complete:
        solids, warnings = complete.solids, loose_surfaces(shape)
    else:
        # what was transferred once is not transferred again
        reader, text = _parsed(text, name)
        shape = transfer(reader, repaired=True)
        solids, warnings = solids_in(shape, name)
    if elsewhere:
        warnings.append(f"parts of the assembly are in other files and were left out: {listed(elsewhere)}")
    names = solid_names(reader, shape)
    changes, sampled = (complete.changes, complete.sampled) if complete else (None, None)
    return StepShape(solids, names, _schema(text), unit, tuple(warnings), reader, changes, sampled, text)


def _parsed(text: bytes, name: str) -> tuple[STEPControl_Reader, bytes]:
    """A reader that has parsed the file, and the text that it could parse."""
    reader = STEPControl_Reader()
    reader.SetSystemLengthUnit(1.0)
    if reader.ReadStream(name, io.BytesIO(text)) == IFSelect_RetDone:
        return reader, text
    # the kernel gives up on texts of a megabyte; notes do not decide whether there is geometry
    reader = STEPControl_Reader()
    reader.SetSystemLengthUnit(1.0)
    shortened = _STRING.sub(_without_long_text, text)
    if len(shortened) < len(text) and reader.ReadStream(name, io.BytesIO(shortened)) == IFSelect_RetDone:
        return reader, shortened
    raise Damaged(f"{name} could not be parsed as STEP; export it again from the CAD system")


def _refuse_without_faces(shape: TopoDS_Shape, text: bytes, elsewhere: tuple[str, ...], name: str) -> None:
    """Says what the file holds instead of faces; returns where that is wires or points, which `solids_in` refuses."""
    if elsewhere:
        raise NoSolid(
            f"{name} is an assembly whose parts are in other files ({listed(elsewhere)}); send those, or export the "
            "assembly as one file"
        )
    if b"TESSELLATED_S" in text:
        raise NoSolid(f"{name} holds tessellated (mesh) geometry only; export exact geometry, or send the mesh as GLB")
    if shape.IsNull():
        raise NoSolid(f"{name} describes no shape (drawings or product data only); export the 3D solid")


def _without_long_text(string: re.Match[bytes]) -> bytes:
    return string[0] if len(string[0]) <= _LONGEST_TEXT else b"''"


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
    if repeated := repeated_instance(text):
        number, first, second = repeated
        raise Damaged(
            f"{name} defines #{number} twice, on lines {first} and {second}, so that nobody can tell which one is "
            "meant; export it again from the CAD system"
        )
    return text


def transfer(reader: STEPControl_Reader, *, repaired: bool) -> TopoDS_Shape:
    """What the file holds, by the kernel: with its repair of every face, or as it is."""
    skipped = [*SKIPPED_FACE_FIXES, *SKIPPED_WIRE_FIXES] if repaired else [*_REPAIRS, "FixVertexToleranceMode"]
    parameters = DataMap_TCollection_AsciiString_TCollection_AsciiString()
    for key in skipped:
        parameters.Bind(TCollection_AsciiString(f"FixShape.{key}"), TCollection_AsciiString("0"))
    reader.SetShapeFixParameters(parameters)
    # how faces meet is read from the mesh, so what the kernel would note of it is not looked for
    angle = Interface_Static.RVal_s(_REGULARITY)
    Interface_Static.SetRVal_s(_REGULARITY, 0.0)
    try:
        reader.TransferRoots()
    finally:
        Interface_Static.SetRVal_s(_REGULARITY, angle)
    return reader.OneShape()


def _precision_mm(text: bytes, unit: str) -> float:
    """How exact the file says it is, where parts of it say different things the finest; `unit`: names of its units."""
    found = (_UNCERTAINTY.match(text, place) for place in _places_of(b"UNCERTAINTY_MEASURE_WITH_UNIT", text))
    said = [float(one[1]) for one in found if one]
    sizes_mm = [_UNIT_MM.get(name, 1.0) for name in unit.split(", ")]
    return min((value for value in said if value > 0.0), default=_DEFAULT_PRECISION_MM) * min(sizes_mm)


def _places_of(word: bytes, text: bytes) -> Iterator[int]:
    """Where a word begins, of a few in a long text: an expression takes ten times as long to pass the rest."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + len(word))


def _schema(text: bytes) -> str:
    found = re.search(rb"FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'", text[:65536])
    if not found:
        return "unknown"
    raw = found[1].decode("latin-1").split("{")[0].strip()
    return next((short for key, short in _SCHEMAS if raw.upper().startswith(key)), raw)


def _length_unit(reader: STEPControl_Reader, text: bytes) -> str:
    lengths, angles, solid_angles = (Sequence_TCollection_AsciiString() for _ in range(3))
    reader.FileUnits(lengths, angles, solid_angles)
    told = [common_name(lengths.Value(index).ToCString()) for index in range(1, lengths.Length() + 1)]
    names = dict.fromkeys(name for name in told if name not in ("", "unknown"))
    return ", ".join(names or length_units(text)) or "unknown"
