"""Draft angles against a pull direction: which mold half releases each point, and at what angle.

A two-part mold opens along the pull and its opposite. A half releases a point if the wall leans back by no more than
`alpha_min_deg` and nothing is in the way. A point that neither half releases is an undercut. The sign of the draft
alone is no criterion: the underside of a flange is formed by the other half.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.measure.context import SampledSurface
from fettle.measure.draft_limits import STEEP_DEG
from fettle.measure.face_regions import connected, significant_faces
from fettle.measure.readings import Draft, Triple
from fettle.measure.visibility import SurfaceVisibility

ROUNDING_DEG = 1e-6
"""Angles below this are rounding of the normals and become 0, so that a wall along the pull reads 0.0 and not -0.0."""


def opposite(direction: Triple) -> Triple:
    """The opposite direction, without negative zeros."""
    x, y, z = direction
    return (0.0 - x, 0.0 - y, 0.0 - z)


def signed_draft_deg(normals: NDArray[np.float64], pull: Triple) -> NDArray[np.float64]:
    """Draft angle (n,) of normals (n, 3): 0 on walls along the pull, +90 facing it, -90 facing away."""
    angle = np.degrees(np.arcsin(np.clip(normals @ np.asarray(pull), -1.0, 1.0)))
    return np.where(np.abs(angle) < ROUNDING_DEG, 0.0, angle)


def release(
    signed_deg: NDArray[np.float64], up: NDArray[np.bool_], down: NDArray[np.bool_], alpha_min_deg: float
) -> NDArray[np.float64]:
    """Effective draft in degrees (n,): the larger over the halves that release the point, nan where neither does.

    up, down (n,): masks of the points from which the way along the pull, or against it, is free.
    """
    best = np.maximum(
        np.where(up & (signed_deg >= -alpha_min_deg), signed_deg, -np.inf),
        np.where(down & (signed_deg <= alpha_min_deg), 0.0 - signed_deg, -np.inf),
    )
    return np.where(np.isfinite(best), best, np.nan)


def is_low(
    signed_deg: NDArray[np.float64], effective_deg: NDArray[np.float64], alpha_warn_deg: float
) -> NDArray[np.bool_]:
    """Mask (n,) of the points of steep walls that are released with less draft than `alpha_warn_deg`."""
    low: NDArray[np.bool_] = (np.abs(signed_deg) < STEEP_DEG) & (effective_deg < alpha_warn_deg)
    return low


def measure_draft(
    context: SampledSurface, visibility: SurfaceVisibility, pull: Triple, alpha_min_deg: float, alpha_warn_deg: float
) -> Draft:
    """Measure the draft of every point and face against a pull direction.

    A face is an undercut, or of low draft, if enough of its area is (see `significant_faces`).
    """
    faces = context.mesh.point_face
    signed = signed_draft_deg(context.mesh.normals, pull)
    up, down = visibility.free_everywhere(pull), visibility.free_everywhere(opposite(pull))
    effective = release(signed, up, down, alpha_min_deg)
    undercut = np.isnan(effective)

    def faces_with(where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return significant_faces(context.area_by_face(where), context.face_area_mm2)

    undercut_faces = faces_with(undercut)
    low = faces_with(is_low(signed, effective, alpha_warn_deg)) & ~undercut_faces
    straddling = faces_with(signed > alpha_min_deg) & faces_with(signed < -alpha_min_deg)

    steep = np.abs(signed) < STEEP_DEG
    face_min = np.full(len(context.part.faces), np.inf)
    # An undercut wall leans back against either half, so its draft is negative. Undercut slivers of a face that is
    # released as a whole are ignored.
    reading = np.where(undercut & undercut_faces[faces], 0.0 - np.abs(signed), effective)
    np.fmin.at(face_min, faces[steep], reading[steep])
    return Draft(
        pull=pull,
        signed_deg=signed,
        effective_deg=effective,
        undercut=undercut,
        undercut_faces=_numbers(undercut_faces),
        low_draft_faces=_numbers(low),
        straddling_faces=_numbers(straddling),
        undercut_regions=connected(context.part, _numbers(undercut_faces)),
        face_min_deg=np.where(np.isfinite(face_min), face_min, np.nan),
    )


def _numbers(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask).tolist())
