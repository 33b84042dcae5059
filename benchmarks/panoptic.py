"""Panoptic quality of recognition: instances of features matched by their faces.

A found instance matches a true one of the same label where their faces overlap by more than half (intersection over
union), so that no instance matches two. PQ is the sum of the overlaps of the matches over TP + FP/2 + FN/2
(Kirillov et al., Panoptic Segmentation, 2019). Faces of the stock belong to no instance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fettle.geometry.part import Part
from fettle.recognize.components import connected_groups
from fettle.recognize.feature import Feature

STOCK = "stock"
SINGLE_FACES = ("chamfer", "round")
Instance = tuple[str, frozenset[int]]
"""Label and faces."""


@dataclass(slots=True)
class PanopticCount:
    """Matches, instances found without a true one, true ones not found, and the sum of the overlaps of the matches."""

    matched: int = 0
    phantom: int = 0
    missed: int = 0
    overlap: float = 0.0

    @property
    def quality(self) -> float:
        every = self.matched + (self.phantom + self.missed) / 2
        return self.overlap / every if every else 1.0


def count_instances(true: Iterable[Instance], found: Iterable[Instance], counts: dict[str, PanopticCount]) -> None:
    """Add the instances of one part to the counts by label."""
    left = list(found)
    for label, faces in true:
        count = counts.setdefault(label, PanopticCount())
        best = max(left, key=lambda other: _overlap(faces, other[1]) if other[0] == label else 0.0, default=None)
        share = _overlap(faces, best[1]) if best is not None and best[0] == label else 0.0
        if best is not None and share > 0.5:
            left.remove(best)
            count.matched += 1
            count.overlap += share
        else:
            count.missed += 1
    for label, _ in left:
        counts.setdefault(label, PanopticCount()).phantom += 1


def _overlap(one: frozenset[int], two: frozenset[int]) -> float:
    return len(one & two) / len(one | two)


def total(counts: Iterable[PanopticCount]) -> PanopticCount:
    """All labels together."""
    every = PanopticCount()
    for count in counts:
        every.matched += count.matched
        every.phantom += count.phantom
        every.missed += count.missed
        every.overlap += count.overlap
    return every


def touching_instances(part: Part, labels: Sequence[str], classes: Sequence[object]) -> list[Instance]:
    """Faces of one class that touch, as instances: what sets that label only faces tell of them. Each bevel and round
    is an instance of its own."""
    pairs = [
        (edge.faces[0], edge.faces[1])
        for edge in part.edges
        if min(edge.faces) >= 0
        and classes[edge.faces[0]] == classes[edge.faces[1]]
        and labels[edge.faces[0]] not in SINGLE_FACES
    ]
    groups = connected_groups(range(len(labels)), pairs)
    return [(labels[group[0]], frozenset(group)) for group in groups if labels[group[0]] != STOCK]


def feature_instances(part: Part, features: Iterable[Feature], labels: Sequence[str]) -> list[Instance]:
    """Features as instances: their faces of the label that most have, each face once; then what is left by touch."""
    taken: set[int] = set()
    found: list[Instance] = []
    for feature in features:
        own = [face for face in feature.faces if face not in taken and labels[face] != STOCK]
        if not own:
            continue
        words = sorted({labels[face] for face in own}, key=lambda word: (-sum(labels[f] == word for f in own), word))
        faces = frozenset(face for face in own if labels[face] == words[0])
        taken |= faces
        found.append((words[0], faces))
    rest = [STOCK if face in taken else label for face, label in enumerate(labels)]
    return found + touching_instances(part, rest, rest)
