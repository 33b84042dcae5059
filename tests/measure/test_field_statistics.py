"""Statistics of many groups at once agree with the definitions, group by group."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from fettle.geometry.mesh import Mesh
from fettle.measure.field_statistics import sample_field, statistics, statistics_by_group
from tests.measure.parts import field_of


def fan(faces: int, points_each: int) -> Mesh:
    """Faces of points far apart, on a mesh with a short edge length: no point represents another."""
    count = faces * points_each
    rng = np.random.default_rng(7)
    points = rng.random((count, 3)) * 10
    point_face = np.repeat(np.arange(faces, dtype=np.int32), points_each)
    start = np.arange(count, dtype=np.int32).reshape(faces, points_each)
    triangles = np.concatenate([np.stack([row, np.roll(row, 1), np.roll(row, 2)], axis=1) for row in start])
    vertex = np.arange(count, dtype=np.int32)
    triangle_face = np.repeat(np.arange(faces, dtype=np.int32), points_each)
    return Mesh(points, points / 10, point_face, vertex, triangles.astype(np.int32), triangle_face, 0.1, 24.0)


def test_the_statistics_of_a_group_depend_on_its_own_points_only() -> None:
    mesh = fan(5, 40)
    values = np.random.default_rng(3).random(200) * 5
    values[::7] = np.nan
    values[80:120] = np.nan
    samples = sample_field(mesh, 5, field_of(values))
    groups = [(0,), (1, 3), (2,), (), (4,)]
    for group, found in zip(groups, statistics_by_group(samples, groups), strict=True):
        rows = np.flatnonzero(np.isin(mesh.point_face, group) & np.isfinite(values))
        if len(rows) == 0:
            assert found.min_mm is None
            assert found.measured_fraction == 0.0
            continue
        weights = samples.area_mm2[rows]
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
        assert found.min_mm == pytest.approx(statistics(samples, group).min_mm, rel=1e-12)


def test_readings_are_ranked_among_the_different_ones_and_stored_without() -> None:
    field = field_of(np.array([3.0, np.nan, 1.0, 3.0, 2.5]))
    ranks, count = field.ranks
    assert (ranks.tolist(), count) == ([2, -1, 0, 2, 1], 3)
    assert "ranks" not in vars(pickle.loads(pickle.dumps(field)))


def test_equal_values_have_exactly_that_mean_and_no_spread() -> None:
    samples = sample_field(fan(2, 11), 2, field_of(np.full(22, 3.1)))
    for found in statistics_by_group(samples, [(0,), (0, 1)]):
        assert (found.min_mm, found.mean_mm, found.median_mm, found.p95_mm) == (3.1, 3.1, 3.1, 3.1)
        assert found.cv == pytest.approx(0.0, abs=1e-12)


def test_the_median_of_three_equal_areas_is_the_middle_value() -> None:
    assert statistics(sample_field(fan(1, 3), 1, field_of(np.array([9.0, 1.0, 2.0])))).median_mm == 2.0


@pytest.mark.parametrize(("max_edge", "mean"), [(1.5, (1.5 * 1 + 1 * 2 + 0.5 * 3) / 3), (0.5, (1 + 2 + 0.5 * 3) / 2.5)])
def test_a_point_without_a_reading_counts_as_its_neighbor_within_an_edge(max_edge: float, mean: float) -> None:
    """A strip of three squares, read 1, 2 and 3 across it and not at its first end."""
    x, y = np.divmod(np.arange(8.0), 2)
    points = np.stack([x, y, np.zeros(8)], axis=1)
    squares = np.array([[0, 2, 1], [1, 2, 3]], np.int32)
    triangles = np.concatenate([squares, squares + 2, squares + 4])
    rows, face = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    mesh = Mesh(points, points, face, rows, triangles, face[:6], max_edge, 24.0)
    found = statistics(sample_field(mesh, 1, field_of(np.where(x > 0, x, np.nan))))
    assert found.mean_mm == pytest.approx(mean)
    assert found.measured_fraction == pytest.approx(2.5 / 3)
