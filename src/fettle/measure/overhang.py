"""Overhangs against a build direction: down-facing faces that would be printed into the air."""

from __future__ import annotations

import numpy as np

from fettle.measure.context import MeasureContext
from fettle.measure.readings import Overhang, Triple

VERTICAL_DEG = 0.5
"""A wall within this angle of the build direction does not hang over."""
LEAST_AREA_MM2 = 2.0
ON_PLATE = 1e-4
"""Height above the lowest point, as a share of the diagonal, up to which a face lies on the plate."""


def measure_overhang(context: MeasureContext, build: Triple) -> Overhang:
    """The flattest down-facing angle of each face."""
    part, mesh = context.part, context.mesh
    up = np.asarray(build)
    slope = 90.0 - np.degrees(np.arcsin(np.clip(-(mesh.normals @ up), -1.0, 1.0)))
    height = mesh.points @ up
    resting = (height - height.min() <= ON_PLATE * part.diagonal_mm) & (slope < VERTICAL_DEG)
    hanging = (slope < 90.0 - VERTICAL_DEG) & ~resting
    area = context.area_by_face(hanging)
    flattest = np.full(len(part.faces), np.inf)
    np.minimum.at(flattest, mesh.point_face[hanging], slope[hanging])
    return Overhang(np.where(np.isfinite(flattest) & (area >= LEAST_AREA_MM2), flattest, np.nan))
