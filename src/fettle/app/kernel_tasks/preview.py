"""Kernel tasks that read a part file and measure nothing: its size, counts and preview.

Importing this module imports the kernel; it is called through `tasks`, by name.
"""

from __future__ import annotations

import pickle
from dataclasses import asdict

from fettle.app.kernel_tasks.messages import Preview
from fettle.app.options import JobOptions
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.recognize import recognize
from fettle.results import FileDescription, FileStatistics, PartStatistics
from fettle.results.part import geometry_of


def describe_file(data: bytes, filename: str, units: str | None) -> FileDescription:
    """Size and counts of a part, and what else is known of it and its file."""
    model = load(data, filename, units=units)
    part = model.part
    return FileDescription(
        geometry=geometry_of(part),
        stats=FileStatistics(**asdict(_counts(model)), n_faces=len(part.faces), n_edges=len(part.edges)),
        bodies=len(part.bodies),
        voids=part.void_count,
        watertight=part.watertight,
        format=part.source.format,
        schema=part.source.schema,
        length_unit=part.source.length_unit,
        exact=part.source.exact,
        warnings=part.source.warnings,
    )


def preview(data: bytes, filename: str, options: JobOptions) -> Preview:
    """Reads a part and writes its GLB; the pickled model saves the next task from reading it again."""
    model = load(data, filename, options.mesh(), options.units)
    return Preview(
        geometry=geometry_of(model.part),
        stats=_counts(model),
        glb=write_glb(model.mesh, edges=[edge.points for edge in model.part.edges], closed=model.part.watertight),
        format=model.part.source.format,
        warnings=model.part.source.warnings,
        model=pickle.dumps(model, protocol=5),
    )


def _counts(model: Model) -> PartStatistics:
    return PartStatistics(
        n_features=len(recognize(model.part).features),
        n_vertices=len(model.mesh.points),
        n_triangles=len(model.mesh.triangles),
    )
