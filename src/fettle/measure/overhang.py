"""Overhang angles against a build direction: down-facing faces that nothing below supports while they are printed."""

from __future__ import annotations

import numpy as np

from fettle.measure.context import MeasureContext, sum_by
from fettle.measure.readings import Overhang, Triple

VERTICAL_DEG = 0.5
"""A wall within this angle of the build direction is vertical, and a face within this angle of the plate is flat."""
MIN_OVERHANG_MM2 = 2.0
"""Smallest down-facing area of a face that counts as an overhang; less is a sliver."""
PLATE_HEIGHT = 1e-4
"""Height above the lowest point, as a fraction of the diagonal, up to which a flat face rests on the plate."""


def measure_overhang(context: MeasureContext, build: Triple) -> Overhang:
    """Measure the flattest down-facing angle to the plate of each face, printed along the direction `build`."""
    part, mesh = context.part, context.mesh
    up = np.asarray(build)
    falling, height = -(mesh.normals @ up), mesh.points @ up
    rows = np.flatnonzero(falling > 0.0)
    slope = 90.0 - np.degrees(np.arcsin(np.minimum(falling[rows], 1.0)))
    resting = (height[rows] - height.min() <= PLATE_HEIGHT * part.diagonal_mm) & (slope < VERTICAL_DEG)
    overhanging = (slope < 90.0 - VERTICAL_DEG) & ~resting
    rows, faces = rows[overhanging], mesh.point_face[rows[overhanging]]
    area = sum_by(faces, context.area_mm2[rows], len(part.faces))
    flattest = np.full(len(part.faces), np.inf)
    np.minimum.at(flattest, faces, slope[overhanging])
    return Overhang(np.where(np.isfinite(flattest) & (area >= MIN_OVERHANG_MM2), flattest, np.nan))
