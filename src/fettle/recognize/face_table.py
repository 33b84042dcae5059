"""Surfaces of a part as arrays, one row per face: what several measurements go through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Part, Plane, Sphere, Surface, Torus
from fettle.recognize.graph import rows_of

PLANE, CYLINDER, CONE, TORUS, SPHERE, FREEFORM = range(6)
"""From TORUS on surfaces are curved both ways."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceTable:
    """kind (f,); origin (f, 3): of the plane, axis or center in mm; way (f, 3): normal or axis; area_mm2 (f,) above 0;
    taper_deg (f,): half angle of cones. Zero where a surface has no such thing."""

    kind: NDArray[np.int64]
    origin: NDArray[np.float64]
    way: NDArray[np.float64]
    area_mm2: NDArray[np.float64]
    taper_deg: NDArray[np.float64]


def face_table(part: Part) -> FaceTable:
    rows = [_row(face.surface) for face in part.faces]
    area = np.array([face.area_mm2 for face in part.faces])
    return FaceTable(
        kind=np.array([row[0] for row in rows], np.int64),
        origin=rows_of([row[1] for row in rows]),
        way=rows_of([row[2] for row in rows]),
        # a sliver's area may come out as 0 or less
        area_mm2=np.maximum(area, np.finfo(np.float64).tiny),
        taper_deg=np.array([row[3] for row in rows]),
    )


_NONE = np.zeros(3)


def _row(surface: Surface) -> tuple[int, NDArray[np.float64], NDArray[np.float64], float]:
    if isinstance(surface, Plane):
        return PLANE, surface.origin, surface.normal, 0.0
    if isinstance(surface, Cylinder):
        return CYLINDER, surface.origin, surface.axis, 0.0
    if isinstance(surface, Cone):
        return CONE, surface.origin, surface.axis, surface.half_angle_deg
    if isinstance(surface, Torus):
        return TORUS, surface.center, surface.axis, 0.0
    if isinstance(surface, Sphere):
        return SPHERE, surface.center, _NONE, 0.0
    return FREEFORM, _NONE, _NONE, 0.0
