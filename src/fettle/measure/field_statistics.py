"""Area-weighted statistics of a field over sets of faces: triangles differ in size, so points differ in weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import accumulate, chain
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.measure.readings import TIP, FieldStatistics, WallField

TIP_LENGTH = 0.03
"""Length of a wedge's tip without readings, as a fraction of the diagonal: that of a wedge of 1.5 degrees."""
BESIDE_TIP = 2.5 * TIP
"""Largest reading, as a fraction of the diagonal, that is beside the tip of a wedge. A larger one beside points without
reading represents them only up to the length of a mesh edge."""


@dataclass(frozen=True, eq=False)
class FieldSamples:
    """A field over the points of a mesh: rows (n,) of the points face after face, those of face f at
    `first[f]:first[f + 1]`; area (n,) of each point; weight (n,), the area that its value represents; and half the step
    (n,) of the field at the point."""

    mesh: Mesh
    field: WallField
    rows: NDArray[np.uint64]
    first: NDArray[np.uint64]
    area_mm2: NDArray[np.float64]
    weight_mm2: NDArray[np.float64]
    half_step_mm: NDArray[np.float64]

    def rows_of(self, faces: Sequence[int]) -> NDArray[np.uint64]:
        """Rows (k,) of the points of some faces, face after face."""
        parts = [self.rows[self.first[face] : self.first[face + 1]] for face in faces]
        return np.concatenate(parts) if parts else self.rows[:0]


def sample_field(mesh: Mesh, face_count: int, field: WallField) -> FieldSamples:
    """Prepare a field at the mesh points for statistics by face."""
    values = field.value_mm
    # compiled code asks of every index that has a sign whether it counts from the end
    rows = mesh.rows_by_face.view(np.uint64)
    first = np.zeros(face_count + 1, np.uint64)
    np.cumsum(np.bincount(mesh.point_face, minlength=face_count), out=first[1:])
    diagonal_mm, edge_mm = mesh.diameter_mm, mesh.max_edge_mm
    reach_mm = np.where(values <= BESIDE_TIP * diagonal_mm, max(TIP_LENGTH * diagonal_mm, edge_mm), edge_mm)
    compiled = _compiled()
    area = mesh.point_areas_mm2()
    triangles = unsigned(mesh.triangles)
    weight = compiled.nearest_reading_weights(mesh.points, triangles, area, values, reach_mm)
    half_step = compiled.half_steps(triangles, values)
    return FieldSamples(mesh, field, rows, first, area, weight, half_step)


def statistics(samples: FieldSamples, faces: Sequence[int] | None = None) -> FieldStatistics:
    """Statistics over the given faces, or over all of them."""
    return statistics_by_group(samples, [range(len(samples.first) - 1) if faces is None else faces])[0]


def statistics_by_group(samples: FieldSamples, groups: Sequence[Sequence[int]]) -> list[FieldStatistics]:
    """Statistics over each of many groups of faces, in one pass."""
    faces = np.fromiter(chain.from_iterable(groups), np.uint64)
    ends = np.fromiter(accumulate(map(len, groups), initial=0), np.uint64)
    figures, least = _compiled().group_statistics(
        samples.field.value_mm,
        samples.area_mm2,
        samples.weight_mm2,
        samples.half_step_mm,
        *samples.field.ranks,
        samples.rows,
        samples.first,
        faces,
        ends,
    )
    measured = np.flatnonzero(least >= 0)
    smallest = least[measured]
    faces_of_smallest = samples.mesh.point_face[smallest].tolist()
    positions = (samples.mesh.points[smallest] + 0.0).tolist()
    read = zip(measured.tolist(), figures[measured].tolist(), faces_of_smallest, positions, strict=True)
    found = [FieldStatistics(None, None, None, None, None, None, None, None, 0.0)] * len(groups)
    for number, (fraction, raw_min, low, median, high, mean, deviation), face, (x, y, z) in read:
        found[number] = FieldStatistics(
            min_mm=low,
            raw_min_mm=raw_min,
            mean_mm=mean,
            median_mm=median,
            p95_mm=high,
            cv=deviation / mean if mean > 0.0 else None,
            face=face,
            position_mm=(x, y, z),
            measured_fraction=fraction,
        )
    return found


def _compiled() -> ModuleType:
    """Imported on first use: programs that only list the rules do not load numba."""
    return import_module("fettle.measure.weighted_statistics")
