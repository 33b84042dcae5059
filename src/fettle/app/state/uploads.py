"""An uploaded part file: written to a temporary file as it arrives, hashed, and refused above the limit."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from fettle.app.errors import BadUpload, TooLarge
from fettle.app.settings import MEBIBYTE
from fettle.errors import FettleError
from fettle.geometry.file_formats import HTTP_EXTENSIONS, identify

_HEAD_BYTES = 64 * 1024
_UNWANTED = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Upload:
    """A whole file, at `path` for as long as its `Incoming` is open."""

    filename: str
    path: Path
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """One of several files that was not taken, and why."""

    filename: str
    error: FettleError


def bare_name(filename: str) -> str:
    """A name without folders and control characters, of at most 255 characters."""
    return _UNWANTED.sub("", filename.replace("\\", "/").rsplit("/", 1)[-1]).strip()[-255:]


def check_filename(filename: str) -> str:
    """The bare name of the file; refuses one whose extension we do not read."""
    bare = bare_name(filename)
    extension = Path(bare).suffix.lower()
    if extension not in HTTP_EXTENSIONS:
        accepted = ", ".join(HTTP_EXTENSIONS)
        raise BadUpload(f"{bare or 'The file'} has the extension {extension!r}; accepted are {accepted}.")
    return bare


def too_large(limit_bytes: int) -> TooLarge:
    """The error for a file above the limit."""
    return TooLarge(f"The file is larger than {limit_bytes / MEBIBYTE:g} MB ({limit_bytes} bytes); send a smaller one.")


class Incoming:
    """Takes a file chunk by chunk. Use it in a `with`: the temporary file is gone at its end."""

    def __init__(self, filename: str, limit_bytes: int) -> None:
        self.filename = check_filename(filename)
        self._limit_bytes = limit_bytes
        self._hash = hashlib.sha256()
        self._size_bytes = 0
        # The name keeps its extension: it tells a reader the format.
        number, path = tempfile.mkstemp(prefix="fettle-", suffix=Path(self.filename).suffix.lower())
        self._path = Path(path)
        self._file = os.fdopen(number, "wb")

    def write(self, chunk: bytes) -> None:
        """Take the next bytes; refuses as soon as the limit is passed."""
        self._size_bytes += len(chunk)
        if self._size_bytes > self._limit_bytes:
            raise too_large(self._limit_bytes)
        self._hash.update(chunk)
        self._file.write(chunk)

    def finish(self) -> Upload:
        """The complete file; BadUpload when it is empty, NotThatFormat when its bytes are plainly of another format."""
        if self._size_bytes == 0:
            raise BadUpload(f"The file {self.filename} is empty; send one with content.")
        self._file.flush()
        with self._path.open("rb") as written:
            identify(written.read(_HEAD_BYTES), self.filename)
        return Upload(self.filename, self._path, self._size_bytes, self._hash.hexdigest())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)
