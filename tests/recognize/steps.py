"""Steps along edges of a block, and parts on which nothing is a step. Depth, width and length are those of the cut."""

from __future__ import annotations

import math

from tests.recognize.words import (
    PLATE,
    B,
    Expected,
    Recipe,
    along_x,
    at,
    box,
    chamfer,
    chamfers,
    cut,
    cyl,
    fillet,
    fillets,
    prism,
    rounds,
    shaft,
    shoulders,
    slab,
    step,
    through,
    union,
    walls,
)


def _along_block(outline: list[list[float]]) -> Recipe:
    """A bar along X, past both ends of the block, with this outline of Y and Z."""
    return at(along_x(prism([[-z, y] for y, z in outline], 80)), -10, 0, 0)


EDGE = cut(B, at(box(80, 30, 30), -10, 30, 25))
"""The block with a step of 20 x 15 along X."""

STEPS: dict[str, tuple[Recipe, list[Expected]]] = {
    "step as deep as wide": (cut(B, at(box(80, 30, 30), -10, 38, 28)), [step(12, 12, 60), *walls(6)]),
    "step deeper below one side than the other": (
        cut(B, at(box(80, 30, 30), -10, 42, 15)),
        [step(8, 25, 60), *walls(6)],
    ),
    "steps along two edges": (
        cut(EDGE, at(box(80, 20, 30), -10, -10, 30)),
        [step(15, 20, 60), step(10, 10, 60), *walls(6)],
    ),
    "stairs": (
        cut(B, at(box(80, 40, 30), -10, 30, 30), at(box(80, 40, 30), -10, 40, 20)),
        [step(10, 10, 60), step(10, 10, 60), *walls(6)],
    ),
    "step with a fillet in its corner": (
        fillet(EDGE, 4, [[30, 30, 25]]),
        [step(15, 20, 60), *fillets(1, 4), *walls(6)],
    ),
    "step with rounded edges": (
        fillet(EDGE, 2, [[30, 30, 40], [30, 50, 25]]),
        [step(15, 20, 60), *rounds(2, 2), *walls(6)],
    ),
    "step with a chamfered edge": (
        chamfer(EDGE, 2, [[30, 50, 25]]),
        [step(15, 20, 60), *chamfers(1, 2 * math.sqrt(2)), *walls(6)],
    ),
    "step whose wall leans": (
        cut(B, _along_block([[34, 25], [51, 25], [51, 41], [34 - 16 * 4 / 15, 41]])),
        [step(15, 20, 60), *walls(6)],
    ),
    "step of a floor, a slope and a wall": (
        cut(B, _along_block([[40, 25], [51, 25], [51, 41], [32, 41], [32, 31]])),
        [step(15, 18, 60, 3), *walls(6)],
    ),
    "hole through the floor of a step": (
        cut(EDGE, at(cyl(6, 60), 30, 42, -10)),
        [step(15, 20, 60), through(6, 25), *walls(6)],
    ),
    "stepped shaft has none": (
        union(cyl(40, 30), at(cyl(20, 20), 0, 0, 30)),
        [shaft(40, 30), shaft(20, 20), *shoulders(3)],
    ),
    "angle of sheet has none": (
        cut(box(60, 40, 40), at(box(80, 40, 40), -10, 3, 3)),
        [slab(3, 60 * 37), slab(3, 60 * 37), *walls(4)],
    ),
    "inside corner in the outline of a plate is none": (
        cut(PLATE, at(box(60, 40, 40), 60, 35, -10)),
        [slab(20, 100 * 60 - 40 * 25), *walls(6)],
    ),
}
