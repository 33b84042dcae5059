"""Context of rule evaluation: one analysis, and values derived from it, computed once and cached."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fettle.fit import Fit, find_fault, measure_fit
from fettle.geometry.part import Face, Part
from fettle.measure.field_statistics import FieldSamples, sample_field, statistics, statistics_by_group
from fettle.measure.readings import FieldStatistics, Triple
from fettle.measure.wall_patches import WallReadings, sort_readings
from fettle.recognize.feature import Feature

if TYPE_CHECKING:
    from fettle.analysis import Analysis
    from fettle.pmi.requirements import Requirement

T = TypeVar("T")

POSITION_DECIMALS = 4
"""Decimals of positions in results, in mm."""


# Not frozen, and so several times faster to make: selectors make one of every face.
@dataclass(slots=True)
class Subject:
    """What a rule inspects: a feature, a single face, a sharp edge, or a tolerance that the file states. `faces`: face
    numbers, the main one first."""

    faces: tuple[int, ...]
    feature: Feature | None = None
    edge: int | None = None
    requirement: Requirement | None = None


@dataclass(eq=False)
class RuleContext:
    """Caches values derived from one analysis; they depend on nothing else. `face_numbers`: the file's numbers of the
    faces, where the part is one body of several; None: its own."""

    analysis: Analysis
    face_numbers: tuple[int, ...] | None = None
    _cache: dict[Hashable, Any] = field(default_factory=dict)
    _fids: dict[tuple[int, ...], tuple[str, ...]] = field(default_factory=dict)
    _mesh_points: dict[int, Triple] = field(default_factory=dict)

    @property
    def part(self) -> Part:
        return self.analysis.part

    @cached_property
    def _walls(self) -> FieldSamples:
        return sample_field(self.analysis.mesh, len(self.part.faces), self.analysis.thickness)

    @cached_property
    def _gaps(self) -> FieldSamples:
        return sample_field(self.analysis.mesh, len(self.part.faces), self.analysis.clearance)

    @cached_property
    def wall_readings(self) -> WallReadings:
        """Readings of the wall thickness from one side of a wall to the other."""
        return sort_readings(self.part, self.analysis.mesh, self.analysis.thickness)

    @cached_property
    def fit_fault(self) -> str | None:
        """Why no fit can be measured, None where it can."""
        return find_fault(self.analysis)

    @cached_property
    def fits(self) -> dict[str, Fit]:
        """Fit of the part to every process, by key; empty where none can be measured."""
        if self.fit_fault is not None:
            return {}
        return {fit.process: fit for fit in measure_fit(self.analysis)}

    @cached_property
    def roles(self) -> list[int]:
        """Code of the role of every face."""
        roles: list[int] = self.analysis.recognition.roles.tolist()
        return roles

    def face(self, number: int) -> Face:
        return self.part.faces[number]

    def keep(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The cached value of the key; computed at the first call."""
        if key not in self._cache:
            self._cache[key] = compute()
        kept: T = self._cache[key]
        return kept

    def thickness(self, faces: tuple[int, ...] | None = None) -> FieldStatistics:
        """Statistics of the wall thickness over some faces, or over all."""
        if faces is None:
            return self.keep("thickness", lambda: statistics(self._walls))
        if len(faces) == 1 and not self.analysis.bodies:
            return self._thickness_by_face[faces[0]]
        if faces in self._thickness_by_feature:
            return self._thickness_by_feature[faces]
        return self.keep(("thickness", faces), lambda: statistics(self._walls, faces))

    def clearance(self, faces: tuple[int, ...]) -> FieldStatistics:
        """Statistics of the clearance in front of some faces."""
        if faces in self._clearance_by_feature:
            return self._clearance_by_feature[faces]
        return self.keep(("clearance", faces), lambda: statistics(self._gaps, faces))

    def rows_of(self, faces: tuple[int, ...]) -> NDArray[np.uint64]:
        """Mesh points (k,) of some faces, in rising order."""
        # those of both fields are the same, and every part is asked for its walls
        return np.sort(self._walls.rows_of(faces))

    @cached_property
    def _thickness_by_face(self) -> list[FieldStatistics]:
        every = [(face,) for face in range(len(self.part.faces))]
        return statistics_by_group(self._walls, every)

    @cached_property
    def _thickness_by_feature(self) -> Mapping[tuple[int, ...], FieldStatistics]:
        # those of single faces are measured with all faces, which no rule asks for in a file of several bodies
        return self._by_feature(self._walls, least_faces=1 if self.analysis.bodies else 2)

    @cached_property
    def _clearance_by_feature(self) -> Mapping[tuple[int, ...], FieldStatistics]:
        return self._by_feature(self._gaps)

    def _by_feature(self, samples: FieldSamples, least_faces: int = 1) -> dict[tuple[int, ...], FieldStatistics]:
        """Statistics over the faces of every feature of so many faces in one pass: far faster than one by one."""
        every = (feature.faces for feature in self.analysis.recognition.features if len(feature.faces) >= least_faces)
        groups = list(dict.fromkeys(every))
        return dict(zip(groups, statistics_by_group(samples, groups), strict=True))

    def point_of(self, face: int) -> Triple:
        """A point on the face, rounded, mm."""
        return self._points[face]

    def mesh_point(self, number: int) -> Triple:
        """A point of the mesh, rounded, mm."""
        found = self._mesh_points.get(number)
        if found is None:
            found = self._mesh_points[number] = rounded_point(self.analysis.mesh.points[number].tolist())
        return found

    def fids(self, faces: tuple[int, ...]) -> tuple[str, ...]:
        """Face ids of results: numbers from 1, as text."""
        found = self._fids.get(faces)
        if found is None:
            numbers = faces if self.face_numbers is None else [self.face_numbers[face] for face in faces]
            found = self._fids[faces] = tuple(str(number + 1) for number in numbers)
        return found

    @cached_property
    def _points(self) -> list[Triple]:
        return [rounded_point(face.point.tolist()) for face in self.part.faces]


def rounded_point(point: Iterable[float]) -> Triple:
    """A position in mm with four decimals, and never minus zero."""
    x, y, z = point
    return round(x, POSITION_DECIMALS) + 0.0, round(y, POSITION_DECIMALS) + 0.0, round(z, POSITION_DECIMALS) + 0.0
