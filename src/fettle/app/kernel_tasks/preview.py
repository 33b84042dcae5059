"""What a part file holds, before anything is measured. Touches the kernel: call it through the sandbox, by name."""

from __future__ import annotations

import pickle
from typing import Any

from fettle.app import result_json
from fettle.app.kernel_tasks.messages import Preview
from fettle.app.options import JobOptions
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.recognize import recognize


def describe_file(data: bytes, filename: str, units: str | None = None) -> dict[str, Any]:
    """Geometry and counts as quick-info gives them, and what else is known of the part and its file."""
    model = load(data, filename, units=units)
    part = model.part
    return {
        "geometry": result_json.geometry(part),
        "stats": {**_counts(model), "n_faces": len(part.faces), "n_edges": len(part.edges)},
        "bodies": len(part.bodies),
        "voids": part.void_count,
        "watertight": part.watertight,
        "format": part.source.format,
        "schema": part.source.schema,
        "length_unit": part.source.length_unit,
        "exact": part.source.exact,
        "warnings": list(part.source.warnings),
    }


def preview(data: bytes, filename: str, options: JobOptions) -> Preview:
    """Read a part and show it; the model itself comes along for the analysis that may follow."""
    model = load(data, filename, options.mesh(), options.units)
    return Preview(
        geometry=result_json.geometry(model.part),
        stats=_counts(model),
        glb=write_glb(model.mesh, edges=[edge.points for edge in model.part.edges], closed=model.part.watertight),
        format=model.part.source.format,
        warnings=model.part.source.warnings,
        model=pickle.dumps(model, protocol=5),
    )


def _counts(model: Model) -> dict[str, int]:
    return {
        "n_features": len(recognize(model.part).features),
        "n_vertices": len(model.mesh.points),
        "n_triangles": len(model.mesh.triangles),
    }
