"""Random machined blocks: the words of cuts that keep apart are known; cuts that meet must leave a sound answer."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks.labeled import predicted
from benchmarks.part_generators.machined_blocks import machined_block
from benchmarks.part_generators.random_blocks import random_block, true_labels
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.recognize import recognize
from fettle.recognize.blend_feature import Blend
from fettle.recognize.feature import Feature
from fettle.recognize.kinds.chamfer import Chamfer
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.kinds.wall import Wall
from tests.counts import some


@pytest.mark.parametrize("seed", range(8))
def test_cuts_that_keep_apart_have_their_words(seed: int) -> None:
    recipe, placed = random_block(seed, 3 + seed % 6, apart=True)
    part = load(build(recipe), "part.step").part
    assert predicted(part, recognize(part)) == true_labels(part, placed)


@pytest.mark.parametrize("seed", [8, 9, 6000, 7000])
def test_cuts_that_meet_as_in_the_public_sets_have_their_words(seed: int) -> None:
    part, true, _ = machined_block(seed, 3 + seed % 8)
    assert predicted(part, recognize(part)) == true


@pytest.mark.parametrize("seed", some(range(1000, 1012), every=2))
def test_cuts_that_meet_leave_no_face_in_two_features_and_no_absurd_size(seed: int) -> None:
    recipe, _ = random_block(seed, 3 + seed % 6, apart=False)
    part = load(build(recipe), "part.step").part
    found = recognize(part)
    owned = {face for feature in found.features for face in feature.faces}
    assert owned == set(np.flatnonzero(found.roles).tolist())
    # These share no face with one another; aggregates (fillets of a pocket, a boss around its bore) may.
    for kinds in ((Hole, Wall), (Pocket, Wall), (Slot, Wall), (Pocket, Slot), (Blend,), (Chamfer,), (Wall,)):
        times = Counter(face for feature in found.features if isinstance(feature, kinds) for face in feature.faces)
        assert not [face for face, count in times.items() if count > 1], kinds
    assert not [
        (feature, name, size)
        for feature in found.features
        for name, size in _sizes(feature)
        if not 1e-6 < size < 1.001 * part.diagonal_mm
    ]


def _sizes(feature: Feature) -> list[tuple[str, float]]:
    """Lengths that a cut or what stands must have: above nothing, and no longer than the part."""
    names = ("diameter_mm", "depth_mm", "width_mm", "length_mm", "height_mm", "thickness_mm", "mouth_width_mm")
    around = isinstance(feature, Slot) and feature.end_type == "ring"
    return [
        (name, getattr(feature, name))
        for name in names
        if hasattr(feature, name) and not isinstance(feature, Blend) and not (around and name == "length_mm")
    ]
