"""Pull direction of the mold: given, or the best of the three axes or of the half sphere.

A direction and its opposite open the same mold, so each line is tried once, with the sign of `signed_direction`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fettle.errors import BadRequest
from fettle.geometry.part import Cone, Cylinder, Part, Plane
from fettle.measure.context import FaceSamples, SampledSurface, face_samples, sum_by
from fettle.measure.draft import is_low, opposite, release, signed_draft_deg
from fettle.measure.face_regions import significant_faces
from fettle.measure.readings import Candidate, Pull, Triple
from fettle.measure.visibility import SurfaceVisibility

CARDINAL, HEMISPHERE, VECTOR = "cardinal", "hemisphere", "vector"
AXES: tuple[Triple, ...] = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
"""z, y, x: the order in which ties are broken."""
SAME_COS = 1.0 - 1e-12
"""Directions whose cosine is above this differ by rounding alone."""
SPIRAL_DIRECTIONS = 144
"""Directions spread evenly over the half sphere: neighbors are about 12 degrees apart."""
LARGEST_PLANES = 10
"""Plane faces, largest first, whose normals are tried."""
ROUGH_SAMPLES = 1500
"""Points of the part by which every direction of the half sphere is scored first."""
FINALISTS = 6
"""Best directions of that first score, which are scored again with all face samples."""
SAME_DIRECTION_COS = math.cos(math.radians(0.5))
"""Directions within half a degree, up to sign, are tried once."""
FACING_SIN = math.sin(math.radians(0.05))
"""A normal faces a direction if it leans to it by more than 0.05 degrees; less is rounding of a wall along it."""
AREA_STEP = 1e-4
"""Areas that differ by less than this fraction of the part's area are equal: the mesh is no more accurate."""


def parse_pull(text: str) -> str | Triple:
    """Parse a pull option: "cardinal", "hemisphere", or "x,y,z", which becomes a unit vector."""
    word = text.strip().lower()
    if word in {CARDINAL, HEMISPHERE}:
        return word
    remedy = 'write "cardinal", "hemisphere" or a vector such as "0,0,1"'
    fields = word.split(",")
    if len(fields) != 3:
        raise BadRequest(f"pull {text[:60]!r} is neither a mode nor three numbers; {remedy}")
    try:
        x, y, z = (float(field) for field in fields)
    except ValueError:
        raise BadRequest(f"pull {text[:60]!r} has a part that is not a number; {remedy}") from None
    if not all(math.isfinite(value) for value in (x, y, z)):
        raise BadRequest(f"pull {text[:60]!r} is not finite; {remedy}")
    # Divided by the largest first, so that the squares of 1e-200 and 1e200 neither underflow nor overflow.
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise BadRequest(f"pull {text[:60]!r} has no direction: all three numbers are zero; {remedy}")
    return unit((x / largest, y / largest, z / largest))


def unit(vector: Sequence[float]) -> Triple:
    """Unit vector along `vector`; exact on the axes, without negative zeros."""
    x, y, z = (float(value) for value in vector)
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length + 0.0, y / length + 0.0, z / length + 0.0)


def snapped(direction: Triple) -> Triple:
    """The axis of the file, or its opposite, that the direction is but for rounding: its visibility is cached under
    these very numbers; else the direction."""
    for axis in AXES:
        along = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2]
        if abs(along) >= SAME_COS:
            return axis if along > 0.0 else opposite(axis)
    return direction


def choose_pull(
    context: SampledSurface,
    visibility: SurfaceVisibility,
    option: str | Triple,
    alpha_min_deg: float,
    alpha_warn_deg: float,
) -> Pull:
    """Choose the pull direction; `option` as returned by `parse_pull`. All candidates are ranked, best first.

    The best has the least undercut area, then the least area of low draft, then the least depth along the pull.
    """
    alphas = (alpha_min_deg, alpha_warn_deg)

    def ranked(directions: Sequence[Triple], samples: FaceSamples) -> list[Candidate]:
        return rank_directions(context, visibility, directions, samples, alphas)

    if not isinstance(option, str):
        return Pull(VECTOR, option, tuple(ranked([option], context.samples)))
    if option == CARDINAL:
        best = ranked([signed_direction(context, axis) for axis in AXES], context.samples)
        return Pull(CARDINAL, best[0].direction, tuple(best))
    directions = [signed_direction(context, direction) for direction in _hemisphere(context.part)]
    rough = ranked(directions, _sample_part(context))
    finalists = [candidate.direction for candidate in rough[:FINALISTS]]
    finalists.sort(key=directions.index)
    best = ranked(finalists, context.samples)
    return Pull(HEMISPHERE, best[0].direction, (*best, *rough[FINALISTS:]))


def rank_directions(
    context: SampledSurface,
    visibility: SurfaceVisibility,
    directions: Sequence[Triple],
    samples: FaceSamples,
    alphas_deg: tuple[float, float],
) -> list[Candidate]:
    """The directions as candidates, best first; of equal ones the first given. `alphas_deg`: undercut and low draft."""
    found = score_directions(context, visibility, directions, samples, alphas_deg)
    step_mm2 = AREA_STEP * float(context.area_mm2.sum())
    return sorted(found, key=lambda candidate: _rank(candidate, step_mm2))


