"""What a part file holds, in the shape that users see. Touches the kernel: call it through the sandbox, by name."""

from __future__ import annotations

from typing import Any

from fettle.geometry.glb import write_glb
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.recognize import recognize


def survey(data: bytes, filename: str, units: str = "m") -> dict[str, Any]:
    """Geometry as quick-info gives it, and what else is known without measuring."""
    return _describe(load(data, filename, units=units))


def preview(data: bytes, filename: str, units: str = "m") -> tuple[dict[str, Any], bytes]:
    """Geometry as convert gives it, and the part as GLB."""
    model = load(data, filename, units=units)
    x, y, z = model.part.size_mm.tolist()
    geometry = {
        "volume_cm3": model.part.volume_mm3 / 1e3,
        "surface_area_cm2": model.part.area_mm2 / 1e2,
        "bounding_box": {"x_mm": x, "y_mm": y, "z_mm": z},
        "warnings": list(model.part.source.warnings),
    }
    return geometry, write_glb(model.mesh, edges=[edge.points for edge in model.part.edges])


def _describe(model: Model) -> dict[str, Any]:
    part, mesh = model.part, model.mesh
    x, y, z = part.size_mm.tolist()
    return {
        "geometry": {
            "volume_cm3": part.volume_mm3 / 1e3,
            "surface_area_cm2": part.area_mm2 / 1e2,
            "bounding_box_mm": {"x": x, "y": y, "z": z},
        },
        "stats": {
            "n_features": len(recognize(part).features),
            "n_vertices": len(mesh.points),
            "n_triangles": len(mesh.triangles),
            "n_faces": len(part.faces),
            "n_edges": len(part.edges),
        },
        "bodies": len(part.bodies),
        "voids": part.void_count,
        "watertight": part.watertight,
        "format": part.source.format,
        "schema": part.source.schema,
        "length_unit": part.source.length_unit,
        "exact": part.source.exact,
        "warnings": list(part.source.warnings),
    }
