"""What kernel children hand back: plain data, in a module that does not import the kernel for whoever reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

CHILD_MODULE = "fettle.app.kernel_tasks.job_analysis"
"""What every child of a service may have to run; loaded once, before the first of them."""

PREVIEW = "fettle.app.kernel_tasks.preview:preview"
"""What makes a `Preview`; by name, so that only children import the kernel."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What quick-info and convert tell of a part. `geometry` as in quick-info; `format` as users see it (STEP, GLB);
    `model`: pickled, for the analysis."""

    geometry: dict[str, Any]
    stats: dict[str, int]
    glb: bytes
    format: str
    warnings: tuple[str, ...]
    model: bytes


@dataclass(frozen=True, slots=True)
class JobOutput:
    """Files of a finished analysis by name, and the pickled model where it was read here."""

    files: dict[str, bytes]
    model: bytes | None = None


@dataclass(frozen=True, slots=True)
class FileOutput:
    """A result in the API's shape, and the pickled analysis it was judged on."""

    result: dict[str, Any]
    analysis: bytes


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """Faces (numbers from 0) to point at in a picture; none: the whole part. `severity`: warning or fail."""

    faces: tuple[int, ...]
    severity: str


@dataclass(frozen=True, slots=True)
class ReportPictures:
    """GLBs by the viewer's names, and PNGs: both sides of the whole part, and one for every mark."""

    glbs: dict[str, bytes]
    whole: tuple[bytes, ...]
    details: tuple[bytes, ...]


def quoted_geometry(geometry: dict[str, Any]) -> dict[str, Any]:
    """A preview's geometry in the shape that convert answers and quotes take."""
    box = geometry["bounding_box_mm"]
    return {
        "volume_cm3": geometry["volume_cm3"],
        "surface_area_cm2": geometry["surface_area_cm2"],
        "bounding_box": {"x_mm": box["x"], "y_mm": box["y"], "z_mm": box["z"]},
    }
