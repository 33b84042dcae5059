"""Folded sheets: recipes by the way a strip runs, with the bends, plates and cut edges that it must have."""

from __future__ import annotations

import math

from tests.recognize.words import Expected, Recipe, at, bend, box, cut, cyl, prism, slab, through, union, walls

T, WIDTH = 2.0, 50.0
"""Sheet thickness and width of the strip along Z, mm."""


def strip(lengths: list[float], angles: list[float], radius: float, t: float = T, width: float = WIDTH) -> Recipe:
    """Flats of these lengths with bends between them, to the left (above 0) or right, inner radius as given."""
    x = y = heading = 0.0
    pieces: list[Recipe] = []
    for length, angle in zip(lengths, [*angles, 0.0], strict=True):
        if length:
            flat = prism([[0, -t], [length, -t], [length, 0], [0, 0]], width)
            pieces.append(at(_turned(flat, heading), x, y, 0))
        x, y = x + length * _cos(heading), y + length * _sin(heading)
        if not angle:
            continue
        side = 1.0 if angle > 0 else -1.0
        away = radius if angle > 0 else radius + t
        center = (x - side * away * _sin(heading), y + side * away * _cos(heading))
        ring = {
            "revolve": {
                "points": [[radius, 0], [radius + t, 0], [radius + t, width], [radius, width]],
                "deg": abs(angle),
            }
        }
        pieces.append(at(_turned(ring, heading - 90 if angle > 0 else heading + 90 + angle), *center, 0))
        heading += angle
        x, y = center[0] + side * away * _sin(heading), center[1] - side * away * _cos(heading)
    return union(*pieces)


def _turned(recipe: Recipe, deg: float) -> Recipe:
    return {"turn": {"of": recipe, "axis": [0, 0, 1], "deg": deg}} if deg % 360 else recipe


def _cos(deg: float) -> float:
    return math.cos(math.radians(deg))


def _sin(deg: float) -> float:
    return math.sin(math.radians(deg))


def _tray() -> Recipe:
    """A base of 80 x 60 with a flange of 20 on each side, 10 short of the base at both its ends; inner radius 3."""
    flange = strip([1, 20], [90], 3, width=60)
    sides = []
    for deg, reach, width in ((0, 40, 40), (90, 30, 60), (180, 40, 40), (270, 30, 60)):
        one = flange if width == 60 else strip([1, 20], [90], 3, width=40)
        standing = {"turn": {"of": at(one, 0, 0, -width / 2), "axis": [1, 0, 0], "deg": 90}}
        sides.append(_turned(at(standing, reach - 1, 0, 0), deg))
    return union(at(box(80, 60, T), -40, -30, -T), *sides)


HOLE_AREA = math.pi * 4**2
SHEETS: dict[str, tuple[Recipe, list[Expected]]] = {
    "channel": (
        strip([40, 60, 40], [90, 90], 3),
        [*[bend(3, T, 90, WIDTH)] * 2, slab(T, 60 * WIDTH), *[slab(T, 40 * WIDTH)] * 2, *walls(4)],
    ),
    "Z bracket": (
        strip([40, 30, 40], [90, -90], 3),
        [*[bend(3, T, 90, WIDTH)] * 2, slab(T, 30 * WIDTH), *[slab(T, 40 * WIDTH)] * 2, *walls(4)],
    ),
    "obtuse and sharp angles": (
        strip([40, 30, 40], [30, 135], 4),
        [bend(4, T, 30, WIDTH), bend(4, T, 135, WIDTH), slab(T, 30 * WIDTH), *[slab(T, 40 * WIDTH)] * 2, *walls(4)],
    ),
    "open hem": (
        strip([60, 12], [180], 0.5),
        [bend(0.5, T, 180, WIDTH), slab(T, 60 * WIDTH), slab(T, 12 * WIDTH), *walls(4)],
    ),
    "hem pressed flat": (
        # Lip and sheet are one solid; what is left of the sheet beside the lip is 48 long.
        strip([60, 12], [180], 0),
        [bend(0, T, 180, WIDTH), slab(T, 48 * WIDTH), *walls(5)],
    ),
    "Z bracket without radii": (
        strip([40, 30, 40], [90, -90], 0),
        [*[bend(0, T, 90, WIDTH)] * 2, slab(T, 30 * WIDTH), *[slab(T, 40 * WIDTH)] * 2, *walls(4)],
    ),
    "tray with four flanges": (
        _tray(),
        [
            *[bend(3, T, 90, 40), bend(3, T, 90, 60)] * 2,
            slab(T, 80 * 60),
            *[slab(T, 20 * 40), slab(T, 20 * 60)] * 2,
            *walls(20),
        ],
    ),
    "bent sheet with holes in the flats": (
        cut(
            strip([40, 40], [90], 3),
            *[{"turn": {"of": at(cyl(8, 20), 20, -z, -10), "axis": [1, 0, 0], "deg": -90}} for z in (12, 38)],
        ),
        [
            *[through(8, T)] * 2,
            bend(3, T, 90, WIDTH),
            slab(T, 40 * WIDTH),
            slab(T, 40 * WIDTH - 2 * HOLE_AREA),
            *walls(4),
        ],
    ),
    "hole across a bend": (
        cut(
            strip([40, 40], [90], 10),
            at({"turn": {"of": cyl(6, 40), "axis": [1, 1, 0], "deg": 90}}, 40, 10, 25),
        ),
        [
            ("HOLE", {"diameter_mm": 6, "through": True, "partial": False}),
            bend(10, T, 90, WIDTH),
            *[slab(T, 40 * WIDTH)] * 2,
            *walls(4),
        ],
    ),
}
