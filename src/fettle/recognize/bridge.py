"""Bridges: blends and chamfers seen as the edges that they replaced, for recognizers that look across them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from fettle.geometry.part import Convexity


# not frozen, and so several times faster to make: a part of blends has hundreds
@dataclass(slots=True, eq=False)
class Bridge:
    """A blend or chamfer between two supports. `sign`: of the edge it replaced. Lengths mm.

    `supports` is empty at a corner where blends meet: it has nothing on its other side.
    """

    region: int
    sign: Convexity
    supports: tuple[int, ...]
    radius_mm: float
    max_radius_mm: float
    length_mm: float
    extent_deg: float


class WithBridges(Protocol):
    """A finding of a recognizer that carries bridges by region number."""

    @property
    def bridges(self) -> Mapping[int, Bridge]: ...
