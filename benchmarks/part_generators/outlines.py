"""Outlines of cuts inside a rectangle of `w` by `h` mm, `w` along an edge and `h` inward, each with its solid.

A drawing is the CSG tree of the solid, `depth` mm high, its closed outline (k, 2) in mm, and the outline of a core that
is left standing, or None. Chords of arcs stay within 1e-4 mm.
"""

from __future__ import annotations

import math
import random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

CsgTree: TypeAlias = dict[str, Any]
Array: TypeAlias = NDArray[np.float64]
Drawing: TypeAlias = tuple[CsgTree, Array, Array | None]


def _prism(points: list[tuple[float, float]], depth: float) -> Drawing:
    return {"prism": {"points": [list(point) for point in points], "h": depth}}, np.array(points), None


def _disc(x: float, y: float, r: float, depth: float) -> CsgTree:
    return {"move": {"of": {"cylinder": {"d": 2 * r, "h": depth}}, "by": [x, y, 0]}}


def _slab(x: float, y: float, width: float, height: float, depth: float) -> CsgTree:
    return {"move": {"of": {"box": [width, height, depth]}, "by": [x, y, 0]}}


def rectangle(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """The whole rectangle."""
    return _prism([(0, 0), (w, 0), (w, h), (0, h)], depth)


def triangle_on_edge(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A triangle whose base is the edge."""
    return _prism([(0, 0), (w, 0), (w / 2, h)], depth)


def triangle_in_corner(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """The half of the rectangle at the corner."""
    return _prism([(0, 0), (w, 0), (0, h)], depth)


def two_sided(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A rectangle with a gable."""
    ratio = rng.uniform(0.4, 0.8)
    return _prism([(0, 0), (w, 0), (w, h * ratio), (w / 2, h), (0, h * ratio)], depth)


def slanted(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A rectangle with its far side aslant."""
    low = 1 - rng.uniform(0.3, 0.6)
    left, right = rng.choice(((h, h * low), (h * low, h)))
    return _prism([(0, 0), (w, 0), (w, right), (0, left)], depth)


def triangle(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A triangle turned at random."""
    turn = rng.uniform(0, 120)
    angles = [turn, turn := turn + rng.uniform(100, 140), turn + rng.uniform(100, 140)]
    r = min(w, h) / 2
    return _prism([(w / 2 + r * math.cos(a), h / 2 + r * math.sin(a)) for a in np.radians(angles)], depth)


def hexagon(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A regular hexagon turned at random."""
    r, turn = min(w, h) / 2, rng.uniform(0, 60)
    angles = np.radians([turn + 60 * k for k in range(6)])
    return _prism([(w / 2 + r * math.cos(a), h / 2 + r * math.sin(a)) for a in angles], depth)


def circle(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """The largest circle."""
    r = min(w, h) / 2
    return _disc(w / 2, h / 2, r, depth), np.array(_arc(w / 2, h / 2, r, 0, 360)), None


def ring(rng: random.Random, w: float, h: float, depth: float) -> Drawing | None:
    """The largest circle with a core of a third of it or more."""
    r = min(w, h) / 2
    core = rng.uniform(r / 3, r - 0.2)
    solid = {"cut": [_disc(w / 2, h / 2, r, depth), _disc(w / 2, h / 2, core, depth)]}
    return solid, np.array(_arc(w / 2, h / 2, r, 0, 360)), np.array(_arc(w / 2, h / 2, core, 0, 360))


def half_disc(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """Half a circle on the edge."""
    r = min(w / 2, h)
    solid = {"common": [_disc(w / 2, 0, r, depth), _slab(w / 2 - r, 0, 2 * r, r, depth)]}
    return solid, np.array(_arc(w / 2, 0, r, 0, 180)), None


def quarter_disc(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A quarter of a circle in the corner."""
    r = min(w, h)
    solid = {"common": [_disc(0, 0, r, depth), _slab(0, 0, r, r, depth)]}
    return solid, np.array([(0, 0), *_arc(0, 0, r, 0, 90)]), None


def obround(rng: random.Random, w: float, h: float, depth: float) -> Drawing | None:
    """Two half circles and what lies between, the longer way."""
    if w < h:
        solid, outline, _ = obround(rng, h, w, depth) or ({}, None, None)
        if outline is None:
            return None
        turned = {"move": {"of": {"turn": {"of": solid, "axis": [0, 0, 1], "deg": 90}}, "by": [w, 0, 0]}}
        return turned, np.column_stack([w - outline[:, 1], outline[:, 0]]), None
    r = min(h / 2, w / 2 - 0.5)
    ends = _disc(r, r, r, depth), _disc(w - r, r, r, depth)
    solid = {"union": [_slab(r, 0, w - 2 * r, 2 * r, depth), *ends]}
    return solid, np.array([*_arc(w - r, r, r, -90, 90), *_arc(r, r, r, 90, 270)]), None


def deep_end(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A rectangle from the edge with a half circle at its inner end."""
    r = w / 2 if h - w / 2 > 1.0 else rng.uniform(0.5, h / 2)
    x, y = w / 2, h - r
    solid = {"union": [_slab(x - r, 0, 2 * r, y, depth), _disc(x, y, r, depth)]}
    return solid, np.array([(x - r, 0), (x + r, 0), *_arc(x, y, r, 0, 180)]), None


def wide_end(rng: random.Random, w: float, h: float, depth: float) -> Drawing:
    """A rectangle along the edge with a quarter circle at both its ends."""
    r = min(h, w / 2 - 0.5)
    box = _slab(0, 0, w, r, depth)
    solid = {
        "common": [box, {"union": [_slab(r, 0, w - 2 * r, r, depth), _disc(r, 0, r, depth), _disc(w - r, 0, r, depth)]}]
    }
    return solid, np.array([*_arc(w - r, 0, r, 0, 90), *_arc(r, 0, r, 90, 180)]), None


def _arc(x: float, y: float, r: float, start_deg: float, end_deg: float) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(start_deg, end_deg, 1 + math.ceil(abs(end_deg - start_deg) * math.sqrt(r) / 0.5)))
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]
