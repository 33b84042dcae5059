"""Metrics that distinguish a sheet-metal part from a block: constant thickness, mostly plane faces."""

from __future__ import annotations

import numpy as np

from fettle.geometry.part import Plane
from fettle.rules.context import RuleContext
from fettle.rules.registry import RATIO, Answer, Given, Measured, whole_part

SAME_THICKNESS = 0.10
"""Largest relative difference between a thickness reading and the part's median for the reading to count as sheet."""


@whole_part("part.sheet_area_fraction", "ratio", RATIO)
def sheet_area_fraction(context: RuleContext, given: Given) -> Answer:
    """Fraction of the surface whose wall thickness is within a tenth of the part's median."""
    median = context.thickness().median_mm
    if median is None:
        return None
    weights = context.analysis.mesh.point_areas_mm2()
    sheet = np.abs(context.analysis.thickness.value_mm - median) <= SAME_THICKNESS * median
    total = float(weights.sum())
    odd = np.bincount(context.analysis.mesh.point_face, weights=np.where(sheet, 0.0, weights))
    return Measured(float(weights[sheet].sum()) / total, (int(odd.argmax()),) if odd.max() > 0 else ())


@whole_part("part.planar_fraction", "ratio", RATIO)
def planar_fraction(context: RuleContext, given: Given) -> Answer:
    """Fraction of the surface that is plane."""
    curved = [n for n, face in enumerate(context.part.faces) if not isinstance(face.surface, Plane)]
    curved_mm2 = sum(context.face(face).area_mm2 for face in curved)
    largest_first = tuple(sorted(curved, key=lambda face: (-context.face(face).area_mm2, face)))
    return Measured(1.0 - curved_mm2 / context.part.area_mm2, largest_first)
