"""The pull direction: given, or searched for among the axes or over the half sphere.

A direction and its opposite are the same mold, so each axis is tried once and its sign settled afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fettle.errors import BadRequest
from fettle.geometry.part import Cone, Cylinder, Part, Plane
from fettle.measure.context import FaceSamples, MeasureContext, face_samples, sum_by
from fettle.measure.draft import is_low, opposite, release, signed_draft_deg
from fettle.measure.face_regions import counting
from fettle.measure.readings import Candidate, Pull, Triple
from fettle.measure.visibility import Visibility

CARDINAL, HEMISPHERE, VECTOR = "cardinal", "hemisphere", "vector"
AXES: tuple[Triple, ...] = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
"""In the order in which ties are broken."""
SAMPLES = 144
LARGEST_PLANES = 10
SCORED_POINTS = 1500
FINALISTS = 6
SAME = math.cos(math.radians(0.5))
"""Directions closer than this are tried once."""
AREA_STEP = 1e-4
"""Areas that differ by less than this share of the whole are a tie: the mesh does not know them better."""


def parse_pull(text: str) -> str | Triple:
    """`cardinal`, `hemisphere`, or the unit vector that "x,y,z" stands for."""
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
    # Divided by the largest first, so that neither 1e-200 nor 1e200 is lost when squared.
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise BadRequest(f"pull {text[:60]!r} has no direction: all three numbers are zero; {remedy}")
    return unit((x / largest, y / largest, z / largest))


def unit(vector: Sequence[float]) -> Triple:
    """The unit vector along `vector`; exact on the axes, and never a negative zero."""
    x, y, z = (float(value) for value in vector)
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length + 0.0, y / length + 0.0, z / length + 0.0)


def choose_pull(
    context: MeasureContext, visibility: Visibility, asked: str | Triple, alpha_min_deg: float, alpha_warn_deg: float
) -> Pull:
    """The pull direction and every one that was tried, best first."""
    alphas = (alpha_min_deg, alpha_warn_deg)

    def scored(directions: Sequence[Triple], samples: FaceSamples) -> list[Candidate]:
        found = [_score(context, visibility, samples, way, alphas) for way in directions]
        total = float(context.area_mm2.sum())
        order = sorted(range(len(found)), key=lambda i: (_rank(found[i], total), i))
        return [found[i] for i in order]

    if not isinstance(asked, str):
        return Pull(VECTOR, asked, tuple(scored([asked], context.samples)))
    if asked == CARDINAL:
        ranked = scored([_signed(context, axis) for axis in AXES], context.samples)
        return Pull(CARDINAL, ranked[0].direction, tuple(ranked))
    directions = [_signed(context, way) for way in _hemisphere(context.part)]
    rough = scored(directions, _thin(context))
    finalists = [candidate.direction for candidate in rough[:FINALISTS]]
    finalists.sort(key=directions.index)
    ranked = scored(finalists, context.samples)
    return Pull(HEMISPHERE, ranked[0].direction, (*ranked, *rough[FINALISTS:]))


def _rank(candidate: Candidate, total_mm2: float) -> tuple[float, float, float]:
    step = AREA_STEP * total_mm2
    return (
        round(candidate.undercut_area_mm2 / step),
        round(candidate.low_draft_area_mm2 / step),
        round(candidate.depth_mm, 3),
    )


def _thin(context: MeasureContext) -> FaceSamples:
    """Points at equal steps of area over the whole part, each for an equal share of it."""
    upto = np.cumsum(context.area_mm2)
    share = upto[-1] / SCORED_POINTS
    rows = np.searchsorted(upto, (np.arange(SCORED_POINTS) + 0.5) * share).astype(np.int64, copy=False)
    return face_samples(rows, context.mesh.point_face[rows], np.full(SCORED_POINTS, share))


def _score(
    context: MeasureContext, visibility: Visibility, samples: FaceSamples, pull: Triple, alphas_deg: tuple[float, float]
) -> Candidate:
    mesh, (alpha_min_deg, alpha_warn_deg) = context.mesh, alphas_deg
    signed = signed_draft_deg(mesh.normals[samples.rows], pull)
    if samples is context.samples:
        up, down = visibility.free(pull), visibility.free(opposite(pull))
    else:
        up, down = visibility.free_at(samples.rows, pull), visibility.free_at(samples.rows, opposite(pull))
    effective = release(signed, up, down, alpha_min_deg)
    count, locks = len(context.part.faces), np.isnan(effective)
    undercut = sum_by(samples.faces[locks], samples.area_mm2[locks], count)
    locked = counting(undercut, sum_by(samples.faces, samples.area_mm2, count))
    low = is_low(signed, effective, alpha_warn_deg) & ~locked[samples.faces]
    heights = mesh.points @ np.asarray(pull)
    return Candidate(
        direction=pull,
        undercut_area_mm2=float(undercut[locked].sum()),
        low_draft_area_mm2=float(samples.area_mm2[low].sum()),
        depth_mm=float(heights.max() - heights.min()),
    )


def _signed(context: MeasureContext, axis: Triple) -> Triple:
    """The axis, turned so that more area has positive draft; on a tie so that its last coordinate is positive."""
    facing, area_mm2 = context.mesh.normals @ np.asarray(axis), context.area_mm2
    clearly = math.sin(math.radians(0.05))
    ahead, behind = float(area_mm2[facing > clearly].sum()), float(area_mm2[facing < -clearly].sum())
    if abs(ahead - behind) > AREA_STEP * float(area_mm2.sum()):
        return axis if ahead > behind else opposite(axis)
    leading = next(value for value in reversed(axis) if abs(value) > 1e-9)
    return axis if leading > 0.0 else opposite(axis)


def _hemisphere(part: Part) -> list[Triple]:
    """The axes, the axes of round faces, the normals of the largest planes, and an even cover of the half sphere."""
    ways: list[Triple] = list(AXES)
    by_area = sorted(range(len(part.faces)), key=lambda face: (-part.faces[face].area_mm2, face))
    surfaces = [part.faces[face].surface for face in by_area]
    ways += [unit(surface.axis.tolist()) for surface in surfaces if isinstance(surface, Cylinder | Cone)]
    planes = [unit(surface.normal.tolist()) for surface in surfaces if isinstance(surface, Plane)]
    ways += planes[:LARGEST_PLANES]
    turn = math.pi * (3.0 - math.sqrt(5.0))
    for k in range(SAMPLES):
        z = 1.0 - (k + 0.5) / SAMPLES
        around = math.sqrt(1.0 - z * z)
        ways.append((around * math.cos(k * turn), around * math.sin(k * turn), z))
    return distinct(ways)


def distinct(ways: Sequence[Triple]) -> list[Triple]:
    """The directions without those that, up to sign, repeat an earlier one."""
    kept = np.empty((0, 3))
    found: list[Triple] = []
    for way in ways:
        if not (np.abs(kept @ np.asarray(way)) >= SAME).any():
            kept = np.vstack([kept, way])
            found.append(way)
    return found
