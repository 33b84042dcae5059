"""Accuracy and panoptic quality of recognition on random turned blocks with milled features of known labels.

A body of too many prisms is no turned part, and its cuts are then a milled part's: a keyway is a slot or pocket, a flat
a step, a ring groove a slot around a core. `WORDS` takes both as one label. Diameters, shoulders, tapers, bosses, walls
and the sides of a bar's prism are the stock.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.labeled import faces_and_instances
from benchmarks.panoptic import Instance, PanopticCount, count_instances, feature_instances
from benchmarks.part_generators.turned_blocks import STOCK, true_cuts, turned_block
from benchmarks.table import Table
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.recognize import recognize
from fettle.recognize.feature import Feature, Recognition
from fettle.recognize.kinds.flat import ShaftFlat
from fettle.recognize.kinds.slot import Slot

SEEDS = range(250)
WORDS = {
    "HOLE": "hole",
    "GROOVE": "groove",
    "KEYWAY": "recess",
    "SLOT": "recess",
    "POCKET": "recess",
    "STEP": "flat",
}
BAR_FLATS = 3
"""Fewest flats that are the sides of a prism and no flat cut into a circle."""


def labels_of(part: Part, found: Recognition) -> list[str]:
    """Label of every face."""
    words = [STOCK] * len(part.faces)
    for feature in found.features:
        word = _word(feature)
        for face in feature.faces:
            if words[face] == STOCK:
                words[face] = word
    return words


def _word(feature: Feature) -> str:
    if isinstance(feature, Slot) and feature.end_type == "ring":
        return "groove"
    if isinstance(feature, ShaftFlat):
        return "flat" if feature.count < BAR_FLATS else STOCK
    return WORDS.get(feature.kind, STOCK)


def measure(seeds: range) -> tuple[list[tuple[str, str]], dict[str, PanopticCount], int]:
    """Pairs (true, predicted) of the labels of every face, counts of instances by label, and how many are turned."""
    pairs: list[tuple[str, str]] = []
    counts: dict[str, PanopticCount] = {}
    turned = 0
    for seed in seeds:
        tree, cuts = turned_block(seed)
        part = load(build(tree), "part.step").part
        found = recognize(part)
        turned += found.turned is not None
        owner = true_cuts(part, cuts)
        true = [cuts[k].label if k >= 0 else STOCK for k in owner]
        guess = labels_of(part, found)
        instances: list[Instance] = [
            (cut.label, frozenset(face for face, k in enumerate(owner) if k == number))
            for number, cut in enumerate(cuts)
        ]
        named = [one for one in found.features if _word(one) != STOCK]
        count_instances(instances, feature_instances(part, named, guess), counts)
        pairs.extend(zip(true, guess, strict=True))
        for face, (want, got) in enumerate(zip(true, guess, strict=True)):
            if want != got:
                sys.stderr.write(f"  block {seed} face {face}: {want}, recognized as {got}\n")
    return pairs, counts, turned


def tables() -> Iterator[Table]:
    pairs, counts, turned = measure(SEEDS)
    yield faces_and_instances(f"{len(SEEDS)} blocks, {turned} of them turned parts", pairs, counts)
