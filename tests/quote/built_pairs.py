"""Pairs of parts built with two dimensions: one beyond the limit of a rule, the other at it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.rules.seeded.case import Recipe, box, cut, lying, rod, rounded_box
from tests.rules.seeded.turning import bored, grooved

TITANIUM, STAINLESS, ALUMINUM = "Titanium Ti-6Al-4V", "Stainless steel 304", "Aluminum 6061-T6"


BAND = 0.35
"""Of the rate cards: what a price is stated to be within."""


@dataclass(frozen=True, slots=True)
class BuiltPair:
    """`rule` stands against `before`; in `after` its dimension is at the rule's limit. `tolerance`: relative."""

    name: str
    process: str
    rule: str
    material: str
    before: Recipe
    after: Recipe
    tolerance: float = 0.05


def pocket(depth: float, radius: float, x: float = 30, y: float = 24) -> Recipe:
    """A block of 50 x 40 x 45 with a pocket from above."""
    return cut(box(50, 40, 45), rounded_box(x, y, depth, radius, (10, 8, 45 - depth)))


def blind(diameter: float, depth: float) -> Recipe:
    """A block of 40 x 40 x 45 with a hole from above."""
    return cut(box(40, 40, 45), rod(diameter, depth, (20, 20, 45 - depth)))


def through(diameter: float, thickness: float) -> Recipe:
    """A block with a hole through its thickness."""
    return cut(box(60, 50, thickness), rod(diameter, thickness, (25, 25, 0)))


def slot(width: float, depth: float) -> Recipe:
    """A block of 60 x 40 x 45 with a slot across it, open at both ends."""
    return cut(box(60, 40, 45), box(width, 40, depth, (25, 0, 45 - depth)))


def _radius(before: float, depth: float, material: str) -> BuiltPair:
    """Warned below the radius of the preferred end mill, 1.5 mm."""
    name = f"radius {before:g} to 1.5, {depth:g} deep"
    return BuiltPair(name, "cnc:3-axis", "min_internal_radius", material, pocket(depth, before), pocket(depth, 1.5))


def _deep_corner(depth: float, before: float, material: str) -> BuiltPair:
    """Warned beyond 6 radii of depth."""
    name = f"radius {before:g} to {depth / 6:g}, {depth:g} deep"
    after = pocket(depth, depth / 6)
    return BuiltPair(name, "cnc:3-axis", "corner_radius_to_depth", material, pocket(depth, before), after)


def _blind(diameter: float, depth: float, ratio: float, material: str) -> BuiltPair:
    """Warned beyond 4 diameters of depth, failed beyond 10."""
    name = f"hole {diameter:g}, {depth:g} to {ratio * diameter:g} deep"
    after = blind(diameter, ratio * diameter)
    return BuiltPair(name, "cnc:3-axis", "hole_depth_to_diameter", material, blind(diameter, depth), after)


def _through(diameter: float, thickness: float, ratio: float, material: str) -> BuiltPair:
    name = f"through hole {diameter:g} to {thickness / ratio:g}"
    after = through(thickness / ratio, thickness)
    return BuiltPair(name, "cnc:3-axis", "hole_depth_to_diameter", material, through(diameter, thickness), after)


def _slot(width: float, depth: float, ratio: float, material: str) -> BuiltPair:
    """Warned beyond 4 widths of depth, failed beyond 6."""
    name = f"slot {width:g} wide, {depth:g} to {ratio * width:g} deep"
    after = slot(width, ratio * width)
    return BuiltPair(name, "cnc:3-axis", "pocket_aspect", material, slot(width, depth), after)


def _pocket(width: float, depth: float, ratio: float, material: str) -> BuiltPair:
    name = f"pocket {width:g} wide, {depth:g} to {ratio * width:g} deep"
    before, after = pocket(depth, 3, 30, width), pocket(ratio * width, 3, 30, width)
    return BuiltPair(name, "cnc:3-axis", "pocket_aspect", material, before, after)


def _bore(diameter: float, depth: float, material: str) -> BuiltPair:
    """Warned beyond a reach of 6 diameters."""
    name = f"bore {diameter:g}, {depth:g} to {6 * diameter:g} deep"
    before, after = bored(diameter, depth), bored(diameter, 6 * diameter)
    return BuiltPair(name, "turning:bar", "bore_depth", material, before, after)


def _groove(width: float, depth: float, material: str) -> BuiltPair:
    """Warned beyond 3 widths of depth."""
    name = f"groove {width:g} wide, {depth:g} to {3 * width:g} deep"
    before, after = grooved(width, depth), grooved(width, 3 * width)
    return BuiltPair(name, "turning:bar", "groove_depth", material, before, after)


def _wall(thickness: float, material: str) -> BuiltPair:
    """A pocket beside an outer wall, warned below 0.8 mm; its other three walls stay where they are."""
    before, after = (cut(box(50, 40, 20), rounded_box(30 - wall, 24, 12, 4, (wall, 8, 8))) for wall in (thickness, 0.8))
    name = f"wall {thickness:g} to 0.8"
    return BuiltPair(name, "cnc:3-axis", "min_wall_thickness", material, before, after, BAND)


def _setups(material: str) -> BuiltPair:
    """Holes in three sides, warned above two; the third hole moves to the first side."""
    first, second = rod(6, 10, (12, 20, 30)), rod(6, 10, (20, 20, 0))
    before = cut(box(40, 40, 40), first, second, lying(rod(6, 10), (30, 20, 20)))
    after = cut(box(40, 40, 40), first, second, rod(6, 10, (28, 20, 30)))
    return BuiltPair("set-ups 3 to 2", "cnc:3-axis", "setup_count", material, before, after, BAND)


PAIRS = (
    _radius(0.6, 5, TITANIUM),
    _radius(0.8, 5, TITANIUM),
    _radius(1.0, 6, TITANIUM),
    _radius(1.2, 6, TITANIUM),
    _radius(1.0, 9, STAINLESS),
    _radius(0.75, 4, STAINLESS),
    _deep_corner(24, 2, TITANIUM),
    _deep_corner(30, 3, TITANIUM),
    _deep_corner(36, 2.5, STAINLESS),
    _deep_corner(18, 1.5, STAINLESS),
    _blind(3, 20, 4, TITANIUM),
    _blind(5, 30, 4, TITANIUM),
    _blind(6, 36, 4, TITANIUM),
    _blind(2, 30, 10, TITANIUM),
    _blind(4, 24, 4, STAINLESS),
    _through(4, 36, 4, TITANIUM),
    _through(6, 36, 4, TITANIUM),
    _through(3, 24, 4, STAINLESS),
    _slot(4, 22, 4, TITANIUM),
    _slot(5, 27, 4, STAINLESS),
    _slot(4, 32, 6, TITANIUM),
    _pocket(8, 36, 4, TITANIUM),
    _pocket(7, 32, 4, STAINLESS),
    _pocket(8, 38, 4, ALUMINUM),
    _bore(4, 40, TITANIUM),
    _bore(3, 24, TITANIUM),
    _groove(1.5, 6, TITANIUM),
    _groove(1, 6, TITANIUM),
    _wall(0.6, TITANIUM),
    _wall(0.7, STAINLESS),
    _setups(ALUMINUM),
    _setups(TITANIUM),
)
