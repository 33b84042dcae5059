"""Shafts with center holes of the standard's sizes, and with holes that are none."""

from __future__ import annotations

import math

from tests.recognize.turned import Case, stack, turned_list
from tests.recognize.words import Recipe, cut


def center_hole(pilot: float, seat: float, guard: float | None, depth: float, z: float) -> Recipe:
    """What a center drill cuts into the face at a height: pilot, seat of 60 and guard of 120 degrees."""
    top = (guard - seat) / 2 / math.tan(math.radians(60)) if guard is not None else 0.0
    foot = z - top - (seat - pilot) / 2 / math.tan(math.radians(30))
    section = [[0, foot - depth], [pilot / 2, foot - depth], [pilot / 2, foot], [seat / 2, z - top]]
    rim = (guard or seat) / 2
    return {"revolve": {"points": [*section, *([[rim, z]] if guard else []), [rim, z + 1], [0, z + 1]]}}


def centered_parts() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for pilot, seat, guard, depth in ((1.6, 3.35, None, 2.0), (2.5, 5.3, 8.0, 3.1), (6.3, 13.2, None, 7.4)):
        found[f"center hole of {pilot} in the end of a shaft"] = (
            cut(stack((40, 80)), center_hole(pilot, seat, guard, depth, 80)),
            [("HOLE", {"diameter_mm": pilot, "center_hole": True, "thread_candidates": []}), *turned_list((40, 80))],
        )
    for angle, name in ((90, "countersunk hole"), (60, "deep hole under a seat of 60 degrees")):
        depth = 8 if angle == 90 else 30
        seat = 2.5 / math.tan(math.radians(angle / 2))
        points = [[0, 80 - depth], [2.5, 80 - depth], [2.5, 80 - seat], [5, 80], [5, 81], [0, 81]]
        found[f"{name} is no center hole"] = (
            cut(stack((40, 80)), {"revolve": {"points": points}}),
            [("HOLE", {"diameter_mm": 5, "center_hole": False}), *turned_list((40, 80))],
        )
    return found
