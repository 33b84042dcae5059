"""A seeded fault: a sound part and the same part with one thing wrong; and the solids that both are built from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Recipe = dict[str, Any]
Place = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Seeded:
    """`rule` must come out at `level` on the faulty part. `coupled`: other rules that the same fault moves, with the
    reason why it cannot be otherwise."""

    configuration: str
    rule: str
    level: str
    sound: Recipe
    faulty: Recipe
    coupled: Mapping[str, str] = field(default_factory=dict)


def box(x: float, y: float, z: float, at: Place = (0, 0, 0)) -> Recipe:
    return {"move": {"of": {"box": [x, y, z]}, "by": list(at)}}


def rod(d: float, h: float, at: Place = (0, 0, 0)) -> Recipe:
    return {"move": {"of": {"cylinder": {"d": d, "h": h}}, "by": list(at)}}


def rounded_box(x: float, y: float, z: float, r: float, at: Place = (0, 0, 0)) -> Recipe:
    """A box with upright edges of radius r; sharp for 0."""
    if not r:
        return box(x, y, z, at)
    return {"move": {"of": {"fillet": {"of": {"box": [x, y, z]}, "r": r, "edges": "z"}}, "by": list(at)}}


def tapered(x: float, y: float, h: float, deg: float, at: Place = (0, 0, 0)) -> Recipe:
    """A block that narrows by `deg` on its way up."""
    outline = [[0, 0], [x, 0], [x, y], [0, y]]
    prism = {"prism": {"points": outline, "h": h, "taper_deg": deg}} if deg else {"prism": {"points": outline, "h": h}}
    return {"move": {"of": prism, "by": list(at)}}


def lying(of: Recipe, at: Place = (0, 0, 0)) -> Recipe:
    """What stands along Z, laid along X."""
    return {"move": {"of": {"turn": {"of": of, "axis": [0, 1, 0], "deg": 90}}, "by": list(at)}}


def cut(of: Recipe, *tools: Recipe) -> Recipe:
    return {"cut": [of, *tools]}


def union(*parts: Recipe) -> Recipe:
    return {"union": list(parts)}
