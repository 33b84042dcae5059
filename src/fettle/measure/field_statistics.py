"""Area-weighted statistics of a field over sets of faces: triangles differ in size, so points differ in weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import chain
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.measure.readings import TIP, FieldStatistics

TIP_LENGTH = 0.03
"""Length of a wedge's tip without readings, as a fraction of the diagonal: that of a wedge of 1.5 degrees."""
BESIDE_TIP = 2.5 * TIP
"""Largest reading, as a fraction of the diagonal, that is beside the tip of a wedge. A larger one beside points without
reading represents them only up to the length of a mesh edge."""


@dataclass(frozen=True, eq=False)
class FieldSamples:
    """A field over a mesh, sorted by face: values (n,), nan for no reading; rows (n,) of the points, those of face f at
    `first[f]:first[f + 1]`; area (n,) of each point; weight (n,), the area that its value represents; and half the step
    (n,) of the field at the point."""

    mesh: Mesh
    values: NDArray[np.float64]
    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    area_mm2: NDArray[np.float64]
    weight_mm2: NDArray[np.float64]
    half_step_mm: NDArray[np.float64]

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """Order (n,) of the values of all points, face after face."""
        return np.argsort(self.values[self.rows], kind="stable")

    def order_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Order (k,) of the values of some rows (k,)."""
        return self._order if np.array_equal(rows, self.rows) else np.argsort(self.values[rows], kind="stable")

    def rows_of(self, groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows (k,) of the points of each group's faces, group after group, and the group number (k,) of each."""
        faces = np.fromiter(chain.from_iterable(groups), np.int64)
        count = self.first[faces + 1] - self.first[faces]
        before = np.cumsum(count) - count
        rows = self.rows[np.arange(count.sum()) + np.repeat(self.first[faces] - before, count)]
        group_of_face = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        return rows, np.repeat(group_of_face, count)


def sample_field(mesh: Mesh, face_count: int, values: NDArray[np.float64]) -> FieldSamples:
    """Prepare a field of values (n,) at the mesh points for statistics by face."""
    rows = mesh.rows_by_face
    first = np.concatenate([[0], np.cumsum(np.bincount(mesh.point_face, minlength=face_count))])
    diagonal_mm, edge_mm = mesh.diameter_mm, mesh.max_edge_mm
    reach_mm = np.where(values <= BESIDE_TIP * diagonal_mm, max(TIP_LENGTH * diagonal_mm, edge_mm), edge_mm)
    compiled = _compiled()
    area = mesh.point_areas_mm2()
    triangles = unsigned(mesh.triangles)
    weight = compiled.nearest_reading_weights(mesh.points, triangles, area, values, reach_mm)
    half_step = compiled.half_steps(triangles, values)
    return FieldSamples(mesh, values, rows, first, area, weight, half_step)


def statistics(samples: FieldSamples, faces: Sequence[int] | None = None) -> FieldStatistics:
    """Statistics over the given faces, or over all of them."""
    return statistics_by_group(samples, [range(len(samples.first) - 1) if faces is None else faces])[0]


def statistics_by_group(samples: FieldSamples, groups: Sequence[Sequence[int]]) -> list[FieldStatistics]:
    """Statistics over each of many groups of faces, in one pass."""
    rows, group = samples.rows_of(groups)
    figures, least = _compiled().group_statistics(
        samples.values,
        samples.area_mm2,
        samples.weight_mm2,
        samples.half_step_mm,
        unsigned(rows),
        unsigned(group),
        unsigned(samples.order_of(rows)),
        len(groups),
    )
    measured = least >= 0
    smallest = rows[least[measured]]
    faces = samples.mesh.point_face[smallest].tolist()
    positions = (samples.mesh.points[smallest] + 0.0).tolist()
    found = [FieldStatistics(None, None, None, None, None, None, None, None, 0.0)] * len(groups)
    for number, face, (x, y, z) in zip(np.flatnonzero(measured).tolist(), faces, positions, strict=True):
        fraction, raw_min, low, median, high, mean, deviation = figures[number].tolist()
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
