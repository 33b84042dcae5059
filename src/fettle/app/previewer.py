"""In a kernel child: a file to its geometry, its number of features, and a GLB to look at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fettle.geometry.glb import write_glb
from fettle.geometry.load import load
from fettle.geometry.mesh import MeshOptions
from fettle.recognize import recognize


@dataclass(frozen=True, slots=True)
class Preview:
    """`size_mm`: side lengths of the box. The mesh numbers are those of the GLB."""

    volume_mm3: float
    area_mm2: float
    size_mm: tuple[float, float, float]
    n_features: int
    n_vertices: int
    n_triangles: int
    format: str
    warnings: tuple[str, ...]
    glb: bytes


def preview(path: Path, filename: str, units: str) -> Preview:
    """Read a part file; `units` is the length unit of a glTF."""
    model = load(path.read_bytes(), filename, MeshOptions(), units)
    part, mesh = model.part, model.mesh
    x, y, z = (float(side) for side in part.size_mm)
    return Preview(
        volume_mm3=part.volume_mm3,
        area_mm2=part.area_mm2,
        size_mm=(x, y, z),
        n_features=len(recognize(part).features),
        n_vertices=len(mesh.points),
        n_triangles=len(mesh.triangles),
        format=part.source.format,
        warnings=part.source.warnings,
        glb=write_glb(mesh, edges=[edge.points for edge in part.edges]),
    )
