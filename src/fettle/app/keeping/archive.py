"""The archive of a backup: a tar file with the rows of every table, the stored files, and a manifest of both.

`manifest.json` comes last and holds the SHA-256 of every other member, so an archive that was cut short or altered is
known as such before anything of it is used. Rows are JSON lines in plain types: they go into either database.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from fettle.app.errors import BackupRefused

FORMAT = "fettle backup 1"
MANIFEST = "manifest.json"
TABLES, FILES = "tables/", "files/"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`step`: of the database's migrations; `sha256`: member -> hash; `rows`: table -> number."""

    format: str
    version: str
    step: str
    taken_at: str
    rows: dict[str, int]
    sha256: dict[str, str]


class ArchiveWriter:
    """Adds members one after the other and notes their hashes."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.sha256: dict[str, str] = {}

    def add(self, name: str, data: bytes) -> None:
        """Add one member."""
        self.sha256[name] = hashlib.sha256(data).hexdigest()
        self._put(name, data)

    def finish(self, version: str, step: str, rows: dict[str, int]) -> Manifest:
        """Add the manifest, which makes the archive whole."""
        manifest = Manifest(FORMAT, version, step, datetime.now(UTC).isoformat(), rows, self.sha256)
        self._put(MANIFEST, json.dumps(asdict(manifest)).encode())
        return manifest

    def _put(self, name: str, data: bytes) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mtime = len(data), int(datetime.now(UTC).timestamp())
        self._tar.addfile(member, io.BytesIO(data))


@contextmanager
def new_archive(path: Path) -> Iterator[ArchiveWriter]:
    """Write an archive. It appears under its name only when it is whole and on disk."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with unfinished.open("wb") as out:
            with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
                yield ArchiveWriter(tar)
            out.flush()
            os.fsync(out.fileno())
        unfinished.chmod(0o600)  # it holds password hashes
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


class ArchiveReader:
    """Reads an archive that `check` found whole."""

    def __init__(self, tar: tarfile.TarFile, manifest: Manifest) -> None:
        self._tar = tar
        self.manifest = manifest

    def rows(self, table: str) -> Iterator[dict[str, object]]:
        """The rows of a table; none where the archive has no such table."""
        if TABLES + table + ".jsonl" in self.manifest.sha256:
            for line in self._read(TABLES + table + ".jsonl").splitlines():
                yield json.loads(line)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Name and stored bytes of every file."""
        for name in self.manifest.sha256:
            if name.startswith(FILES):
                yield name.removeprefix(FILES), self._read(name)

    def check(self) -> None:
        """Compare every member with its hash; BackupRefused names the first that differs."""
        for name, expected in self.manifest.sha256.items():
            if hashlib.sha256(self._read(name)).hexdigest() != expected:
                raise BackupRefused(f"The backup is damaged: {name} is not what was saved. Use another backup.")

    def _read(self, name: str) -> bytes:
        try:
            member = self._tar.extractfile(name)
        except KeyError as missing:
            raise BackupRefused(f"The backup is damaged: {name} is missing. Use another backup.") from missing
        if member is None:
            raise BackupRefused(f"The backup is damaged: {name} is no file. Use another backup.")
        return member.read()


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveReader]:
    """Open an archive; BackupRefused for anything else, a truncated one too."""
    try:
        with tarfile.open(path, "r:") as tar:
            member = tar.extractfile(MANIFEST)
            if member is None:
                raise KeyError(MANIFEST)
            said = json.load(member)
            if said.get("format") != FORMAT:
                raise BackupRefused(f"{path} has the format {said.get('format')!r}; this version reads {FORMAT!r}.")
            yield ArchiveReader(tar, Manifest(**said))
    except (tarfile.TarError, KeyError, ValueError, TypeError, EOFError) as fault:
        raise BackupRefused(f"{path} is no whole backup: {fault}. Use another one.") from fault
    except OSError as fault:
        raise BackupRefused(f"{path} cannot be read: {fault.strerror or fault}.") from fault
