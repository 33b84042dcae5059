"""Draft against a pull direction: which mold half releases each point, and at what angle.

A point may leave with either half of a two-part mold. A half takes it when the wall does not lean back by more than
`alpha_min_deg` and nothing stands in the way. What neither half takes is an undercut; the sign of the draft alone says
nothing: the underside of a flange is simply formed by the other half.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.measure.context import MeasureContext
from fettle.measure.face_regions import connected, counting
from fettle.measure.readings import Draft, Triple
from fettle.measure.visibility import Visibility

STEEP_DEG = 45.0
"""Walls within this angle of the pull need draft; flatter ones are floors and roofs."""
LEVEL_DEG = 1e-6
"""An angle below this is rounding of the normals, and reads 0: a wall along the pull has neither +0.0 nor -0.0."""


def opposite(direction: Triple) -> Triple:
    x, y, z = direction
    return (0.0 - x, 0.0 - y, 0.0 - z)


def signed_draft_deg(normals: NDArray[np.float64], pull: Triple) -> NDArray[np.float64]:
    """Shape (n,): 0 on walls along the pull, +90 facing it, -90 facing away."""
    angle = np.degrees(np.arcsin(np.clip(normals @ np.asarray(pull), -1.0, 1.0)))
    return np.where(np.abs(angle) < LEVEL_DEG, 0.0, angle)


def release(
    signed_deg: NDArray[np.float64], up: NDArray[np.bool_], down: NDArray[np.bool_], alpha_min_deg: float
) -> NDArray[np.float64]:
    """Effective draft (n,): the better of the halves that release the point, nan where neither does."""
    best = np.maximum(
        np.where(up & (signed_deg >= -alpha_min_deg), signed_deg, -np.inf),
        np.where(down & (signed_deg <= alpha_min_deg), 0.0 - signed_deg, -np.inf),
    )
    return np.where(np.isfinite(best), best, np.nan)


def is_low(
    signed_deg: NDArray[np.float64], effective_deg: NDArray[np.float64], alpha_warn_deg: float
) -> NDArray[np.bool_]:
    """Shape (n,): a steep wall that is released, with less draft than asked for."""
    low: NDArray[np.bool_] = (np.abs(signed_deg) < STEEP_DEG) & (effective_deg < alpha_warn_deg)
    return low


def measure_draft(
    context: MeasureContext, visibility: Visibility, pull: Triple, alpha_min_deg: float, alpha_warn_deg: float
) -> Draft:
    """Draft of every point and face."""
    faces = context.mesh.point_face
    signed = signed_draft_deg(context.mesh.normals, pull)
    up, down = visibility.free_everywhere(pull), visibility.free_everywhere(opposite(pull))
    effective = release(signed, up, down, alpha_min_deg)
    undercut = np.isnan(effective)

    def faces_with(where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return counting(context.area_by_face(where), context.face_area_mm2)

    locked = faces_with(undercut)
    low = faces_with(is_low(signed, effective, alpha_warn_deg)) & ~locked
    straddling = faces_with(signed > alpha_min_deg) & faces_with(signed < -alpha_min_deg)

    steep = np.abs(signed) < STEEP_DEG
    face_min = np.full(len(context.part.faces), np.inf)
    # A locked wall leans back, whichever half is asked: its draft counts as negative. Undercut specks of a face that is
    # released do not count.
    reading = np.where(undercut & locked[faces], 0.0 - np.abs(signed), effective)
    np.fmin.at(face_min, faces[steep], reading[steep])
    undercut_faces = _numbers(locked)
    return Draft(
        pull=pull,
        signed_deg=signed,
        effective_deg=effective,
        undercut=undercut,
        undercut_faces=undercut_faces,
        low_draft_faces=_numbers(low),
        straddling_faces=_numbers(straddling),
        undercut_regions=connected(context.part, undercut_faces),
        face_min_deg=np.where(np.isfinite(face_min), face_min, np.nan),
    )


def _numbers(picked: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(picked).tolist())
