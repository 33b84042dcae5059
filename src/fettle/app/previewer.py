"""In a kernel child: a file to its geometry, its number of features, and a GLB to look at."""

from __future__ import annotations

from pathlib import Path

from fettle.app.previews import Preview
from fettle.geometry.glb import write_glb
from fettle.geometry.load import load
from fettle.geometry.mesh import MeshOptions
from fettle.geometry.recipe import build
from fettle.recognize import recognize

SAMPLE = {"cut": [{"box": [20, 16, 8]}, {"move": {"of": {"cylinder": {"d": 5, "h": 8}}, "by": [10, 8, 0]}}]}
"""A part to exercise everything with, as `geometry.recipe` builds it."""


def warm_up() -> None:
    """In the fork server: the first use of kernel and compiler costs a second, which no child then pays again."""
    recognize(load(build(SAMPLE), "sample.step").part)


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
