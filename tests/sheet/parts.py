"""Sheet parts built by code, with their flats by formula: lengths of flats plus theta (r + K t) for every bend."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.part import Part
from tests.recognize.sheets import strip
from tests.recognize.words import Recipe, at, box, cut, cyl, obround, union

VARIANTS = ("as modeled", "turned", "mirrored", "inch", "splines")


def read(recipe: Recipe, unit: str = "mm") -> Part:
    return load(build(recipe, unit), "part.step").part


def variant(recipe: Recipe, name: str, seed: int) -> Part:
    """The part as modeled, turned about an axis of its own, mirrored, in inches, or with every face a spline."""
    if name == "turned":
        axis = [math.cos(seed), math.sin(2.3 * seed), math.cos(1.7 * seed) + 0.1]
        moved: dict[str, Any] = {"turn": {"of": recipe, "axis": axis, "deg": 17.0 + 61.0 * seed % 300}}
        return read({"move": {"of": moved, "by": [100.0 + seed, -50.0, 30.0]}})
    if name == "mirrored":
        return read({"mirror": {"of": recipe, "normal": [1, 0.5, 0.2]}})
    if name == "splines":
        return read({"splines": {"of": recipe}})
    return read(recipe, "in" if name == "inch" else "mm")


@dataclass(frozen=True)
class SheetPart:
    """`flats`: lengths along the part; `bends`: (angle by which it is bent, inside radius), both as modeled; `downs`:
    how many go down. `holes_mm2`, `holes_mm`: area and length of its cut-outs outside bends; `slot`: width of one that
    crosses the first bend."""

    recipe: Recipe
    t: float
    width: float
    flats: tuple[float, ...] = ()
    bends: tuple[tuple[float, float], ...] = ()
    holes_mm2: float = 0.0
    holes_mm: float = 0.0
    shapes: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    downs: int = 0
    kinds: tuple[str, ...] = ()
    slot: float = 0.0

    def length(self, k: float) -> float:
        return sum(self.flats) + sum(math.radians(angle) * (r + k * self.t) for angle, r in self.bends)

    def bent(self, k: float, number: int) -> float:
        """Flat length of a bend."""
        angle, radius = self.bends[number]
        return math.radians(angle) * (radius + k * self.t)

    def area(self, k: float) -> float:
        slot = self.slot * self.bent(k, 0) if self.slot else 0.0
        return self.length(k) * self.width - self.holes_mm2 - slot

    def cut_length(self, k: float) -> float:
        slot = 2 * self.bent(k, 0) if self.slot else 0.0
        return 2 * (self.length(k) + self.width) + self.holes_mm + slot


def folded(
    flats: list[float],
    angles: list[float],
    radius: float,
    t: float = 2.0,
    width: float = 50.0,
    kinds: tuple[str, ...] = (),
) -> SheetPart:
    """A strip with bends across it; the fewer bends of the two directions go down."""
    left = sum(angle > 0 for angle in angles)
    bends = tuple((abs(angle), radius) for angle in angles)
    downs = min(left, len(angles) - left)
    recipe = strip(flats, angles, radius, t, width)
    return SheetPart(recipe, t, width, tuple(flats), bends, downs=downs, kinds=kinds or ("bend",) * len(bends))


def rolled(radius: float, t: float, height: float, deg: float) -> SheetPart:
    """A shell with a gap."""
    ring = {"revolve": {"points": [[radius, 0], [radius + t, 0], [radius + t, height], [radius, height]], "deg": deg}}
    return SheetPart(ring, t, height, (), ((deg, radius),))


def pierced(
    part: SheetPart, tools: list[Recipe], area: float, length: float, shapes: tuple[str, ...], slot: float = 0.0
) -> SheetPart:
    return replace(part, recipe=cut(part.recipe, *tools), holes_mm2=area, holes_mm=length, shapes=shapes, slot=slot)


def standing(recipe: Recipe, x: float, z: float) -> Recipe:
    """A tool along -Y at a place of the first flat of a strip, which lies in XZ."""
    return {"turn": {"of": at(recipe, x, -z, -10), "axis": [1, 0, 0], "deg": -90}}


def cone(radius: float, height: float, half_deg: float, t: float, deg: float) -> Recipe:
    """A shell whose inside is a cone of this radius below, widening upwards, its ends square to the sheet."""
    half = math.radians(half_deg)
    rise, out = height, height * math.tan(half)
    nx, nz = math.cos(half) * t, -math.sin(half) * t
    points = [[radius, 0], [radius + nx, nz], [radius + out + nx, rise + nz], [radius + out, rise]]
    return {"revolve": {"points": points, "deg": deg}}


def on_plate(add: list[Recipe], remove: list[Recipe], marks: tuple[str, ...]) -> SheetPart:
    """A plate of 80 x 60 x 2 with a form; the flat is the plate, the form a mark on it."""
    recipe: Recipe = union(box(80, 60, 2), *add) if add else box(80, 60, 2)
    return SheetPart(cut(recipe, *remove) if remove else recipe, 2.0, 60.0, (80.0,), marks=marks)


def dimple() -> SheetPart:
    profile = [[0, 4], [5.2, 4], [9.2, 0], [14, 0], [14, 2], [10, 2], [6, 6], [0, 6]]
    plate: Recipe = union(
        cut(box(80, 60, 2), at(cyl(28, 10), 40, 30, -4)), at({"revolve": {"points": profile, "deg": 360}}, 40, 30, 0)
    )
    return SheetPart(plate, 2.0, 60.0, (80.0,), marks=("dimple",))


def bead() -> SheetPart:
    return on_plate([at(box(50, 10, 4), 15, 25, 0)], [at(box(46, 6, 2), 17, 27, 0)], ("bead",))


def collar() -> SheetPart:
    return on_plate([at(cyl(14, 8), 40, 30, 0)], [at(cyl(10, 20), 40, 30, -5)], ("collar",))


def louver() -> SheetPart:
    """A hood over a window, open to one side."""
    return on_plate([at(box(40, 12, 6), 20, 24, 2)], [at(box(36, 12, 8), 22, 22, -2)], ("louver",))


def bridge() -> SheetPart:
    """A strap over a window, open on both sides."""
    return on_plate([at(box(40, 12, 6), 20, 24, 2)], [at(box(36, 16, 8), 22, 22, -2)], ("bridge",))


def engraved() -> SheetPart:
    return on_plate([], [at(box(20, 6, 1), 30, 27, 1.5)], ("engraving",))


HOLE_MM2 = math.pi * 4**2
FOLDED: dict[str, SheetPart] = {
    "L bracket": folded([56, 26], [90], 2, width=40),
    "L of 1 mm": folded([30, 20], [90], 1, t=1, width=25),
    "L of 3 mm, wide radius": folded([60, 40], [90], 9, t=3, width=80),
    "V of 45 degrees": folded([40, 40], [45], 3),
    "V of 120 degrees": folded([40, 40], [120], 3),
    "V of 10 degrees": folded([40, 40], [10], 15),
    "channel": folded([46, 92, 46], [90, 90], 2, width=40),
    "Z bracket": folded([40, 30, 40], [90, -90], 3),
    "Z of three bends": folded([40, 30, 30, 40], [90, 90, -90], 3),
    "hat": folded([20, 30, 40, 30, 20], [-90, 90, 90, -90], 2),
    "C with lips": folded([10, 30, 60, 30, 10], [90, 90, 90, 90], 2),
    "W": folded([30, 30, 30, 30], [120, -120, 120], 3),
    "jog": folded([40, 4, 40], [30, -30], 2),
    "jog without a flat between": folded([40, 0, 40], [60, -60], 3),
    "jog of right angles": folded([40, 2, 40], [90, -90], 1),
    "open hem": folded([60, 12], [180], 0.5, kinds=("hem",)),
    "tear-drop hem": folded([60, 12], [200], 3, kinds=("hem",)),
    "pressed hem": folded([60, 12], [180], 0, kinds=("hem",)),
    "two hems": folded([12, 60, 12], [180, 180], 0.5, kinds=("hem", "hem")),
    "hem on a bracket": folded([40, 40, 12], [90, -180], 1, kinds=("bend", "hem")),
    "sharp inside": folded([40, 30], [90], 0),
    "sharp inside, both ways": folded([40, 30, 40], [90, -90], 0),
    "sharp channel": folded([30, 40, 30], [90, 90], 0),
    "curl": folded([60, 0], [270], 4, kinds=("curl",)),
    "curl of 300 degrees": folded([60, 0], [300], 6, t=1.5, kinds=("curl",)),
    "curls at both ends": folded([0, 60, 0], [250, 250], 3, t=1, kinds=("curl", "curl")),
    "closed box section with a gap": folded([20, 40, 30, 40, 9], [90, 90, 90, 90], 1, t=1.5),
    "thin": folded([25, 25], [90], 0.2, t=0.2, width=20),
    "thick": folded([120, 100], [90], 12, t=8, width=100),
    "two radii": SheetPart(strip([30, 30], [90], 5), 2.0, 50.0, (30.0, 30.0), ((90.0, 5.0),), kinds=("bend",)),
    "rolled half": rolled(50, 2, 40, 180),
    "rolled 300 degrees": rolled(40, 1.5, 60, 300),
    "rolled 359 degrees": rolled(60, 1, 30, 359),
    "flat plate": SheetPart(box(80, 60, 2), 2.0, 60.0, (80.0,)),
    "plate with holes": pierced(
        SheetPart(box(80, 60, 2), 2.0, 60.0, (80.0,)),
        [at(cyl(8, 10), 20, 20, -4), at(obround(26, 6, 10), 50, 40, -4), at(box(10, 12, 10), 60, 10, -4)],
        HOLE_MM2 + 20 * 6 + math.pi * 9 + 120,
        8 * math.pi + 40 + 6 * math.pi + 44,
        ("obround", "rectangle", "round"),
    ),
    "bracket with holes": pierced(
        folded([40, 40], [90], 3),
        [standing(cyl(8, 20), 20, 12), standing(cyl(8, 20), 20, 38)],
        2 * HOLE_MM2,
        16 * math.pi,
        ("round", "round"),
    ),
    "bend cut by a slot": pierced(
        folded([40, 40], [90], 3),
        [at(box(30, 30, 10), 30, -5, 20)],
        10 * (10 + 22),
        2 * (10 + 10 + 22),
        ("rectangle",),
        slot=10,
    ),
    "dimple": dimple(),
    "bead": bead(),
    "collar": collar(),
    "louver": louver(),
    "bridge": bridge(),
    "engraving": engraved(),
}
"""Parts whose flat is a rectangle, maybe with cut-outs."""

CONE = {"radius": 40.0, "height": 60.0, "half_deg": 20.0, "t": 1.5, "deg": 300.0}
