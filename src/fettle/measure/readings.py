"""Results of the measurements: arrays over the points and faces of a `Mesh`. nan means "no reading"."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Triple = tuple[float, float, float]

BORDER_OFFSET = 1e-4
"""Distance by which ray origins on the border of a face are moved into it, as a fraction of the diagonal; less in
triangles only a few times as large."""
TIP = 8.0 * BORDER_OFFSET
"""Readings up to this fraction of the diagonal, between two faces that meet at the point itself or at a sharp edge, are
the tip of a wedge and not a wall."""


class Method(IntEnum):
    """How a reading was obtained: from the exact surfaces, the ray, the ball between facing walls, or the reading of a
    nearby wall (at edges, chamfers and narrow sides, where ray and ball measure no wall)."""

    NONE = 0
    ANALYTIC = 1
    RAY = 2
    BALL = 3
    NEAR = 4


@dataclass(frozen=True, eq=False)
class WallField:
    """Wall thickness (into the material) or clearance (out of it) at n mesh points, in mm.

    value_mm (n,): the result, nan for no reading; ray_mm, ball_mm (n,): the two raw measurements; method (n,): codes of
    `Method`; opposite_face (n,): number of the face on the other side, -1 for none.
    """

    value_mm: NDArray[np.float64]
    ray_mm: NDArray[np.float64]
    ball_mm: NDArray[np.float64]
    method: NDArray[np.int8]
    opposite_face: NDArray[np.int32]

    @cached_property
    def ranks(self) -> tuple[NDArray[np.int32], int]:
        """Rank (n,) of every reading among the different ones, -1 for none, and the number of ranks: the readings are
        sorted once, and groups of them by counting."""
        read = np.flatnonzero(np.isfinite(self.value_mm))
        # readings repeat along a face: a stable sort makes use of it
        order = read.take(np.argsort(self.value_mm.take(read), kind="stable"))
        ranks: tuple[NDArray[np.int32], int] = _compiled().rank_values(self.value_mm, order)
        ranks[0].setflags(write=False)
        return ranks

    def __getstate__(self) -> dict[str, Any]:
        # what was derived from the fields is not stored with them
        return {one.name: getattr(self, one.name) for one in fields(self)}


# Not frozen, and so several times faster to make: every face and every feature has its own.
@dataclass(slots=True)
class FieldStatistics:
    """Area-weighted statistics of a field over some faces; all None when nothing was measured there.

    `min_mm` is the 5th percentile, `raw_min_mm` the smallest reading, at `position_mm` on `face`; `cv` is the standard
    deviation over the mean.
    `measured_fraction` is the fraction of the area that has a reading.
    """

    min_mm: float | None
    raw_min_mm: float | None
    mean_mm: float | None
    median_mm: float | None
    p95_mm: float | None
    cv: float | None
    face: int | None
    position_mm: Triple | None
    measured_fraction: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pull direction that was scored; `depth_mm`: extent of the part along it."""

    direction: Triple
    undercut_area_mm2: float
    low_draft_area_mm2: float
    depth_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """Draft against one pull direction.

    signed_deg (n,): asin(normal . pull); effective_deg (n,): best over the mold halves that release the point, nan
    where neither does; undercut (n,) bool. A face is listed if more than 5 % and 1 mm2 of it qualify (see
    `significant_faces`); straddling faces have both signs; `undercut_regions` are connected groups of undercut faces,
    one side action each. face_min_deg (faces,): smallest effective draft over the face's steep part (|signed| < 45),
    nan where it has none; undercut points count with minus their angle to the pull, so a value below -alpha_min means
    that some of the face is an undercut that leans back by that angle.
    """

    pull: Triple
    signed_deg: NDArray[np.float64]
    effective_deg: NDArray[np.float64]
    undercut: NDArray[np.bool_]
    undercut_faces: tuple[int, ...]
    low_draft_faces: tuple[int, ...]
    straddling_faces: tuple[int, ...]
    undercut_regions: tuple[tuple[int, ...], ...]
    face_min_deg: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pull:
    """Chosen pull direction; `mode` is cardinal, hemisphere or vector; `candidates` are ranked, best first."""

    mode: str
    direction: Triple
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """Tool access.

    directions (k, 3): unit approach directions, the six axes of the part's frame first, then those askew in it; reach
    (k, faces): reached fraction of each face's area, nan along an askew direction for faces that those before it reach
    fully. Set-ups are the smallest sufficient sets of directions; faces that none reaches are listed as unreached.
    `undercut_regions`: connected groups of faces that no direction of the part reaches with a straight spindle.
    """

    directions: NDArray[np.float64]
    reach: NDArray[np.float64]
    setups_3axis: tuple[Triple, ...]
    setups_5axis: tuple[Triple, ...]
    unreached_3axis: tuple[int, ...]
    unreached_5axis: tuple[int, ...]
    undercut_regions: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Overhang:
    """Overhangs against the best build direction.

    face_min_deg (faces,): smallest angle of the face's down-facing part to the plate (0 ceiling, 90 vertical), nan
    where it has none (or lies on the plate, or is below 2 mm2).
    """

    face_min_deg: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cavities:
    """Internal cavities: `sealed` counts void shells; `min_drain_diameter_mm`: narrowest opening of a cavity of 1 cm3
    or more that is connected with the outside, None if there is none; `drain_faces`: faces lining such cavities."""

    sealed: int
    min_drain_diameter_mm: float | None
    drain_faces: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BuildOrientation:
    """One way to print the part, with its overhangs at k sample points.

    `direction` points away from the plate; `contact_mm2` is the area that lies on the plate; `stable`: the center of
    mass is above it and the part is not slender. face (k,) int32; position_mm (k, 3); area_mm2 (k,): area on the plate
    that the sample covers; slope_deg (k,): angle to the plate, 0 for a ceiling; column_mm (k,): height of the air
    below, down to the plate or the part.
    bridge_mm, arch_mm, ledge_mm (k,): shortest distance between two walls, diameter of the round arch of the same
    span, and length of a shelf carried on one side, inf where there is none. exit_mm (k,): widest tool tried that
    reaches the column from outside on a straight way, 0 for none, nan where not looked at.
    """

    direction: Triple
    height_mm: float
    contact_mm2: float
    stable: bool
    face: NDArray[np.int32]
    position_mm: NDArray[np.float64]
    area_mm2: NDArray[np.float64]
    slope_deg: NDArray[np.float64]
    column_mm: NDArray[np.float64]
    bridge_mm: NDArray[np.float64]
    arch_mm: NDArray[np.float64]
    ledge_mm: NDArray[np.float64]
    exit_mm: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SupportLimits:
    """What prints without support: faces from `self_support_deg` to the plate on, ceilings between walls up to
    `bridge_mm`, horizontal holes and arches up to the diameter `arch_mm`, shelves up to `ledge_mm`. A tool of `tool_mm`
    takes supports out."""

    self_support_deg: float
    bridge_mm: float
    arch_mm: float
    ledge_mm: float
    tool_mm: float


def _compiled() -> ModuleType:
    """Imported on first use: programs that only list the rules do not load numba."""
    return import_module("fettle.measure.weighted_statistics")
