"""Kernel tasks that read a part file and measure nothing: its size, counts and preview.

Importing this module imports the kernel; it is called through `tasks`, by name.
"""

from __future__ import annotations

from dataclasses import asdict

from fettle.app.body_entries import listed_body
from fettle.app.build_pmi import pmi_report
from fettle.app.kernel_tasks.messages import Preview
from fettle.app.kernel_tasks.pickles import to_pickle
from fettle.app.options import JobOptions
from fettle.app.pattern_entries import patterns_of
from fettle.assembly import identify_bodies
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.recognize import recognize
from fettle.results import FileDescription, FileStatistics, PartStatistics, PieceToQuote
from fettle.results.part import geometry_of


def describe_file(data: bytes, filename: str, units: str | None) -> FileDescription:
    """Size and counts of a part, and what else is known of it and its file."""
    model = load(data, filename, units=units)
    part = model.part
    recognition = recognize(part)
    features = recognition.features
    return FileDescription(
        geometry=geometry_of(part),
        stats=FileStatistics(**asdict(_counts(model, len(features))), n_faces=len(part.faces), n_edges=len(part.edges)),
        bodies=len(part.bodies),
        body_list=tuple(listed_body(body) for body in identify_bodies(model)),
        voids=part.void_count,
        watertight=part.watertight,
        format=part.source.format,
        schema=part.source.schema,
        length_unit=part.source.length_unit,
        exact=part.source.exact,
        warnings=part.source.warnings,
        pmi=pmi_report(part, features),
        patterns=patterns_of(recognition),
    )


def preview(data: bytes, filename: str, options: JobOptions) -> Preview:
    """Reads a part and writes its GLB; the pickled model saves the next task from reading it again."""
    model = load(data, filename, options.mesh(), options.units)
    return Preview(
        geometry=geometry_of(model.part),
        stats=_counts(model, len(recognize(model.part).features)),
        glb=write_glb(model.mesh, edges=[edge.points for edge in model.part.edges], closed=model.part.watertight),
        format=model.part.source.format,
        warnings=model.part.source.warnings,
        model=to_pickle(model),
        pieces=_pieces(model),
    )


def _pieces(model: Model) -> tuple[PieceToQuote, ...] | None:
    if len(model.part.bodies) < 2:
        return None
    listed = (listed_body(body) for body in identify_bodies(model))
    return tuple(PieceToQuote(one.body, one.name, one.count, one.geometry.quoted()) for one in listed if one.made)


def _counts(model: Model, n_features: int) -> PartStatistics:
    return PartStatistics(
        n_features=n_features,
        n_vertices=len(model.mesh.points),
        n_triangles=len(model.mesh.triangles),
    )
