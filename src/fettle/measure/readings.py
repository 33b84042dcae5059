"""What measurement says: plain arrays over the points and faces of a `Mesh`. nan is "no reading"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Triple = tuple[float, float, float]

NUDGE = 1e-4
"""Distance by which points on the border of their face are moved into it, as a share of the diagonal; less where the
triangle is smaller than a few of them."""
TIP = 8.0 * NUDGE
"""A reading this small (share of the diagonal) between two faces that meet at the very point, or in a feather edge
anywhere, is the tip of a wedge."""


class Method(IntEnum):
    """Where a reading comes from: a closed form, the ray, the ball between facing walls, or the wall next to the point
    (at edges, chamfers and narrow sides, where neither sees a wall of its own)."""

    NONE = 0
    ANALYTIC = 1
    RAY = 2
    BALL = 3
    NEAR = 4


@dataclass(frozen=True, slots=True, eq=False)
class WallField:
    """Thickness (looking into the material) or clearance (looking out of it) at n points, in millimeters.

    value_mm (n,): the reading we stand behind, nan where there is none; ray_mm, ball_mm (n,): the two raw measures;
    method (n,) int8 codes of `Method`; opposite_face (n,) int32 face met on the other side, -1 for none.
    """

    value_mm: NDArray[np.float64]
    ray_mm: NDArray[np.float64]
    ball_mm: NDArray[np.float64]
    method: NDArray[np.int8]
    opposite_face: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class FieldStatistics:
    """Area-weighted statistics of a field over some faces; all None when nothing was measured there.

    `min_mm` is the robust minimum (5th percentile), `raw_min_mm` the smallest reading, at `position_mm` on `face`.
    `measured_share` is the share of the area that has a reading.
    """

    min_mm: float | None
    raw_min_mm: float | None
    mean_mm: float | None
    median_mm: float | None
    p95_mm: float | None
    cv: float | None
    face: int | None
    position_mm: Triple | None
    measured_share: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pull direction that was tried."""

    direction: Triple
    undercut_area_mm2: float
    low_draft_area_mm2: float
    depth_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """Draft against one pull direction.

    signed_deg (n,): asin(normal . pull); effective_deg (n,): best over the mold halves that release the point, nan
    where neither does; undercut (n,) bool. Face lists by the 5 % / 1 mm2 rule; `undercut_regions` are connected groups
    of undercut faces, one side action each. face_min_deg (faces,): smallest effective draft over the face's steep part
    (|signed| < 45), nan where it has none; a point that no half releases counts with minus its angle to the pull, so a
    value below -alpha_min says that some of the face is locked and how far it leans back.
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
    """The chosen direction; `mode` is cardinal, hemisphere or vector; `candidates` are ranked, best first."""

    mode: str
    direction: Triple
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """What a cutter reaches.

    directions (k, 3) unit approach directions, the six axes of the machine first, then those of holes; reach (k, faces)
    share of each face's area reached, nan along a hole's axis for faces that the axes before it reach anyway.
    Set-ups are axes of the machine, the exact minimum; faces no direction reaches are listed apart. `undercut_regions`:
    connected groups of faces that none of the six axes reaches.
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
    """Down-facing regions against the best build direction.

    face_min_deg (faces,): smallest angle of the face's down-facing part to the plate (0 ceiling, 90 vertical), nan
    where it has none (or lies on the plate, or is below 2 mm2).
    """

    face_min_deg: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cavities:
    """`sealed`: void shells; `min_drain_diameter_mm`: narrowest opening of an internal cavity of 1 cm3 and more that
    is still reached from outside, None when there is no such cavity; `drain_faces`: faces lining that cavity."""

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
