"""Statistics of a field over some faces, weighted by area because triangles are uneven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.reading import Spread

ROBUST_MIN = 0.05
"""Share of the area below the robust minimum."""


@dataclass(frozen=True, slots=True, eq=False)
class Census:
    """The points of a mesh by face: rows (n,) sorted by face, those of face f at `first[f]:first[f + 1]`; areas (n,)."""

    mesh: Mesh
    rows: NDArray[np.int64]
    first: NDArray[np.int64]
    area_mm2: NDArray[np.float64]

    def rows_of(self, faces: Sequence[int]) -> NDArray[np.int64]:
        if len(faces) == 0:
            return np.empty(0, np.int64)
        return np.concatenate([self.rows[self.first[face] : self.first[face + 1]] for face in faces])


def take_census(mesh: Mesh, face_count: int) -> Census:
    rows = np.argsort(mesh.point_face, kind="stable")
    first = np.searchsorted(mesh.point_face[rows], np.arange(face_count + 1))
    return Census(mesh, rows, first, mesh.point_areas_mm2())


def quantile(values: NDArray[np.float64], weights: NDArray[np.float64], share: float) -> float:
    """The value below which `share` of the weight lies. values (k,) ascending, weights (k,) not all zero."""
    upto = np.cumsum(weights)
    middle = (upto - weights / 2.0) / upto[-1]
    return float(np.interp(share, middle, values))


def spread(values: NDArray[np.float64], census: Census, faces: Sequence[int] | None = None) -> Spread:
    """Statistics of values (n,), nan for no reading, over the given faces, or over all of them."""
    rows = census.rows if faces is None else census.rows_of(faces)
    area = census.area_mm2[rows]
    reads = np.isfinite(values[rows])
    share = float(area[reads].sum() / area.sum()) if area.sum() > 0.0 else 0.0
    rows, area = rows[reads], area[reads]
    if len(rows) == 0 or area.sum() <= 0.0:
        return Spread(None, None, None, None, None, None, None, None, share)
    order = np.argsort(values[rows], kind="stable")
    rows, area = rows[order], area[order]
    found = values[rows]
    # np.average of equal values may differ from them in the last digit; a plate of 3 has a mean of 3.
    mean = float(np.clip(np.average(found, weights=area), found[0], found[-1]))
    deviation = float(np.sqrt(np.average((found - mean) ** 2, weights=area)))
    low, median, high = (quantile(found, area, q) for q in (ROBUST_MIN, 0.5, 0.95))
    x, y, z = census.mesh.points[rows[0]].tolist()
    return Spread(
        min_mm=low,
        raw_min_mm=float(found[0]),
        mean_mm=mean,
        median_mm=median,
        p95_mm=high,
        cv=deviation / mean if mean > 0.0 else None,
        face=int(census.mesh.point_face[rows[0]]),
        position_mm=(x, y, z),
        measured_share=share,
    )
