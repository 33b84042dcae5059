"""The table of file formats, and which of them a file is, by its name and its first bytes."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import PurePath

from fettle.errors import NotThatFormat
from fettle.geometry import readers
from fettle.geometry.reader import BOM, Reader


def _discover() -> tuple[Reader, ...]:
    """Rows of all modules of readers: what the HTTP API takes first, exact formats before triangles, then by module."""
    names = sorted(module.name for module in pkgutil.iter_modules(readers.__path__))
    rows = [row for name in names for row in importlib.import_module(f"{readers.__name__}.{name}").READERS]
    return tuple(sorted(rows, key=lambda row: (not row.over_http, not row.exact)))


READERS = _discover()
"""Every format that the library and the command line read."""

BY_EXTENSION = {extension: row for row in READERS for extension in row.extensions}
EXTENSIONS = tuple(BY_EXTENSION)
HTTP_EXTENSIONS = tuple(extension for extension, row in BY_EXTENSION.items() if row.over_http)
"""Extensions that the HTTP API takes."""

_OTHER_FILES = (
    (b"PK\x03\x04", "a ZIP archive; unpack it and send the file inside"),
    (b"\x1f\x8b", "a gzip archive; unpack it and send the file inside"),
    (b"solid ", "an STL mesh; export STEP or GLB instead"),
    (b"<?xml", "XML; export STEP in its plain text form (ISO 10303-21) instead"),
    (b"%PDF", "a PDF document; export the 3D model instead"),
    (b"\xff\xfe", "UTF-16 text; save it as plain ASCII or UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as plain ASCII or UTF-8"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself; fetch the file and send that"),
)
"""First bytes of files that come under the name of a part file, and what to do about them."""


def identify(data: bytes, filename: str) -> Reader:
    """The row of the extension, if the first bytes agree with it; otherwise a refusal that says what they are."""
    name = PurePath(filename).name or "the file"
    extension = PurePath(filename).suffix.lower()
    promised = BY_EXTENSION.get(extension)
    if promised is None:
        got = f"the extension {extension!r}" if extension else "no extension"
        raise NotThatFormat(f"{name} has {got}; accepted are {', '.join(EXTENSIONS)}")
    if not data.strip():
        raise NotThatFormat(f"{name} is empty; export it again")
    if not promised.matches(data):
        raise NotThatFormat(f"{name} is not a {promised.name} file: it {_describe(data, promised)}")
    return promised


def _describe(data: bytes, promised: Reader) -> str:
    for row in READERS:
        if row is not promised and row.recognized_as and row.matches(data):
            return f"is {row.recognized_as}"
    text = data.removeprefix(BOM)
    for start, what in _OTHER_FILES:
        if text.startswith(start):
            return f"is {what}"
    # What it starts with instead is not repeated: no content of a file goes into an answer or a log.
    return promised.mismatch
