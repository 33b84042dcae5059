"""What kernel tasks return: plain data, in a module that imports neither the kernel nor numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a worker hands its results on as bytes and needs none of their types
    from fettle.results import AnalysisResult, PartGeometry, PartStatistics, PieceToQuote


@dataclass(frozen=True, slots=True)
class Preview:
    """Size, counts and GLB of a part. `format` as users see it (STEP, GLB); `model`: pickled, for the analysis;
    `pieces`: the bodies of an assembly that are made, None for a single body."""

    geometry: PartGeometry
    stats: PartStatistics
    glb: bytes
    format: str
    warnings: tuple[str, ...]
    model: bytes
    pieces: tuple[PieceToQuote, ...] | None


@dataclass(frozen=True, slots=True)
class JobOutput:
    """Files of a finished analysis by name, those alone that it changed where it began with another analysis; and the
    pickled model where the task read it."""

    files: dict[str, bytes]
    model: bytes | None = None


@dataclass(frozen=True, slots=True)
class FileOutput:
    """A result and the pickled analysis it was judged on."""

    result: AnalysisResult
    analysis: bytes


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """Faces (numbers from 0) to point at in a picture; none: the whole part. `severity`: warning or fail."""

    faces: tuple[int, ...]
    severity: str


@dataclass(frozen=True, slots=True)
class ReportPictures:
    """GLBs by the viewer's names, and PNGs: both sides of the whole part, and one for every request."""

    glbs: dict[str, bytes]
    whole: tuple[bytes, ...]
    details: tuple[bytes, ...]
