"""Files beside the database: a local folder by default, any object store by one address.

Two kinds of names. `jobs/TOKEN/NAME` belongs to one job and goes with it; TOKEN is what its public addresses show, so
it cannot be guessed. `derived/KEY/NAME` is computed from an input alone; KEY is a hash of everything that it depends
on, so whoever writes it again writes the same bytes, and whoever misses it can compute it anew.

Everything is stored compressed; files that are read seldom share a bundle (see `compression`). Beside nodes of version
0.1 a store is plain: what it stores, it stores as it is. Every write is atomic: a reader sees the whole old content or
the whole new one.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.store import LocalStore, ObjectStore, from_url

from fettle.app.errors import NotFound
from fettle.app.settings import Settings
from fettle.app.state.compression import compress, decompress, is_compressed, join, split

if TYPE_CHECKING:
    from obstore.store import RetryConfig

CHUNK_BYTES = 1024 * 1024
RETRIES: RetryConfig = {"max_retries": 4, "retry_timeout": timedelta(seconds=15)}
"""Of an object store that does not answer. The library's three minutes are longer than callers wait."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file to send: its size, and its bytes chunk by chunk."""

    size_bytes: int
    chunks: Iterator[bytes]


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is stored: its name, its size as it is stored, and when it was last written."""

    name: str
    size_bytes: int
    written_at: datetime


class Files:
    def __init__(self, store: ObjectStore, plain: bool) -> None:
        self._store = store
        self.plain = plain

    def write(self, name: str, data: bytes | Path) -> None:
        """Store these bytes, or this file's, under `name`; what was there is replaced."""
        content = data.read_bytes() if isinstance(data, Path) else data
        # An upload that is a compressed frame itself would be taken for one of ours when it is read.
        as_it_is = self.plain and not is_compressed(content)
        obstore.put(self._store, name, content if as_it_is else compress(content))

    def write_bundle(self, name: str, members: Mapping[str, bytes]) -> None:
        """Store several files as one."""
        self.write(name, join(members))

    def read_bundle(self, name: str) -> dict[str, bytes]:
        """The files of a bundle; NotFound when there is none."""
        return split(self.read(name))

    def read(self, name: str) -> bytes:
        """The whole content; NotFound when there is none."""
        return decompress(self.read_stored(name))

    def stream(self, name: str) -> Stored:
        """The content chunk by chunk; NotFound when there is none."""
        return in_chunks(self.read(name))

    def exists(self, name: str) -> bool:
        try:
            obstore.head(self._store, name)
        except FileNotFoundError:
            return False
        return True

    def entries(self, folder: str) -> list[StoredFile]:
        """Every file under `folder`."""
        return [
            StoredFile(entry["path"], entry["size"], entry["last_modified"])
            for page in obstore.list(self._store, folder)
            for entry in page
        ]

    def remove(self, names: Iterable[str]) -> int:
        """Delete these files; returns how many."""
        count = 0
        for name in names:
            count += 1
            try:
                obstore.delete(self._store, name)
            except FileNotFoundError:
                continue  # somebody else removed it in the meantime; it is gone, as was asked
        return count

    def remove_all(self, folder: str) -> int:
        """Delete everything under `folder`; returns how many files."""
        return self.remove(entry.name for entry in self.entries(folder))

    def read_stored(self, name: str) -> bytes:
        """The bytes as they are stored, for a copy; NotFound when there are none."""
        try:
            return bytes(obstore.get(self._store, name).bytes())
        except FileNotFoundError as error:
            raise _missing() from error

    def write_stored(self, name: str, stored: bytes) -> None:
        """Store bytes that `read_stored` gave."""
        obstore.put(self._store, name, stored)


def in_chunks(data: bytes) -> Stored:
    """Bytes to send."""
    return Stored(len(data), (data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)))


def open_files(settings: Settings) -> Files:
    """The store that the settings name. Credentials and endpoints of an object store come from its own variables."""
    if settings.storage_url:
        return Files(from_url(settings.storage_url, retry_config=RETRIES), settings.store_plain)
    folder = settings.data_dir.resolve() / "files"
    return Files(LocalStore(folder, mkdir=True, automatic_cleanup=True), settings.store_plain)


def new_token() -> str:
    """128 random bits as 22 url-safe characters."""
    return secrets.token_urlsafe(16)


def derived_key(*parts: str | float | int | None) -> str:
    """The hash of everything that derived data depends on."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _missing() -> NotFound:
    return NotFound("No such file: it has expired, or never existed.")
