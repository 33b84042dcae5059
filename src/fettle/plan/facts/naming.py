"""Faces by the feature they belong to: prices name features, not faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fettle.recognize.kinds.hole import Hole

if TYPE_CHECKING:
    from fettle.analysis import Analysis

THREAD = "thread"


@dataclass(frozen=True, slots=True)
class FaceNames:
    """`fids`: ids of a body's faces in the file; `main_face`: of every face of a feature the one that names it."""

    fids: Sequence[str]
    main_face: dict[int, int]

    def of(self, faces: Sequence[int]) -> str:
        """Id of the face that names the feature of some faces: of the first that belongs to one, else the first
        itself."""
        return self.fids[next((self.main_face[face] for face in faces if face in self.main_face), faces[0])]


def name_faces(analysis: Analysis, fids: Sequence[str]) -> FaceNames:
    """Names of the faces of a body; a face of several features belongs to the first."""
    main_face: dict[int, int] = {}
    for feature in analysis.recognition.features:
        for face in feature.faces:
            main_face.setdefault(face, feature.faces[0])
    return FaceNames(fids, main_face)


def threaded_holes(analysis: Analysis) -> list[Hole]:
    """Holes with a modeled thread."""
    return [
        feature
        for feature in analysis.recognition.features
        if isinstance(feature, Hole) and any(stage.type == THREAD for stage in feature.stages)
    ]
