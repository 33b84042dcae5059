"""Previews: the geometry and the picture of a file, made once for the same bytes and kept for a while.

What was made is found by its content (`derived/KEY/preview.json`); the GLB stands under a random name of its own,
because its address needs no key and must not be guessed from the file.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

import fettle
from fettle.app import sandbox
from fettle.app.errors import NotFound
from fettle.app.files import Files, Stored, derived_key, new_token
from fettle.app.sandbox import Limits
from fettle.app.settings import Settings
from fettle.app.uploads import Upload
from fettle.errors import BadRequest, OutOfBounds

CHILD = "fettle.app.previewer:preview"
UNITS_MM = {"m": 1000.0, "mm": 1.0, "cm": 10.0, "in": 25.4}
"""Length units of a glTF that a caller may name, in millimetres."""
GLB = "preview.glb"
ENVELOPE_TOLERANCE_MM = 0.01


@dataclass(frozen=True, slots=True)
class Preview:
    """What a kernel child tells of a file. Here and not there, because to unpickle it must not import the kernel.

    `size_mm`: side lengths of the box. The mesh numbers are those of the GLB.
    """

    volume_mm3: float
    area_mm2: float
    size_mm: tuple[float, float, float]
    n_features: int
    n_vertices: int
    n_triangles: int
    format: str
    warnings: tuple[str, ...]
    glb: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """A preview that can be shown. `token`: the part of its address that nobody can guess."""

    volume_cm3: float
    surface_area_cm2: float
    size_mm: tuple[float, float, float]
    n_features: int
    n_vertices: int
    n_triangles: int
    format: str
    token: str
    kept_at: str


def check_units(units: str) -> str:
    """A length unit we know; refuses another."""
    if units not in UNITS_MM:
        raise BadRequest(f"units is {units!r}; it must be one of {', '.join(UNITS_MM)}.")
    return units


class Previews:
    """Makes previews, or finds those made before."""

    def __init__(self, settings: Settings, files: Files) -> None:
        self._settings = settings
        self._files = files
        self._limits = Limits(settings.kernel_wall_s, settings.kernel_cpu_s, settings.kernel_memory_bytes)

    def make(self, upload: Upload, units: str = "m") -> Kept:
        """The preview of a file; it runs the kernel only where the same bytes were not seen before."""
        extension = upload.path.suffix
        place = f"derived/{derived_key('preview', fettle.__version__, upload.sha256, extension, units)}/preview.json"
        found = self._find(place)
        if found is not None:
            return found
        made: Preview = sandbox.run(CHILD, (upload.path, upload.filename, units), self._limits)
        kept = Kept(
            volume_cm3=made.volume_mm3 / 1000,
            surface_area_cm2=made.area_mm2 / 100,
            size_mm=made.size_mm,
            n_features=made.n_features,
            n_vertices=made.n_vertices,
            n_triangles=made.n_triangles,
            format=made.format,
            token=new_token(),
            kept_at=datetime.now(UTC).isoformat(),
        )
        self._keep(place, kept, made.glb)
        return kept

    def glb(self, token: str) -> bytes:
        """The picture of a preview; refuses when it is no more."""
        return self._files.read(_glb_name(token))

    def stream(self, token: str, name: str) -> Stored:
        """The same, chunk by chunk."""
        if name != GLB:
            raise NotFound("No such file: it has expired, or never was.")
        return self._files.stream(_glb_name(token))

    def expire(self, now: datetime | None = None) -> int:
        """Remove pictures whose time has come; says how many."""
        limit = (now or datetime.now(UTC)) - timedelta(days=self._settings.preview_days)
        return self._files.remove_all("previews", older_than=limit)

    def _find(self, place: str) -> Kept | None:
        try:
            kept = _parse(json.loads(self._files.read(place)))
            age = datetime.now(UTC) - datetime.fromisoformat(kept.kept_at)
            if age > timedelta(days=self._settings.preview_days) / 2:
                # An address that is handed out today must work for days: write it anew, so that it counts as young.
                self._keep(place, kept, self.glb(kept.token))
        except NotFound:
            return None
        return kept

    def _keep(self, place: str, kept: Kept, glb: bytes) -> None:
        self._files.write(_glb_name(kept.token), glb)
        young = asdict(kept) | {"kept_at": datetime.now(UTC).isoformat()}
        self._files.write(place, json.dumps(young).encode())


def check_envelope(kept: Kept, envelope_mm: tuple[float, float, float]) -> None:
    """Refuse a part that fits the casting envelope in no axis-aligned orientation."""
    if not _fits(kept.size_mm, envelope_mm):
        room = " x ".join(f"{side:g}" for side in envelope_mm)
        text = f"The part measures {_size_text(kept.size_mm)} mm and does not fit the casting envelope of {room} mm"
        raise OutOfBounds(f"{text} in any axis-aligned orientation.{_unit_hint(kept, envelope_mm)}")


def check_build_volume(kept: Kept, settings: Settings) -> None:
    """Refuse a part that is too large or too small to analyse."""
    most, least = settings.dfm_max_side_mm, settings.dfm_min_side_mm
    if max(kept.size_mm) > most:
        text = f"The part measures {_size_text(kept.size_mm)} mm; no side may be longer than {most:g} mm."
        raise OutOfBounds(text + _unit_hint(kept, (most, most, most)))
    if min(kept.size_mm) < least:
        raise OutOfBounds(
            f"The part measures {_size_text(kept.size_mm)} mm; no side may be shorter than {least:g} mm. "
            "Check the length unit of the file."
        )


def _fits(size_mm: tuple[float, ...], room_mm: tuple[float, ...]) -> bool:
    pairs = zip(sorted(size_mm), sorted(room_mm), strict=True)
    return all(side <= room + ENVELOPE_TOLERANCE_MM for side, room in pairs)


def _unit_hint(kept: Kept, room_mm: tuple[float, ...]) -> str:
    if kept.format == "STEP" or not _fits(tuple(side / 1000 for side in kept.size_mm), room_mm):
        return ""
    return " Read in millimetres it would fit: if the file was not exported in metres, send the form field units=mm."


def _size_text(size_mm: tuple[float, ...]) -> str:
    return " x ".join(f"{side:.6g}" for side in size_mm)


def _glb_name(token: str) -> str:
    return f"previews/{token}/{GLB}"


def _parse(data: dict[str, Any]) -> Kept:
    x, y, z = data["size_mm"]
    return Kept(**{field.name: data[field.name] for field in fields(Kept)} | {"size_mm": (x, y, z)})
