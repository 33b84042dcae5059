"""What recognition returns: the role of every face, and features with their dimensions.

Each kind of feature has a module of its own in `fettle.recognize.kinds`. Field names are the ones users see in JSON;
the unit follows from the name's ending (`_mm`, `_mm2`, `_mm3`, `_deg`), `None` is a dimension that a feature lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from fettle.recognize.pattern import Pattern
from fettle.recognize.revolution import Revolution
from fettle.recognize.turned_part import LiveFeature, TurnedPart

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Role:
    """The one role of a face. `code` is part of the API; `title` is the name users see, for example `Hole wall`."""

    code: int
    title: str


UNCLASSIFIED = Role(0, "Unclassified")
"""Role of a face that no feature claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A group of faces with a purpose and dimensions; each kind is a subclass that sets `kind`."""

    kind: ClassVar[str]

    faces: Annotated[tuple[int, ...], "Numbers of all member faces, the largest first."]
    confidence: Annotated[float, "1 on exact geometry, lower on surfaces fitted to a mesh."] = 1.0


F_co = TypeVar("F_co", bound=Feature, covariant=True)


# not frozen, and so several times faster to make: every feature has one
@dataclass(slots=True, eq=False)
class Claim(Generic[F_co]):
    """A recognized feature with the role that it claims for each of its regions, by region number."""

    feature: F_co
    roles: Mapping[int, Role]


def claimed_regions(claims: Iterable[Claim[Feature]]) -> frozenset[int]:
    """Numbers of all regions that some claims give a role."""
    return frozenset(number for claim in claims for number in claim.roles)


@dataclass(frozen=True, slots=True, eq=False)
class Recognition:
    """Roles and features of a part.

    `roles`: shape (faces,) int, codes of `Role`. `sharp_concave_edges`: edge numbers of concave edges without a blend.
    `coverage_faces`, `coverage_area`: shares (0..1) of faces and of area whose role is not Unclassified.
    `thread_faces`: faces of modeled threads, flanks, crests and roots.
    `revolutions`: shares of the area about the main axes, the best first. `turned`: None unless the part is turned.
    `live`: features of a turned part that are not turned, by growing z. `patterns`: equal holes and slots on a circle,
    line or grid.
    """

    roles: NDArray[np.int32]
    features: tuple[Feature, ...]
    sharp_concave_edges: tuple[int, ...]
    coverage_faces: float
    coverage_area: float
    thread_faces: tuple[int, ...] = ()
    revolutions: tuple[Revolution, ...] = ()
    turned: TurnedPart | None = None
    live: tuple[LiveFeature, ...] = ()
    patterns: tuple[Pattern, ...] = ()
