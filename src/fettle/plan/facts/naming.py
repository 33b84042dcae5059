"""Faces by the feature they belong to: prices name features, not faces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fettle.recognize.kinds.hole import Hole

if TYPE_CHECKING:
    from fettle.analysis import Analysis

THREAD = "thread"


def feature_faces(analysis: Analysis) -> dict[int, int]:
    """Of every face of a feature the one that names it; a face of several belongs to the first."""
    named: dict[int, int] = {}
    for feature in analysis.recognition.features:
        for face in feature.faces:
            named.setdefault(face, feature.faces[0])
    return named


def name_of(faces: Sequence[int], named: dict[int, int], fids: Sequence[str]) -> str:
    """Id of the face that names the feature of some faces: of the first that belongs to one, else the first itself."""
    return fids[next((named[face] for face in faces if face in named), faces[0])]


def threaded_holes(analysis: Analysis) -> list[Hole]:
    """Holes with a modeled thread."""
    return [
        feature
        for feature in analysis.recognition.features
        if isinstance(feature, Hole) and any(stage.type == THREAD for stage in feature.stages)
    ]
