# mypy: allow-untyped-defs, allow-untyped-calls
"""Statistics of a field over some faces, weighted by area because triangles are uneven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.reading import Spread

QUANTILES = (0.05, 0.5, 0.95)
"""Shares of the area below the robust minimum, the median and the robust maximum."""


@dataclass(frozen=True, slots=True, eq=False)
class Census:
    """The points of a mesh by face: rows (n,) sorted by face, those of face f at `first[f]:first[f + 1]`; areas (n,)"""

    mesh: Mesh
    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    area_mm2: NDArray[np.float64]

    def rows_of(self, groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows (k,) of the points of each group's faces, group after group, and the group (k,) of each."""
        faces = np.fromiter(chain.from_iterable(groups), np.int64)
        count = self.first[faces + 1] - self.first[faces]
        before = np.cumsum(count) - count
        rows = self.rows[np.arange(count.sum()) + np.repeat(self.first[faces] - before, count)]
        group_of_face = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        return rows, np.repeat(group_of_face, count)


def take_census(mesh: Mesh, face_count: int) -> Census:
    rows = np.argsort(mesh.point_face, kind="stable")
    first = np.searchsorted(mesh.point_face[rows], np.arange(face_count + 1))
    return Census(mesh, rows, first, mesh.point_areas_mm2())


def spread(values: NDArray[np.float64], census: Census, faces: Sequence[int] | None = None) -> Spread:
    """Statistics of values (n,), nan for no reading, over the given faces, or over all of them."""
    return spreads(values, census, [range(len(census.first) - 1) if faces is None else faces])[0]


def spreads(values: NDArray[np.float64], census: Census, groups: Sequence[Sequence[int]]) -> list[Spread]:
    """The same for many groups of faces in one pass."""
    rows, group = census.rows_of(groups)
    read = values[rows]
    figures, least = _tally(read, census.area_mm2[rows], group, np.argsort(read, kind="stable"), len(groups))
    some = least >= 0
    thinnest = rows[least[some]]
    faces = census.mesh.point_face[thinnest].tolist()
    places = (census.mesh.points[thinnest] + 0.0).tolist()
    answer = [Spread(None, None, None, None, None, None, None, None, 0.0)] * len(groups)
    for number, face, (x, y, z) in zip(np.flatnonzero(some).tolist(), faces, places, strict=True):
        share, smallest, low, median, high, mean, deviation = figures[number].tolist()
        answer[number] = Spread(
            min_mm=low,
            raw_min_mm=smallest,
            mean_mm=mean,
            median_mm=median,
            p95_mm=high,
            cv=deviation / mean if mean > 0.0 else None,
            face=face,
            position_mm=(x, y, z),
            measured_share=share,
        )
    return answer


@njit(cache=True)
def _tally(values, area, group, order, count):
    """Of each group, shape (count, 7): share of its area with a reading, smallest reading, the three quantiles, mean,
    standard deviation; and where its smallest reading is (count,), -1 without any. `order` sorts the values (n,)."""
    figures, least = np.zeros((count, 7)), np.full(count, -1, np.int64)
    whole, total, ends = np.zeros(count), np.zeros(count), np.zeros(count + 1, np.int64)
    for i in range(len(values)):
        whole[group[i]] += area[i]
        if np.isfinite(values[i]) and area[i] > 0.0:
            # summed in the same order as the whole, so that a field without gaps has a share of exactly 1
            total[group[i]] += area[i]
            ends[group[i] + 1] += 1
    for g in range(count):
        ends[g + 1] += ends[g]
    sorted_rows, filled = np.empty(ends[count], np.int64), ends[:count].copy()
    for i in order:
        if np.isfinite(values[i]) and area[i] > 0.0:
            sorted_rows[filled[group[i]]] = i
            filled[group[i]] += 1
    for g in range(count):
        own = sorted_rows[ends[g] : ends[g + 1]]
        if len(own) == 0:
            continue
        least[g] = own[0]
        mean = 0.0
        for i in own:
            mean += area[i] * values[i] / total[g]
        # an average of equal values may differ from them in the last digit; a plate of 3 has a mean of 3
        mean = min(max(mean, values[own[0]]), values[own[-1]])
        variance = 0.0
        for i in own:
            variance += area[i] * (values[i] - mean) ** 2 / total[g]
        figures[g, 0], figures[g, 1] = total[g] / whole[g], values[own[0]]
        for k in range(3):
            figures[g, 2 + k] = _quantile(values, area, own, QUANTILES[k] * total[g])
        figures[g, 5], figures[g, 6] = mean, np.sqrt(variance)
    return figures, least


@njit(cache=True)
def _quantile(values, area, own, wanted):
    """The value below which `wanted` of the area lies: linear between the middles of the sorted rows `own` (k,)."""
    before, last_middle, last = 0.0, 0.0, own[0]
    for i in own:
        middle = before + area[i] / 2.0
        if middle >= wanted:
            if i == own[0] or middle <= last_middle:
                return values[i]
            return values[last] + (wanted - last_middle) / (middle - last_middle) * (values[i] - values[last])
        before, last_middle, last = before + area[i], middle, i
    return values[last]