def score_directions(
    context: SampledSurface,
    visibility: SurfaceVisibility,
    directions: Sequence[Triple],
    samples: FaceSamples,
    alphas_deg: tuple[float, float],
) -> list[Candidate]:
    """The directions as candidates, in the order given; `alphas_deg`: undercut and low draft."""
    return [_score(context, visibility, samples, direction, alphas_deg) for direction in directions]


def _rank(candidate: Candidate, step_mm2: float) -> tuple[float, float, float]:
    """Sort key of a candidate, smallest first, areas rounded to steps, so that smaller differences are ties."""
    return (
        round(candidate.undercut_area_mm2 / step_mm2),
        round(candidate.low_draft_area_mm2 / step_mm2),
        round(candidate.depth_mm, 3),
    )


def _sample_part(context: SampledSurface) -> FaceSamples:
    """`ROUGH_SAMPLES` points at equal steps of area over the whole part, each for an equal area."""
    cumulative = np.cumsum(context.area_mm2)
    step = cumulative[-1] / ROUGH_SAMPLES
    rows = np.searchsorted(cumulative, (np.arange(ROUGH_SAMPLES) + 0.5) * step).astype(np.int64, copy=False)
    return face_samples(rows, context.mesh.point_face[rows], np.full(ROUGH_SAMPLES, step))


def _score(
    context: SampledSurface,
    visibility: SurfaceVisibility,
    samples: FaceSamples,
    pull: Triple,
    alphas_deg: tuple[float, float],
) -> Candidate:
    """Undercut and low-draft areas in mm2 along a pull, estimated from samples, and the depth of the part along it."""
    mesh, (alpha_min_deg, alpha_warn_deg) = context.mesh, alphas_deg
    signed = signed_draft_deg(mesh.normals.take(samples.rows, axis=0), pull)
    if samples is context.samples:
        up, down = visibility.free(pull), visibility.free(opposite(pull))
    else:
        up, down = visibility.free_at(samples.rows, pull), visibility.free_at(samples.rows, opposite(pull))
    effective = release(signed, up, down, alpha_min_deg)
    count, undercut = len(context.part.faces), np.isnan(effective)
    undercut_area = sum_by(samples.faces, samples.area_mm2 * undercut, count)
    undercut_faces = significant_faces(undercut_area, sum_by(samples.faces, samples.area_mm2, count))
    low = is_low(signed, effective, alpha_warn_deg) & ~undercut_faces[samples.faces]
    heights = mesh.points @ np.asarray(pull)
    return Candidate(
        direction=pull,
        undercut_area_mm2=float(undercut_area[undercut_faces].sum()),
        low_draft_area_mm2=float(samples.area_mm2[low].sum()),
        depth_mm=float(heights.max() - heights.min()),
    )


def signed_direction(context: SampledSurface, axis: Triple) -> Triple:
    """The axis or its opposite, whichever more area faces; on a tie that with positive last nonzero coordinate."""
    facing, area_mm2 = context.mesh.normals @ np.asarray(axis), context.area_mm2
    toward, away = (float(area_mm2.compress(way).sum()) for way in (facing > FACING_SIN, facing < -FACING_SIN))
    if abs(toward - away) > AREA_STEP * float(area_mm2.sum()):
        return axis if toward > away else opposite(axis)
    leading = next(value for value in reversed(axis) if abs(value) > 1e-9)
    return axis if leading > 0.0 else opposite(axis)


def _hemisphere(part: Part) -> list[Triple]:
    """Candidate directions: the three axes, the axes of cylinders and cones, the normals of the largest planes, and a
    golden-angle spiral over the half sphere."""
    directions: list[Triple] = list(AXES)
    by_area = sorted(range(len(part.faces)), key=lambda face: (-part.faces[face].area_mm2, face))
    surfaces = [part.faces[face].surface for face in by_area]
    directions += [unit(surface.axis.tolist()) for surface in surfaces if isinstance(surface, Cylinder | Cone)]
    planes = [unit(surface.normal.tolist()) for surface in surfaces if isinstance(surface, Plane)]
    directions += planes[:LARGEST_PLANES]
    golden_angle = math.pi * (3.0 - math.sqrt(5.0))
    for k in range(SPIRAL_DIRECTIONS):
        z = 1.0 - (k + 0.5) / SPIRAL_DIRECTIONS
        radius = math.sqrt(1.0 - z * z)
        directions.append((radius * math.cos(k * golden_angle), radius * math.sin(k * golden_angle), z))
    return distinct(directions)


def distinct(directions: Sequence[Triple]) -> list[Triple]:
    """The directions without those that repeat an earlier one up to sign."""
    kept = np.empty((0, 3))
    found: list[Triple] = []
    for direction in directions:
        if not (np.abs(kept @ np.asarray(direction)) >= SAME_DIRECTION_COS).any():
            kept = np.vstack([kept, direction])
            found.append(direction)
    return found
