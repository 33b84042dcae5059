"""Measured fields as GLB files: numbers and colors at every point. `closed`: whether the part is watertight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.gltf.writer import Field, Scale, write_glb
from fettle.geometry.mesh import Mesh
from fettle.measure.readings import Draft, WallField

DRAFT_RANGE_DEG = 15.0
"""End of the draft scale: beyond it nobody asks how much draft a wall has."""


def _length_field(attribute: str, values: NDArray[np.float64]) -> Field:
    reads = values[np.isfinite(values)]
    low, high = (0.0, 1.0) if len(reads) == 0 else (float(reads.min()), float(np.quantile(reads, 0.95)))
    return Field(attribute, values, Scale.LENGTH_MM, low, max(high, np.nextafter(low, np.inf)))


def thickness_glb(mesh: Mesh, thickness: WallField, closed: bool) -> bytes:
    return write_glb(mesh, field=_length_field("_THICKNESS", thickness.value_mm), closed=closed)


def clearance_glb(mesh: Mesh, clearance: WallField, closed: bool) -> bytes:
    return write_glb(mesh, field=_length_field("_CLEARANCE", clearance.value_mm), closed=closed)


def draft_glb(mesh: Mesh, draft: Draft, closed: bool) -> bytes:
    """Signed draft; points that no mold half releases are told in the asset's extras by their number."""
    field = Field("_DRAFT", draft.signed_deg, Scale.ANGLE_DEG, -DRAFT_RANGE_DEG, DRAFT_RANGE_DEG)
    extras = {"pull": list(draft.pull), "undercut_points": int(draft.undercut.sum())}
    return write_glb(mesh, field=field, extras=extras, closed=closed)
