"""Fields of a file of several bodies, joined from those of its bodies: no body is in the way of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.measure.context import FaceSamples, SampledSurface, sum_by
from fettle.measure.readings import Triple, WallField
from fettle.measure.visibility import Visibility


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredBodies:
    """Bodies of a file that were measured together. faces (k,): the file's numbers of the faces of its part."""

    faces: NDArray[np.int32]
    visibility: Visibility


class JoinedVisibility:
    """Visibility of the points of a file, answered by its pieces. mesh: of the file, piece after piece."""

    def __init__(self, part: Part, mesh: Mesh, pieces: Sequence[MeasuredBodies]) -> None:
        own = [piece.visibility.context for piece in pieces]
        self._pieces = [piece.visibility for piece in pieces]
        self._ends = np.cumsum([len(context.mesh.points) for context in own])
        starts = self._ends - [len(context.mesh.points) for context in own]
        area = np.concatenate([context.area_mm2 for context in own])
        samples = FaceSamples(
            rows=np.concatenate([context.samples.rows + start for context, start in zip(own, starts, strict=True)]),
            faces=np.concatenate([piece.faces[piece.visibility.context.samples.faces] for piece in pieces]),
            area_mm2=np.concatenate([context.samples.area_mm2 for context in own]),
            probes=np.concatenate([context.samples.probes for context in own]),
        )
        face_area = sum_by(mesh.point_face, area, len(part.faces))
        self.context = SampledSurface(part, mesh, area, face_area, samples)

    def free(self, direction: Triple) -> NDArray[np.bool_]:
        """As `Visibility.free`, at the samples of all pieces."""
        return np.concatenate([piece.free(direction) for piece in self._pieces])

    def free_at(self, rows: NDArray[np.int64], direction: Triple) -> NDArray[np.bool_]:
        """As `Visibility.free_at`; rows (k,) of the file's points."""
        answer, number, start = np.empty(len(rows), np.bool_), np.searchsorted(self._ends, rows, side="right"), 0
        for place, (piece, end) in enumerate(zip(self._pieces, self._ends.tolist(), strict=True)):
            own = number == place
            answer[own] = piece.free_at(rows[own] - start, direction)
            start = end
        return answer

    def free_everywhere(self, direction: Triple) -> NDArray[np.bool_]:
        """As `Visibility.free_everywhere`, at all points of the file."""
        return np.concatenate([piece.free_everywhere(direction) for piece in self._pieces])


def join_walls(pieces: Sequence[MeasuredBodies], walls: Sequence[WallField]) -> WallField:
    """The readings of all pieces, one after the other, by the file's face numbers."""
    columns = {
        one.name: np.concatenate([getattr(field, one.name) for field in walls])
        for one in fields(WallField)
        if one.name != "opposite_face"
    }
    across = [
        np.where(field.opposite_face >= 0, piece.faces[field.opposite_face], -1)
        for piece, field in zip(pieces, walls, strict=True)
    ]
    return WallField(opposite_face=np.concatenate(across).astype(np.int32, copy=False), **columns)
