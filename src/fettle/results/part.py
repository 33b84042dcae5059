"""Size of a part, and the answers of quick-info and convert."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from fettle.results.record import Format, JsonObject, Record, reading, rounded

if TYPE_CHECKING:
    from fettle.geometry.part import Part

SAME_VOLUME = 1e-6
"""Share of a volume up to which its uncertainty is left out of a result."""

_GLB_URL = "https://fettle.example/files/previews/Br-EporoEmNe7JqPQUSLfQ/preview.glb"


@dataclass(frozen=True, slots=True)
class BoxSides(Record):
    """Side lengths of an axis-aligned box in mm."""

    x: Annotated[float, "Size along x, mm."]
    y: Annotated[float, "Size along y, mm."]
    z: Annotated[float, "Size along z, mm."]


@dataclass(frozen=True, slots=True)
class QuotedBox(Record):
    """Side lengths of an axis-aligned box."""

    x_mm: Annotated[float, "Size along x."]
    y_mm: Annotated[float, "Size along y."]
    z_mm: Annotated[float, "Size along z."]


@dataclass(frozen=True, slots=True)
class QuotedGeometry(Record):
    """Size of a part as convert answers it and quotes take it."""

    volume_cm3: Annotated[float | None, "Volume; null where it cannot be told."]
    surface_area_cm2: Annotated[float | None, "Surface area; null where it cannot be told."]
    bounding_box: Annotated[QuotedBox, "Axis-aligned bounding box."]


@dataclass(frozen=True, slots=True)
class PartGeometry(Record):
    """Size of a part as quick-info and results give it."""

    volume_cm3: Annotated[float | None, "Volume; null where it cannot be told, and a warning says why."]
    surface_area_cm2: Annotated[float | None, "Surface area; null where it cannot be told, and a warning says why."]
    bounding_box_mm: Annotated[BoxSides, "Axis-aligned bounding box."]
    volume_uncertainty_cm3: Annotated[
        float | None,
        "How far off the volume may be because edges of the file lie off their faces; left out up to a millionth of "
        "the volume.",
    ] = None

    @property
    def size_mm(self) -> tuple[float, float, float]:
        box = self.bounding_box_mm
        return box.x, box.y, box.z

    def quoted(self) -> QuotedGeometry:
        """The same numbers under the names that convert and quotes use."""
        return QuotedGeometry(self.volume_cm3, self.surface_area_cm2, QuotedBox(*self.size_mm))


def geometry_of(part: Part, size_mm: Iterable[float] | None = None) -> PartGeometry:
    """Volume, area and box of a part, with nine significant digits; `size_mm`: sides of another box."""
    x, y, z = (rounded(side) for side in (part.size_mm if size_mm is None else size_mm))
    off_mm3 = part.volume_uncertainty_mm3
    off_cm3 = reading(off_mm3 / 1e3) if off_mm3 > SAME_VOLUME * part.volume_mm3 else None
    return PartGeometry(reading(part.volume_mm3 / 1e3), reading(part.area_mm2 / 1e2), BoxSides(x, y, z), off_cm3)


@dataclass(frozen=True, slots=True)
class PartStatistics(Record):
    """Counts of a part and of its preview."""

    n_features: Annotated[int, "Recognized features."]
    n_vertices: Annotated[int, "Vertices of the preview mesh."]
    n_triangles: Annotated[int, "Triangles of the preview mesh."]


@dataclass(frozen=True, slots=True)
class FileStatistics(Record):
    """Counts of a part, of its preview, and of its boundary."""

    n_features: Annotated[int, "Recognized features."]
    n_vertices: Annotated[int, "Vertices of the preview mesh."]
    n_triangles: Annotated[int, "Triangles of the preview mesh."]
    n_faces: Annotated[int, "Faces of the part."]
    n_edges: Annotated[int, "Edges of the part."]


@dataclass(frozen=True, slots=True)
class QuickInfo(Record):
    """Size, preview and counts of a part."""

    EXAMPLE: ClassVar[JsonObject] = {
        "geometry": {
            "volume_cm3": 69.644,
            "surface_area_cm2": 115.854,
            "bounding_box_mm": {"x": 60.0, "y": 40.0, "z": 30.0},
        },
        "glb_url": _GLB_URL,
        "stats": {"n_features": 7, "n_vertices": 216, "n_triangles": 208},
    }

    geometry: Annotated[PartGeometry, "Size of the part."]
    glb_url: Annotated[str, "Public address of the preview.", Format("uri")]
    stats: Annotated[PartStatistics, "Counts."]


@dataclass(frozen=True, slots=True)
class PieceToQuote(Record):
    """A body of an assembly that is made, to be sent with a quote."""

    body: Annotated[int, "Number of the body in the file's order, from 1."]
    name: Annotated[str, "Name of the body."]
    count: Annotated[int, "Pieces in one assembly."]
    geometry: Annotated[QuotedGeometry, "Size of one piece."]


@dataclass(frozen=True, slots=True)
class Conversion(Record):
    """Size and preview of a part that is to be quoted."""

    EXAMPLE: ClassVar[JsonObject] = {
        "geometry": {
            "volume_cm3": 69.644,
            "surface_area_cm2": 115.854,
            "bounding_box": {"x_mm": 60.0, "y_mm": 40.0, "z_mm": 30.0},
        },
        "glb_base64": "Z2xURgIAAAA...",
        "glb_url": _GLB_URL,
    }

    geometry: Annotated[QuotedGeometry, "Size of the part, to be sent with a quote."]
    glb_base64: Annotated[str, "The preview (binary glTF) as base64."]
    glb_url: Annotated[str, "Public address of the same preview.", Format("uri")]
    bodies: Annotated[
        tuple[PieceToQuote, ...] | None, "Bodies of an assembly that are made; left out for a single body."
    ] = None
