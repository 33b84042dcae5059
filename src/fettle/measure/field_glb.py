"""Measured fields as GLB files: values and colors at every mesh point. `closed`: whether the part is watertight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.gltf.writer import Field, Scale, write_glb
from fettle.geometry.mesh import Mesh
from fettle.measure.readings import Draft, WallField

DRAFT_RANGE_DEG = 15.0
"""End of the color scale: a wall with more draft releases easily, however much more it has."""
SCALE_QUANTILE = 0.95
"""End of the color scale of lengths: a few very thick places would leave no color to the thin ones."""


def _length_field(attribute: str, values: NDArray[np.float64]) -> Field:
    """GLB vertex attribute of lengths (n,) in mm, colored from the smallest to the `SCALE_QUANTILE`."""
    known = values[np.isfinite(values)]
    low, high = (0.0, 1.0) if len(known) == 0 else (float(known.min()), float(np.quantile(known, SCALE_QUANTILE)))
    return Field(attribute, values, Scale.LENGTH_MM, low, max(high, np.nextafter(low, np.inf)))


def thickness_glb(mesh: Mesh, thickness: WallField, closed: bool) -> bytes:
    """Wall thickness in mm as the attribute `_THICKNESS`."""
    return write_glb(mesh, field=_length_field("_THICKNESS", thickness.value_mm), closed=closed)


def clearance_glb(mesh: Mesh, clearance: WallField, closed: bool) -> bytes:
    """Clearance in mm as the attribute `_CLEARANCE`."""
    return write_glb(mesh, field=_length_field("_CLEARANCE", clearance.value_mm), closed=closed)


def draft_glb(mesh: Mesh, draft: Draft, closed: bool) -> bytes:
    """Signed draft in degrees as the attribute `_DRAFT`; the asset's extras hold the number of undercut points."""
    field = Field("_DRAFT", draft.signed_deg, Scale.ANGLE_DEG, -DRAFT_RANGE_DEG, DRAFT_RANGE_DEG)
    extras = {"pull": list(draft.pull), "undercut_points": int(draft.undercut.sum())}
    return write_glb(mesh, field=field, extras=extras, closed=closed)
