"""Flats of the corpus, how well they fold back, and what they cost beside the floor.

Every part either lies flat and folds back, or says why not; at K 0.5 the blank must have the volume of the part. The
cost is that of a perforated channel built by code, because the corpus has no large sheet part.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.floor import Clock, corpus, floor, real_parts
from benchmarks.table import Table
from fettle.errors import CannotUnfold
from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.sheet.allowance import KFactor
from fettle.sheet.unfold import unfold

ROUNDS = 5
HOLES = (8, 20)
"""Of the channel: across the web and along it; 2 x 3 faces each way and one a hole."""


def channel() -> CsgNode:
    """A channel of 2 mm sheet, 220 x 100 x 40, with rows of holes in its web."""
    outside = {"fillet": {"of": {"box": [220, 100, 40]}, "r": 4, "edges": [[110, 0, 0], [110, 100, 0]]}}
    hollow = {"move": {"of": {"box": [240, 96, 50]}, "by": [-10, 2, 2]}}
    rounded = {"fillet": {"of": hollow, "r": 2, "edges": [[110, 2, 2], [110, 98, 2]]}}
    across, along = HOLES
    holes = [
        {"move": {"of": {"cylinder": {"d": 5, "h": 10}}, "by": [15 + 10 * i, 15 + 10 * j, -4]}}
        for i in range(along)
        for j in range(across)
    ]
    return {"cut": [outside, rounded, *holes]}


def outcome(part: Part) -> str:
    """What became of a part, in words."""
    try:
        flat = unfold(part, KFactor(0.5))
    except CannotUnfold as reason:
        return str(reason)
    body = part.bodies[flat.flat.body]
    blank = flat.flat.area_mm2 * flat.flat.thickness_mm / body.volume_mm3 - 1
    formed = f", {len(flat.flat.marks)} marks" if flat.flat.marks else ""
    return (
        f"flat: {flat.flat.thickness_mm:.4g} mm, {len(flat.flat.bends)} bends{formed}, folds back within "
        f"{flat.refold.max_deviation_mm:.1e} mm, blank's volume at K 0.5 off by {blank:+.1e}"
    )


def tables() -> Iterator[Table]:
    yield cost()
    root = corpus()
    rows = [
        (path.relative_to(root).as_posix(), outcome(load(path.read_bytes(), path.name).part)) for path in real_parts()
    ]
    flat = sum(found.startswith("flat") for _, found in rows)
    title = f"{flat} of {len(rows)} parts lie flat, the others say why not"
    yield Table(title, ("part", "flat, or why there is none"), tuple(rows))


def cost() -> Table:
    data, clock = build(channel()), Clock()
    part = load(data, "channel.step").part
    for _ in range(ROUNDS):
        clock.time("floor", floor, data)
        clock.time("unfold", unfold, part)
    spent, ratio = clock.best_ms, clock.median_ratio({"unfold": 1.0}, "floor")
    return Table(
        "Cost",
        ("part", "faces", "floor ms", "unfold ms", "of the floor (at most 0.3)"),
        (("channel", str(len(part.faces)), f"{spent['floor']:.0f}", f"{spent['unfold']:.0f}", f"{ratio:.2f}"),),
    )
