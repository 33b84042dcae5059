"""IGES (fixed-format ASCII), read by the geometry kernel; loose trimmed surfaces are sewn into solids as those of STEP
are."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fettle.errors import Damaged, NoSolid
from fettle.geometry.reader import Reader

if TYPE_CHECKING:
    from OCP.IGESControl import IGESControl_Reader
    from OCP.IGESData import IGESData_GlobalSection

    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

_START = re.compile(rb"[^\r\n]{72}S[ 0]*1 *[\r\n]")
"""Lines have 80 columns: the section's letter is in column 73, the line's number in the section follows it."""

_END = re.compile(rb"[\r\n][^\r\n]{72}T[ 0]*1\s*$")

_UNIT_NAMES = {
    1: "inch",
    2: "mm",
    4: "foot",
    5: "mile",
    6: "m",
    7: "km",
    8: "mil",
    9: "micron",
    10: "cm",
    11: "microinch",
}
_VERSIONS = {3: "2.0", 4: "3.0", 6: "4.0", 8: "5.0", 9: "5.1", 10: "5.2", 11: "5.3"}
"""Flags of the global section, as the IGES 5.3 specification numbers them."""


def _matches(data: bytes) -> bool:
    return _START.match(data) is not None


def _read(data: bytes, name: str, options: MeshOptions, unit: str) -> Model:
    from fettle.geometry.kernel.healing import solids_in
    from fettle.geometry.kernel.shape_to_part import read_part
    from fettle.geometry.model import Model
    from fettle.geometry.part import Source

    if not _END.search(data[-256:]):
        raise Damaged(f"{name} is truncated: its terminate section is missing after {len(data)} bytes; send it again")
    reader = _parse(data, name)
    reader.TransferRoots()
    shape = reader.OneShape()
    if shape.IsNull():
        raise NoSolid(f"{name} describes no shape (drawings or annotations only); export the 3D solid")
    solids, warnings = solids_in(shape, name)
    header = reader.IGESModel().GlobalSection()
    version = _VERSIONS.get(header.IGESVersion(), "unknown")
    source = Source("IGES", version, _unit_name(header), exact=True, warnings=tuple(warnings))
    return Model(*read_part(solids, options, source, name), options)


def _parse(data: bytes, name: str) -> IGESControl_Reader:
    from OCP.IFSelect import IFSelect_RetDone
    from OCP.IGESControl import IGESControl_Reader
    from OCP.Message import Message

    Message.DefaultMessenger_s().ChangePrinters().Clear()
    reader = IGESControl_Reader()
    # the kernel reads STEP from memory, but IGES only from a file
    with tempfile.TemporaryDirectory(prefix="fettle-") as folder:
        path = Path(folder) / "part.igs"
        path.write_bytes(data)
        if reader.ReadFile(str(path)) != IFSelect_RetDone:
            raise Damaged(f"{name} could not be parsed as IGES; export it again from the CAD system")
    return reader


def _unit_name(header: IGESData_GlobalSection) -> str:
    named = header.UnitName()
    return _UNIT_NAMES.get(header.UnitFlag(), named.ToCString().lower() if named else "unknown")


READERS = (
    Reader(
        name="IGES",
        extensions=(".igs", ".iges"),
        media_type="model/iges",
        matches=_matches,
        mismatch="does not start with the 80-column line of an IGES start section",
        recognized_as="an IGES file; name it .igs",
        read=_read,
        exact=True,
    ),
)
