"""A part as plain data: surfaces, faces, edges, shells and bodies.

Lengths are millimeters, angles degrees unless a name says `_rad`. A face or an edge is named by its position
in `Part.faces` / `Part.edges`, counted from 0; the `fid` that users see is that number plus one, as a string.
STEP parts and mesh parts (glTF, through patches) look the same from here on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.pmi.records import Pmi

Vector: TypeAlias = NDArray[np.float64]
"""Shape (3,): a point in millimeters or a unit direction."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """`normal` points out of the material."""

    origin: Vector
    normal: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Cylinder:
    origin: Vector
    axis: Vector
    radius_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Cone:
    """Radius `radius_mm` at `origin`, growing along `axis` by the tangent of `half_angle_deg` (above 0, below 90)."""

    origin: Vector
    axis: Vector
    radius_mm: float
    half_angle_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Sphere:
    center: Vector
    radius_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Torus:
    center: Vector
    axis: Vector
    major_radius_mm: float
    minor_radius_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Freeform:
    """Anything that is none of the others within 1e-3 mm.

    `min_radius_mm` and `max_radius_mm` are the extremes over the face of the smaller principal radius of curvature
    (infinite where flat): a canal surface of constant radius has both equal. `origin_kind` names the file's surface:
    bspline, bezier, extrusion, revolution, offset, mesh.
    """

    origin_kind: str
    min_radius_mm: float
    max_radius_mm: float


Surface: TypeAlias = Plane | Cylinder | Cone | Sphere | Torus | Freeform

CylinderOrCone: TypeAlias = Cylinder | Cone
"""Straight along an axis. Named once: to make the union at every question takes four times as long as to ask it."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    direction: Vector


@dataclass(frozen=True, slots=True, eq=False)
class Circle:
    """`extent_deg` is the arc's share: 360 for a whole circle."""

    center: Vector
    axis: Vector
    radius_mm: float
    extent_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class OtherCurve:
    """`samples`: shape (k, 3), points of the exact curve in its order, its ends left out; empty where only the mesh is
    known."""

    kind: str
    samples: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))


Curve: TypeAlias = Line | Circle | OtherCurve


SMOOTH_DEG = 1.0
"""Faces that meet within this of 180 degrees are tangent: their edge is smooth."""


