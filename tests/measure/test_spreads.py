"""Statistics of many groups at once agree with the definitions, group by group."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.geometry.mesh import Mesh
from fettle.measure.spread import spread, spreads, take_census


def fan(faces: int, points_each: int) -> Mesh:
    """Faces far apart, each of points that stand for the same area."""
    count = faces * points_each
    rng = np.random.default_rng(7)
    points = rng.random((count, 3)) * 10
    point_face = np.repeat(np.arange(faces, dtype=np.int32), points_each)
    start = np.arange(count, dtype=np.int32).reshape(faces, points_each)
    triangles = np.concatenate([np.stack([row, np.roll(row, 1), np.roll(row, 2)], axis=1) for row in start])
    vertex = np.arange(count, dtype=np.int32)
    triangle_face = np.repeat(np.arange(faces, dtype=np.int32), points_each)
    return Mesh(points, points / 10, point_face, vertex, triangles.astype(np.int32), triangle_face, 1.0, 24.0)


def test_groups_are_judged_by_their_own_points() -> None:
    mesh = fan(5, 40)
    census = take_census(mesh, 5)
    values = np.random.default_rng(3).random(200) * 5
    values[::7] = np.nan
    values[80:120] = np.nan
    groups = [(0,), (1, 3), (2,), (), (4,)]
    for group, found in zip(groups, spreads(values, census, groups), strict=True):
        rows = np.flatnonzero(np.isin(mesh.point_face, group) & np.isfinite(values))
        if len(rows) == 0:
            assert found.min_mm is None
            assert found.measured_share == 0.0
            continue
        weights = census.area_mm2[rows]
        mean = float(np.average(values[rows], weights=weights))
        assert found.raw_min_mm == values[rows].min()
        assert found.mean_mm == pytest.approx(mean)
        assert found.cv == pytest.approx(np.sqrt(np.average((values[rows] - mean) ** 2, weights=weights)) / mean)
        for share, quantile in ((0.05, found.min_mm), (0.5, found.median_mm), (0.95, found.p95_mm)):
            assert quantile is not None
            below = weights[values[rows] < quantile - 1e-12].sum() / weights.sum()
            upto = weights[values[rows] <= quantile + 1e-12].sum() / weights.sum()
            heaviest = weights.max() / weights.sum()
            assert below - heaviest <= share <= upto + heaviest
        assert found.min_mm == pytest.approx(spread(values, census, group).min_mm, rel=1e-12)


def test_equal_values_have_exactly_that_mean_and_no_spread() -> None:
    census = take_census(fan(2, 11), 2)
    for found in spreads(np.full(22, 3.1), census, [(0,), (0, 1)]):
        assert (found.min_mm, found.mean_mm, found.median_mm, found.p95_mm) == (3.1, 3.1, 3.1, 3.1)
        assert found.cv == pytest.approx(0.0, abs=1e-12)
