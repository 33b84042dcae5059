"""Random turned blocks with milled features, with the true label and the cut of every face.

The body is a stack of round, square and hexagonal sections and tapers about one axis; circles may touch the sides of
the prism beside them. Every section holds at most one cut, so that every label is certain: a face belongs to the cut on
whose surface it lies, else to the stock.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part

CsgTree = dict[str, Any]
Points = NDArray[np.float64]
STOCK = "stock"
SIZES = (20.0, 24.0, 30.0, 36.0, 44.0)
"""Diameters and widths across flats of the sections, mm."""
LENGTHS = (20.0, 26.0, 32.0)
ON_SURFACE = 1e-4
"""Distance up to which a point lies on the surface of a cut, mm."""
REACH = 60.0
"""Length that tools stick out of the part, mm."""


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of the body from `low` to `high` mm along Z; `sides`: 0 for round; `size` and `end_size`: diameter or
    width across flats at its two ends."""

    sides: int
    size: float
    end_size: float
    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class TurnedCut:
    """A cut: its label, its tool, and whether points (3,) lie on its surface."""

    label: str
    tool: CsgTree
    holds: Callable[[Points], bool]


def turned_block(seed: int) -> tuple[CsgTree, list[TurnedCut]]:
    """CSG tree of a turned block, and its cuts."""
    dice = random.Random(seed)
    sections = _sections(dice)
    cuts: list[TurnedCut] = []
    for number, section in enumerate(sections):
        ends = number in (0, len(sections) - 1)
        kinds = [kind for kind in (ROUND_CUTS if section.sides == 0 else FLAT_CUTS) if ends or kind not in END_CUTS]
        if section.size == section.end_size and dice.random() < 0.7:
            cuts.append(dice.choice(kinds)(dice, section, number == 0))
    body = {"union": [_solid(section) for section in sections]}
    return {"cut": [body, *(cut.tool for cut in cuts)]} if cuts else body, cuts


def true_cuts(part: Part, cuts: list[TurnedCut]) -> list[int]:
    """Number of the cut on whose surface each face lies, -1 for the stock."""
    return [next((k for k, cut in enumerate(cuts) if cut.holds(face.point)), -1) for face in part.faces]


def _sections(dice: random.Random) -> list[Section]:
    sections: list[Section] = []
    z = 0.0
    for _ in range(dice.randint(2, 5)):
        before = sections[-1] if sections else None
        sides = dice.choice((0, 0, 0, 0, 4, 6))
        # two prisms of one kind beside one another, or two equal circles, would be one section
        sizes = [size for size in SIZES if before is None or (size, sides) != (before.end_size, before.sides)]
        size = dice.choice(sizes)
        if before is not None and before.sides > 0 and sides > 0:
            sides = 0
        end = dice.choice([d for d in SIZES if d != size]) if sides == 0 and dice.random() < 0.15 else size
        if before is not None and before.sides == 0 and sides == 0 and before.end_size == size:
            continue
        length = dice.choice(LENGTHS)
        sections.append(Section(sides, size, end, z, z + length))
        z += length
    return sections


def _solid(section: Section) -> CsgTree:
    height = section.high - section.low
    if section.sides:
        radius = section.size / 2 / math.cos(math.pi / section.sides)
        turns = [2 * math.pi * (k + 0.5) / section.sides for k in range(section.sides)]
        solid: CsgTree = {
            "prism": {"points": [[radius * math.cos(t), radius * math.sin(t)] for t in turns], "h": height}
        }
    elif section.size != section.end_size:
        solid = {"cone": {"d": section.size, "d2": section.end_size, "h": height}}
    else:
        solid = {"cylinder": {"d": section.size, "h": height}}
    return {"move": {"of": solid, "by": [0, 0, section.low]}}


def _frame(deg: float) -> tuple[Points, Points]:
    """Unit vectors outward and around the axis at an angle."""
    turn = math.radians(deg)
    return np.array([math.cos(turn), math.sin(turn), 0.0]), np.array([-math.sin(turn), math.cos(turn), 0.0])


def _box(deg: float, low: tuple[float, float, float], high: tuple[float, float, float]) -> tuple[CsgTree, Any]:
    """A box in the frame (outward, around, along) of an angle, and the test of its surface."""
    solid = {"move": {"of": {"box": [b - a for a, b in zip(low, high, strict=True)]}, "by": list(low)}}
    out, around = _frame(deg)
    lows, highs = np.array(low), np.array(high)

    def holds(point: Points) -> bool:
        local = np.array([point @ out, point @ around, point[2]])
        inside = bool((local > lows - ON_SURFACE).all() and (local < highs + ON_SURFACE).all())
        return inside and float(np.minimum(np.abs(local - lows), np.abs(local - highs)).min()) < ON_SURFACE

    return {"turn": {"of": solid, "axis": [0, 0, 1], "deg": deg}}, holds


def _bar(deg: float, z: float, d: float, start: float) -> tuple[CsgTree, Any]:
    """A drill of a diameter at a height, from `start` mm outward of the axis on, and the test of its surface."""
    lying = {"turn": {"of": {"cylinder": {"d": d, "h": REACH - start}}, "axis": [0, 1, 0], "deg": 90}}
    out, around = _frame(deg)

    def holds(point: Points) -> bool:
        along = float(point @ out)
        away = math.hypot(float(point @ around), float(point[2]) - z)
        skin = abs(away - d / 2) < ON_SURFACE and along > start - ON_SURFACE
        return skin or (abs(along - start) < ON_SURFACE and away < d / 2 + ON_SURFACE)

    moved = {"move": {"of": lying, "by": [start, 0, z]}}
    return {"turn": {"of": moved, "axis": [0, 0, 1], "deg": deg}}, holds