class Convexity(Enum):
    """Angle through the material: below 179 degrees convex, above 181 concave, else smooth. `FREE`: only one face."""

    CONVEX = "convex"
    CONCAVE = "concave"
    SMOOTH = "smooth"
    FREE = "free"


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A curve between two different faces; seams of closed surfaces and degenerated edges are not edges.

    `faces`: the two face numbers, equal only where a face truly meets itself at an angle; (f, -1) for a free edge.
    `angle_deg`: through the material, mean over the edge, nan when free; `angle_range_deg` its extremes over it.
    `points`: shape (k, 3), k >= 2, along the curve from `vertices[0]` to `vertices[1]` (equal ends when closed).
    `vertices`: numbers of its end points, shared by edges that meet there.
    """

    faces: tuple[int, int]
    convexity: Convexity
    angle_deg: float
    angle_range_deg: tuple[float, float]
    length_mm: float
    curve: Curve
    vertices: tuple[int, int]
    points: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A closed chain of edges bounding a face, seams left out.

    `edges`: edge numbers in order; `reversed`: which of them run against their own direction, so that the material of
    the face lies to the left when seen from outside. `outer`: the outer boundary (always one on a plane; on closed
    surfaces such as a full cylinder no loop is outer; a cap's only loop is).
    """

    edges: tuple[int, ...]
    reversed: tuple[bool, ...]
    outer: bool


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """`convex`: True where the material lies on the inner side of the curve (a shaft, a round), False where it lies
    outside (a hole, a fillet), None for planes and freeform faces that are both or neither.

    `u_range_rad`: angular range about the axis (cylinder, cone, torus), its width at most 2 pi and 2 pi exactly where
    the face closes round it; it starts anywhere, so only the width has a meaning of its own. `v_range_mm`: range along
    the axis from the surface's origin (cylinder, cone). Both (nan, nan) where they mean nothing. They and `box` are
    the base mesh's: exact at corners and along straight edges and circles, to its deflection elsewhere.
    `point` lies on the face, inside its trim; `normal` is the outward normal there. `centroid` is the center of area.
    `box`: shape (2, 3), lower and upper corner. `area_known`: False where no method could be trusted; the area is then
    its mesh's, of use to weigh the face and no more, and area and volume of the part are nan.
    """

    surface: Surface
    area_mm2: float
    convex: bool | None
    loops: tuple[Loop, ...]
    shell: int
    body: int
    point: Vector
    normal: Vector
    centroid: Vector
    u_range_rad: tuple[float, float]
    v_range_mm: tuple[float, float]
    box: NDArray[np.float64]
    area_known: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Shell:
    """`volume_mm3` is signed: positive for the outside of a body, negative for a void inside it; 0 when open."""

    faces: tuple[int, ...]
    closed: bool
    volume_mm3: float


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One solid: its outer shell and the voids inside it. Volume = outer minus voids; area includes the voids'.

    `box`: shape (2, 3), exact, axis-aligned. `name`: from the file, empty where it has none; `groups`: names of the
    sub-assemblies that hold it, the outermost first, without the whole file's. `volume_uncertainty_mm3`: how far off
    the volume may be because edges lie off their faces.
    """

    outer_shell: int
    void_shells: tuple[int, ...]
    volume_mm3: float
    area_mm2: float
    box: NDArray[np.float64]
    name: str = ""
    groups: tuple[str, ...] = ()
    volume_uncertainty_mm3: float = 0.0


@dataclass(frozen=True, slots=True)
class Source:
    """Where the part came from. `warnings` are sentences for a person (healing, odd units, skipped content).

    `exact`: True for B-rep input; False for patches fitted to a mesh. `sha256`: of the file's bytes, where it is known.
    """

    format: str
    schema: str
    length_unit: str
    exact: bool
    warnings: tuple[str, ...]
    sha256: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """All of a file's bodies as one geometry. `box`: shape (2, 3), exact, axis-aligned. `diagonal_mm`: about the
    largest distance between two of its points, the same however the part lies; that of a block is its diagonal.

    `pmi`: dimensions, tolerances and notes that the file carries; None where it carries none.
    """

    faces: tuple[Face, ...]
    edges: tuple[Edge, ...]
    shells: tuple[Shell, ...]
    bodies: tuple[Body, ...]
    volume_mm3: float
    area_mm2: float
    box: NDArray[np.float64]
    watertight: bool
    source: Source
    pmi: Pmi | None = None
    diagonal_mm: float = field(init=False)

    def __post_init__(self) -> None:
        rims = [edge.points for edge in self.edges]
        span_mm = diameter_mm(np.concatenate(rims)) if rims else 0.0
        # a whole ball or ring has hardly an edge
        object.__setattr__(self, "diagonal_mm", max(span_mm, float(self.size_mm.max())))

    @property
    def size_mm(self) -> Vector:
        """Side lengths of the box, shape (3,)."""
        size: Vector = self.box[1] - self.box[0]
        return size

    @property
    def volume_uncertainty_mm3(self) -> float:
        """How far off the volume may be: that of the bodies, which are independent of each other."""
        return math.hypot(*(body.volume_uncertainty_mm3 for body in self.bodies))

    @property
    def void_count(self) -> int:
        return sum(len(body.void_shells) for body in self.bodies)


def diameter_mm(points: NDArray[np.float64]) -> float:
    """About the largest distance between two of the points (n, 3): from the point farthest from their mean to the one
    farthest from it, and on while it grows. Unlike a box's diagonal it does not change when the points are turned."""
    # column by column, and the sums one number after the other: a seventh of the time that rows of three take
    columns = np.ascontiguousarray(points.T)
    squares, found = _squares(columns, columns.cumsum(axis=1)[:, -1] / len(points)), 0.0
    while True:
        squares = _squares(columns, points[int(squares.argmax())])
        reached = math.sqrt(float(squares.max()))
        if reached <= (1.0 + 1e-9) * found:
            return found
        found = reached


def _squares(columns: NDArray[np.float64], place: Vector) -> NDArray[np.float64]:
    """Squared distances (n,) of points, given by columns (3, n), from a place (3,)."""
    x, y, z = columns - place[:, None]
    # added as numpy's einsum adds them: the last digit moves the start of every ray
    squares: NDArray[np.float64] = x * x + z * z + y * y
    return squares


def fid(face: int) -> str:
    """The face id that users see."""
    return str(face + 1)
