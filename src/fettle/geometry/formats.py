"""Which format a file is, by its name and its first bytes."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import PurePath

from fettle.errors import NotThatFormat


class Format(Enum):
    """A file format that we read; the value is what users see."""

    STEP = "STEP"
    GLTF = "glTF"
    GLB = "GLB"
    BREP = "BREP"


EXTENSIONS = {
    ".step": Format.STEP,
    ".stp": Format.STEP,
    ".gltf": Format.GLTF,
    ".glb": Format.GLB,
    ".brep": Format.BREP,
    ".brp": Format.BREP,
}
"""Accepted extensions, lower case."""

BOM = b"\xef\xbb\xbf"

_STEP_START = re.compile(rb"(?:\s|/\*.*?\*/)*ISO-10303-21\s*;", re.DOTALL)

BREP_STARTS = (b"DBRep_DrawableShape", b"CASCADE Topology", b"Open CASCADE Topology")
"""First words of the kernel's own text and binary files."""

_STRANGERS = (
    (b"PK\x03\x04", "a ZIP archive; unpack it and send the file inside"),
    (b"\x1f\x8b", "a gzip archive; unpack it and send the file inside"),
    (b"glTF", "a binary glTF; name it .glb"),
    (b"solid ", "an STL mesh; export STEP or GLB instead"),
    (b"<?xml", "XML; export STEP in its plain text form (ISO 10303-21) instead"),
    (b"%PDF", "a PDF document; export the 3D model instead"),
    (b"DBRep_DrawableShape", "an Open CASCADE BREP file; name it .brep"),
    (b"CASCADE Topology", "an Open CASCADE BREP file; name it .brep"),
    (b"\xff\xfe", "UTF-16 text; save it as plain ASCII or UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as plain ASCII or UTF-8"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself; fetch the file and send that"),
)


def identify(data: bytes, filename: str) -> Format:
    """The format that the name promises, once the first bytes agree; otherwise a refusal that says what they are."""
    name = PurePath(filename).name or "the file"
    extension = PurePath(filename).suffix.lower()
    promised = EXTENSIONS.get(extension)
    if promised is None:
        known = ", ".join(EXTENSIONS)
        got = f"the extension {extension!r}" if extension else "no extension"
        raise NotThatFormat(f"{name} has {got}; accepted are {known}")
    if not data.strip():
        raise NotThatFormat(f"{name} is empty; export it again")
    if not _agrees(data, promised):
        raise NotThatFormat(f"{name} is not a {promised.value} file: {_describe(data, promised)}")
    return promised


def _agrees(data: bytes, promised: Format) -> bool:
    text = data.removeprefix(BOM)
    if promised is Format.STEP:
        return _STEP_START.match(text[:65536]) is not None
    if promised is Format.GLB:
        return data.startswith(b"glTF")
    if promised is Format.BREP:
        return data.lstrip().startswith(BREP_STARTS)
    return text.lstrip().startswith(b"{")


def _describe(data: bytes, promised: Format) -> str:
    text = data.removeprefix(BOM)
    if promised is not Format.STEP and _STEP_START.match(text[:65536]):
        return "it is a STEP file; name it .step"
    for start, what in _STRANGERS:
        if text.startswith(start):
            return f"it is {what}"
    if text.lstrip().startswith(b"{"):
        return "it is JSON; a glTF in JSON form is named .gltf"
    # What it starts with instead is not repeated: no content of a file goes into an answer or a log.
    expected = {
        Format.STEP: "ISO-10303-21;",
        Format.GLB: "glTF",
        Format.GLTF: "{",
        Format.BREP: "DBRep_DrawableShape",
    }[promised]
    return f"it does not start with '{expected}'"
