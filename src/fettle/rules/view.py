"""An analysis as the rules look at it: subjects to inspect, and statistics that are computed once and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fettle.analysis import Analysis
from fettle.geometry.part import Face, Part
from fettle.measure.reading import Triple, WallField
from fettle.recognize.feature import Feature

T = TypeVar("T")

ROBUST_SHARE = 0.05
"""The share of the area that a robust extreme leaves out: one bad triangle is not a thin wall."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a rule inspects: a feature, a single face, or a sharp edge. `faces`: all members, the largest first."""

    faces: tuple[int, ...]
    feature: Feature | None = None
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """Area-weighted, over the points that have a reading, in millimetres. `thin_at`: where the robust minimum is."""

    low: float
    smallest: float
    mean: float
    median: float
    high: float
    cv: float
    thin_at: Triple
    thin_face: int


@dataclass(eq=False)
class View:
    """Wraps one analysis; everything it computes follows from the analysis alone."""

    analysis: Analysis
    _kept: dict[Hashable, object] = field(default_factory=dict)

    @property
    def part(self) -> Part:
        return self.analysis.part

    def face(self, number: int) -> Face:
        return self.part.faces[number]

    def keep(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The value under the key, computed the first time it is asked for."""
        if key not in self._kept:
            self._kept[key] = compute()
        value: T = self._kept[key]  # type: ignore[assignment]
        return value

    def thickness(self, faces: tuple[int, ...] | None = None) -> Statistics | None:
        """Statistics of the wall thickness over some faces, or over all; None without a reading."""
        return self.keep(("thickness", faces), lambda: self._statistics(self.analysis.thickness, faces))

    def clearance(self, faces: tuple[int, ...] | None = None) -> Statistics | None:
        return self.keep(("clearance", faces), lambda: self._statistics(self.analysis.clearance, faces))

    def point_of(self, face: int) -> Triple:
        x, y, z = (float(c) for c in self.face(face).point)
        return x, y, z

    @cached_property
    def weights_mm2(self) -> NDArray[np.float64]:
        """Area that each point of the mesh stands for, shape (n,)."""
        return self.analysis.mesh.point_areas_mm2()

    @cached_property
    def _by_face(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Points sorted by face, and where each face starts: shapes (n,) and (faces + 1,)."""
        point_face = self.analysis.mesh.point_face
        order = np.argsort(point_face, kind="stable")
        starts = np.searchsorted(point_face[order], np.arange(len(self.part.faces) + 1))
        return order, starts

    def _points_of(self, faces: tuple[int, ...] | None) -> NDArray[np.intp]:
        order, starts = self._by_face
        if faces is None:
            return order
        if len(faces) == 1:
            return order[starts[faces[0]] : starts[faces[0] + 1]]
        return np.concatenate([order[starts[f] : starts[f + 1]] for f in faces])

    def _statistics(self, wall: WallField, faces: tuple[int, ...] | None) -> Statistics | None:
        points = self._points_of(faces)
        values = wall.value_mm[points]
        weights = self.weights_mm2[points]
        read = ~np.isnan(values) & (weights > 0)
        if not read.any():
            return None
        points, values, weights = points[read], values[read], weights[read]
        order = np.argsort(values, kind="stable")
        values, weights, points = values[order], weights[order], points[order]
        share = np.cumsum(weights)
        total = share[-1]
        low, middle, high = np.searchsorted(share, total * np.array([ROBUST_SHARE, 0.5, 1 - ROBUST_SHARE]))
        mean = float(np.dot(values, weights) / total)
        variance = float(np.dot((values - mean) ** 2, weights) / total)
        at = points[low]
        x, y, z = (float(c) for c in self.analysis.mesh.points[at])
        return Statistics(
            low=float(values[low]),
            smallest=float(values[0]),
            mean=mean,
            median=float(values[middle]),
            high=float(values[min(high, len(values) - 1)]),
            cv=variance**0.5 / mean if mean > 0 else 0.0,
            thin_at=(x, y, z),
            thin_face=int(self.analysis.mesh.point_face[at]),
        )
