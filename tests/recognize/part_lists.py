"""Comparison of what was recognized with the list of features that a part was built with."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

from fettle.geometry.part import Part
from fettle.recognize.feature import Feature, Recognition
from tests.recognize.words import Expected

TOLERANCE = 1e-3


def shuffled(part: Part, dice: random.Random) -> Part:
    """The same part with its faces and edges numbered in another order."""
    faces, edges = list(range(len(part.faces))), list(range(len(part.edges)))
    dice.shuffle(faces)
    dice.shuffle(edges)
    face_to = {old: new for new, old in enumerate(faces)} | {-1: -1}
    edge_to = {old: new for new, old in enumerate(edges)}
    return replace(
        part,
        faces=tuple(
            replace(
                part.faces[old],
                loops=tuple(
                    replace(loop, edges=tuple(edge_to[edge] for edge in loop.edges)) for loop in part.faces[old].loops
                ),
            )
            for old in faces
        ),
        edges=tuple(
            replace(part.edges[old], faces=(face_to[part.edges[old].faces[0]], face_to[part.edges[old].faces[1]]))
            for old in edges
        ),
        shells=tuple(replace(shell, faces=tuple(face_to[face] for face in shell.faces)) for shell in part.shells),
    )


def compare(found: Recognition, expected: list[Expected]) -> None:
    """Each expected feature is found once, and nothing else."""
    left = list(found.features)
    missing = []
    # The most closely described features choose first.
    for kind, fields in sorted(expected, key=lambda item: -len(item[1])):
        match = next((feature for feature in left if feature.kind == kind and _fits(feature, fields)), None)
        if match is None:
            missing.append((kind, fields))
        else:
            left.remove(match)
    assert not missing, f"missing {missing}\nleft over {left}"
    assert not left, f"left over {left}"


def _fits(feature: Feature, fields: dict[str, Any]) -> bool:
    return all(_same(getattr(feature, name), value) for name, value in fields.items() if not _unchecked(name, value))


def _unchecked(name: str, value: Any) -> bool:
    return name in ("width_mm", "length_mm") and value is None


def _same(actual: Any, value: Any) -> bool:
    if isinstance(value, bool | str) or value is None:
        return bool(actual == value)
    if isinstance(value, list):
        return len(actual) == len(value) and all(_same_item(one, two) for one, two in zip(actual, value, strict=True))
    return actual is not None and math.isclose(actual, value, rel_tol=1e-5, abs_tol=TOLERANCE)


def _same_item(actual: Any, value: Any) -> bool:
    if isinstance(value, str):
        return bool(actual == value)
    kind, diameter, end, depth = value
    return actual.type == kind and all(
        math.isclose(one, two, abs_tol=TOLERANCE)
        for one, two in ((actual.diameter_mm, diameter), (actual.end_diameter_mm, end), (actual.depth_mm, depth))
    )
