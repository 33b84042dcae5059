"""What recognition says: roles of faces, and one dataclass per kind of feature.

Field names are the ones users see in JSON; dimensions are millimeters and degrees, `None` where there is none.
`faces` holds every member face number, the largest first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np
from numpy.typing import NDArray

Triple = tuple[float, float, float]


class Role(IntEnum):
    """The one role of a face; the code is part of the API."""

    UNCLASSIFIED = 0
    HOLE_WALL = 1
    HOLE_BOTTOM = 2
    COUNTERSINK = 3
    BOSS_WALL = 4
    BOSS_TOP = 5
    SLOT_WALL = 6
    SLOT_FLOOR = 7
    FIN_WALL = 8
    FIN_TOP = 9
    POCKET_WALL = 10
    POCKET_FLOOR = 11
    PROTRUSION_WALL = 12
    PROTRUSION_TOP = 13
    ROUND = 14
    FILLET = 15
    BEND = 16
    OUTER_WALL = 17
    INNER_WALL = 18
    SLAB_FACE = 19
    CHAMFER = 20

    @property
    def title(self) -> str:
        """The name users see, for example `Hole wall`."""
        return self.name.replace("_", " ").capitalize()


class Kind(Enum):
    HOLE = "HOLE"
    BOSS = "BOSS"
    SLOT = "SLOT"
    FIN = "FIN"
    SLAB = "SLAB"
    POCKET = "POCKET"
    PROTRUSION = "PROTRUSION"
    ROUND = "ROUND"
    FILLET = "FILLET"
    BEND = "BEND"
    WALL = "WALL"
    CHAMFER = "CHAMFER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """`confidence` is 1 on exact geometry, lower on patches fitted to a mesh."""

    kind: Kind
    faces: tuple[int, ...]
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One coaxial component of a hole, from the entry inwards.

    `type`: cylinder, counterbore, countersink, taper, groove, thread, drill_point. Cones carry both
    diameters and their full angle, a modeled thread its minor and its major diameter.
    """

    type: str
    diameter_mm: float
    end_diameter_mm: float
    depth_mm: float
    angle_deg: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole(Feature):
    """`diameter_mm`: smallest cylinder, tip excluded; `depth_mm`: full-diameter depth from the entry, tip excluded.

    `position_mm`: where the axis meets the entry; `axis` points into the material. `bottom`: none, flat, conical,
    spherical.
    """

    diameter_mm: float
    depth_mm: float
    total_depth_mm: float
    through: bool
    partial: bool
    interrupted: bool
    bottom: str
    bottom_angle_deg: float | None
    axis: Triple
    position_mm: Triple
    stages: tuple[Stage, ...]
    entry_chamfer_mm: float | None
    extent_deg: float
    thread_candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boss(Feature):
    diameter_mm: float
    height_mm: float
    base_fillet_radius_mm: float | None
    draft_deg: float
    bore_diameter_mm: float | None
    axis: Triple
    position_mm: Triple
    thread_candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(Feature):
    """`end_type`: open, round, square, ring (it closes on itself). `open_ends`: 2, 1 or 0.

    `mouth_width_mm` below `width_mm` marks a T-slot or dovetail (`undercut`).
    """

    width_mm: float
    depth_mm: float
    length_mm: float
    through: bool
    floor_face: int | None
    end_type: str
    open_ends: int
    axis: Triple
    mouth_width_mm: float
    undercut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Fin(Feature):
    """`base_face`: the wall it stands on."""

    thickness_mm: float
    thickness_base_mm: float
    thickness_tip_mm: float
    height_mm: float
    length_mm: float
    draft_deg: float
    base_face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Slab(Feature):
    thickness_mm: float
    overlap_area_mm2: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocket(Feature):
    """`width_mm`: diameter of the largest circle that fits the floor between walls and islands.

    `form`: pocket (walls all round), passage (no floor), slot or blind slot (too wide to be a SLOT, open at two ends or
    one), notch (a corner cut away). `min_corner_radius_mm` is 0 at a sharp corner between walls, None without corners.
    """

    depth_mm: float
    width_mm: float
    length_mm: float
    min_corner_radius_mm: float | None
    open_sides: int
    through: bool
    form: str
    floor_face: int | None
    n_islands: int
    volume_mm3: float
    axis: Triple


@dataclass(frozen=True, slots=True, kw_only=True)
class Protrusion(Feature):
    height_mm: float
    width_mm: float
    length_mm: float
    base_face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend(Feature):
    """A ROUND (convex) or FILLET (concave). A variable one has `max_radius_mm` above `radius_mm`, its smallest."""

    radius_mm: float
    max_radius_mm: float
    length_mm: float
    extent_deg: float
    support_faces: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bend(Feature):
    inner_radius_mm: float
    outer_radius_mm: float
    thickness_mm: float
    angle_deg: float
    length_mm: float
    bend_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall(Feature):
    """`outer`: on the convex hull's side. `normal` is None on curved walls."""

    outer: bool
    normal: Triple | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chamfer(Feature):
    """`width_mm`: across the strip; `angle_deg`: to the first support."""

    width_mm: float
    angle_deg: float
    length_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Recognition:
    """The answer for a part.

    `roles`: shape (faces,) int, codes of `Role`. `sharp_concave_edges`: edge numbers of concave edges without a blend.
    `coverage_faces`, `coverage_area`: shares (0..1) of faces and of area whose role is not Unclassified.
    """

    roles: NDArray[np.int32]
    features: tuple[Feature, ...]
    sharp_concave_edges: tuple[int, ...]
    coverage_faces: float
    coverage_area: float
