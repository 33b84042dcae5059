"""Previews: geometry and GLB of a file, computed once for the same bytes and stored for some days.

A preview is found by its content (`derived/KEY/preview.json`); its GLB has a random name of its own,
because its address needs no key and must not be guessed from the file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from fettle.app.errors import NotFound
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.state.files import Files, Stored, new_token
from fettle.app.state.uploads import Upload
from fettle.app.work.pipeline import make_preview, model_folder
from fettle.results import PartGeometry, PartStatistics, PieceToQuote, Record, encode

GLB = "preview.glb"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True, slots=True)
class StoredPreview(Record):
    """A stored preview. `token`: the random part of the GLB's address; `stored_at`: when it was last written."""

    geometry: PartGeometry
    stats: PartStatistics
    format: str
    token: str
    stored_at: datetime
    pieces: tuple[PieceToQuote, ...] | None = None


class Previews:
    """Makes previews, or finds those made before."""

    def __init__(self, settings: Settings, files: Files) -> None:
        self._settings = settings
        self._files = files

    def make(self, upload: Upload, units: str = "m") -> StoredPreview:
        """The preview of a file; it runs the kernel only where the same bytes were not seen before."""
        options = JobOptions(units=units)
        place = f"{model_folder(self._settings, upload.sha256, upload.filename, options)}/preview.json"
        found = self._find(place)
        if found is not None:
            return found
        made = make_preview(self._files, self._settings, upload, options)
        head = (made.geometry, made.stats, made.format)
        return self._keep(place, StoredPreview(*head, new_token(), datetime.now(UTC), made.pieces), made.glb)

    def glb(self, token: str) -> bytes:
        """The GLB of a preview; NotFound when it has expired."""
        return self._files.read(_glb_name(token))

    def stream(self, token: str, name: str) -> Stored:
        """The same, chunk by chunk."""
        if name != GLB or not _TOKEN.fullmatch(token):
            raise NotFound("No such file: it has expired, or never existed.")
        return self._files.stream(_glb_name(token))

    def _find(self, place: str) -> StoredPreview | None:
        try:
            kept = StoredPreview.from_dict(json.loads(self._files.read(place)))
            age = datetime.now(UTC) - kept.stored_at
            if age > timedelta(days=self._settings.preview_days) / 2:
                # An address that is handed out today must work for days: write it anew, so that it counts as young.
                return self._keep(place, kept, self.glb(kept.token))
        except NotFound:
            return None
        return kept

    def _keep(self, place: str, kept: StoredPreview, glb: bytes) -> StoredPreview:
        kept = replace(kept, stored_at=datetime.now(UTC))
        self._files.write(_glb_name(kept.token), glb)
        self._files.write(place, encode(kept.to_dict()))
        return kept


def _glb_name(token: str) -> str:
    return f"previews/{token}/{GLB}"
