"""Statistics of a field over some faces, weighted by area because triangles are uneven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.reading import Spread

ROBUST_MIN = 0.05
"""Share of the area below the robust minimum."""


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
    area = census.area_mm2[rows]
    reads = np.isfinite(values[rows]) & (area > 0.0)
    whole = np.bincount(group, weights=area, minlength=len(groups))
    rows, group, area = rows[reads], group[reads], area[reads]
    # summed in the same order as the whole, so that a field without gaps has a share of exactly 1
    share = np.divide(
        np.bincount(group, weights=area, minlength=len(groups)), whole, out=np.zeros(len(groups)), where=whole > 0.0
    )
    order = np.lexsort((values[rows], group))
    rows, group, area = rows[order], group[order], area[order]
    sample = _Sample(len(groups), group, values[rows], area)
    low, median, high = (sample.quantile(q).tolist() for q in (ROBUST_MIN, 0.5, 0.95))
    mean, deviation = sample.mean(), sample.deviation()
    cv = np.divide(deviation, mean, out=np.zeros(len(groups)), where=mean > 0.0).tolist()
    some = sample.last > sample.first
    thinnest = np.zeros(len(groups), np.int64)
    thinnest[some] = rows[sample.first[some]]
    smallest, face = values[thinnest].tolist(), census.mesh.point_face[thinnest].tolist()
    place = [(x, y, z) for x, y, z in (census.mesh.points[thinnest] + 0.0).tolist()]
    measured, means = share.tolist(), mean.tolist()
    nothing = Spread(None, None, None, None, None, None, None, None, 0.0)
    return [
        Spread(
            min_mm=low[k],
            raw_min_mm=smallest[k],
            mean_mm=means[k],
            median_mm=median[k],
            p95_mm=high[k],
            cv=cv[k] if means[k] > 0.0 else None,
            face=face[k],
            position_mm=place[k],
            measured_share=measured[k],
        )
        if some[k]
        else nothing
        for k in range(len(groups))
    ]


class _Sample:
    """Weighted values (k,) of several groups, sorted by group and value. Group g is `first[g]:last[g]`."""

    def __init__(
        self, count: int, group: NDArray[np.int64], values: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> None:
        self._group, self._values, self._weights = group, values, weights
        self._count = count
        self.first = np.searchsorted(group, np.arange(count))
        self.last = np.searchsorted(group, np.arange(count), side="right")
        self.total = np.bincount(group, weights=weights, minlength=count)

    @cached_property
    def _middle(self) -> NDArray[np.float64]:
        """Share of its group's weight below the middle of each value, shape (k,)."""
        upto = np.cumsum(self._weights)
        before = np.repeat((upto - self._weights)[np.minimum(self.first, len(upto) - 1)], self.last - self.first)
        middle: NDArray[np.float64] = (upto - self._weights / 2.0 - before) / self.total[self._group]
        return middle

    def mean(self) -> NDArray[np.float64]:
        """Shape (groups,), nan for an empty one."""
        mean = self._average(self._values)
        some = self.last > self.first
        # an average of equal values may differ from them in the last digit; a plate of 3 has a mean of 3
        mean[some] = np.clip(mean[some], self._values[self.first[some]], self._values[self.last[some] - 1])
        return mean

    def deviation(self) -> NDArray[np.float64]:
        return np.sqrt(self._average((self._values - self.mean()[self._group]) ** 2))

    def quantile(self, share: float) -> NDArray[np.float64]:
        """The value of each group (groups,) below which `share` of its weight lies, nan for an empty one."""
        answer = np.full(self._count, np.nan)
        some = np.flatnonzero(self.last > self.first)
        if len(some) == 0:
            return answer
        middle = self._middle
        # middle lies in 0..1, so half of it on top of the group's number keeps all of them in one rising row
        place = np.searchsorted(self._group + middle / 2.0, some + share / 2.0)
        high = np.clip(place, self.first[some], self.last[some] - 1)
        low = np.clip(place - 1, self.first[some], self.last[some] - 1)
        gap = middle[high] - middle[low]
        way = np.divide(share - middle[low], gap, out=np.zeros(len(some)), where=gap > 0.0)
        answer[some] = self._values[low] + np.clip(way, 0.0, 1.0) * (self._values[high] - self._values[low])
        return answer

    def _average(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        summed = np.bincount(self._group, weights=self._weights * values, minlength=self._count)
        average: NDArray[np.float64] = np.full(self._count, np.nan)
        np.divide(summed, self.total, out=average, where=self.total > 0.0)
        return average