def _upright(x: float, y: float, d: float, low: float, high: float, core: float = 0.0) -> tuple[CsgTree, Any]:
    """A cylinder or ring along the axis, and the test of its surface."""
    solid: CsgTree = {"cylinder": {"d": d, "h": high - low}}
    if core:
        solid = {"cut": [solid, {"cylinder": {"d": core, "h": high - low}}]}

    def holds(point: Points) -> bool:
        away = math.hypot(float(point[0]) - x, float(point[1]) - y)
        if not low - ON_SURFACE < point[2] < high + ON_SURFACE:
            return False
        skin = min(abs(away - d / 2), abs(away - core / 2) if core else math.inf) < ON_SURFACE
        ends = min(abs(point[2] - low), abs(point[2] - high)) < ON_SURFACE
        return skin or (bool(ends) and core / 2 - ON_SURFACE < away < d / 2 + ON_SURFACE)

    return {"move": {"of": solid, "by": [x, y, low]}}, holds


def _facing(dice: random.Random, section: Section) -> float:
    """Angle of a cut: square to a side of a prism, any about a circle."""
    if section.sides == 0:
        return 360.0 * dice.random()
    return 360.0 * dice.randrange(section.sides) / section.sides


def _cross_hole(dice: random.Random, section: Section, _first: bool) -> TurnedCut:
    return TurnedCut("hole", *_bar(_facing(dice, section), section.middle, dice.choice((3.0, 5.0, 7.0)), -REACH))


def _blind_hole(dice: random.Random, section: Section, _first: bool) -> TurnedCut:
    start = section.size / 2 - dice.choice((4.0, 6.0, 8.0))
    return TurnedCut("hole", *_bar(_facing(dice, section), section.middle, dice.choice((3.0, 5.0)), start))


def _groove(dice: random.Random, section: Section, _first: bool) -> TurnedCut:
    width, depth = dice.choice(((1.6, 1.0), (3.0, 2.0), (4.0, 1.5)))
    low = section.middle - width / 2
    return TurnedCut("groove", *_upright(0, 0, 2 * REACH, low, low + width, section.size - 2 * depth))


def _flat(dice: random.Random, section: Section, _first: bool) -> TurnedCut:
    depth, half = dice.choice((1.5, 3.0)), dice.choice((4.0, 6.0))
    low = (section.size / 2 - depth, -REACH, section.middle - half)
    return TurnedCut("flat", *_box(_facing(dice, section), low, (REACH, REACH, section.middle + half)))


def _recess(dice: random.Random, section: Section, _first: bool) -> TurnedCut:
    """A rectangular recess: a keyway on a circle, a pocket or a slot on a flat."""
    width, depth, half = dice.choice((4.0, 6.0)), dice.choice((3.0, 4.0)), dice.choice((5.0, 8.0))
    low = (section.size / 2 - depth, -width / 2, section.middle - half)
    return TurnedCut("recess", *_box(_facing(dice, section), low, (REACH, width / 2, section.middle + half)))


def _across(dice: random.Random, section: Section, _first: bool) -> TurnedCut:
    """A slot across a side of a prism, from edge to edge."""
    depth, half = dice.choice((1.5, 2.5)), dice.choice((2.0, 3.0))
    low = (section.size / 2 - depth, -REACH, section.middle - half)
    return TurnedCut("recess", *_box(_facing(dice, section), low, (REACH, REACH, section.middle + half)))


def _end_mm(section: Section, first: bool, depth: float) -> tuple[float, float]:
    """Heights of a cut of a depth into the free end of a section."""
    return (section.low - REACH, section.low + depth) if first else (section.high - depth, section.high + REACH)


def _end_slot(dice: random.Random, section: Section, first: bool) -> TurnedCut:
    half = dice.choice((1.5, 2.5))
    low, high = _end_mm(section, first, dice.choice((3.0, 4.0)))
    return TurnedCut("recess", *_box(_facing(dice, section), (-REACH, -half, low), (REACH, half, high)))


def _bore(dice: random.Random, section: Section, first: bool) -> TurnedCut:
    low, high = _end_mm(section, first, dice.choice((8.0, 14.0)))
    return TurnedCut("hole", *_upright(0, 0, dice.choice((6.0, 10.0)), low, high))


def _axial_hole(dice: random.Random, section: Section, first: bool) -> TurnedCut:
    out, _ = _frame(360.0 * dice.random())
    low, high = _end_mm(section, first, dice.choice((6.0, 10.0)))
    away = (section.size / 2 - 3.5) * out
    return TurnedCut("hole", *_upright(float(away[0]), float(away[1]), 3.0, low, high))


CutMaker = Callable[[random.Random, Section, bool], TurnedCut]
ROUND_CUTS: tuple[CutMaker, ...] = (
    _cross_hole, _blind_hole, _groove, _flat, _recess, _end_slot, _bore, _axial_hole
)  # fmt: skip
FLAT_CUTS: tuple[CutMaker, ...] = (_cross_hole, _blind_hole, _recess, _across, _end_slot, _bore, _axial_hole)
END_CUTS: tuple[CutMaker, ...] = (_end_slot, _bore, _axial_hole)
