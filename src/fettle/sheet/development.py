"""Maps of single walls and bends into the plane of the flat pattern.

A wall keeps its shape. A bend is developed on its neutral layer: K times the thickness from the inside. Each map takes
points (n, 3) on one side of the sheet to points (n, 2), mm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Cone, Cylinder, Line, Vector
from fettle.geometry.part import Curve as EdgeCurve
from fettle.recognize.graph import cross
from fettle.recognize.tolerances import COAXIAL_COS, LOOSE_LENGTH_MM
from fettle.sheet.plane_curves import Piece, arc, fit_pieces, line

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A straight line on the sheet where one map ends and the next begins.

    `point`, `along`, `into`: a point on it, its direction and the direction across it into the next wall or bend, shape
    (3,); `flat_point`, `flat_along`, `flat_into`: the same in the plane, shape (2,).
    """

    point: Vector
    along: Vector
    into: Vector
    flat_point: Array
    flat_along: Array
    flat_into: Array


class Development(Protocol):
    """The map of one wall or bend."""

    def to_flat(self, points: Array) -> Array:
        """Points (n, 3) on the sheet as points (n, 2) of the plane."""

    def pieces(self, curve: EdgeCurve, points: Array) -> list[Piece]:
        """An edge of the sheet as lines and arcs; `points` (n, 3) along it from end to end."""

    def normal_at(self, point: Vector) -> Vector:
        """Outward normal (3,) of the side of the sheet that is developed."""


@dataclass(frozen=True, slots=True, eq=False)
class FlatWall:
    """A plane wall, moved as it is."""

    joint: Joint
    normal: Vector

    def to_flat(self, points: Array) -> Array:
        away = points - self.joint.point
        flat: Array = (
            self.joint.flat_point
            + (away @ self.joint.along)[:, None] * self.joint.flat_along
            + (away @ self.joint.into)[:, None] * self.joint.flat_into
        )
        return flat

    def pieces(self, curve: EdgeCurve, points: Array) -> list[Piece]:
        flat = self.to_flat(points)
        if isinstance(curve, Line):
            return [line(flat[0], flat[-1])]
        if isinstance(curve, Circle):
            center = self.to_flat(curve.center[None])[0]
            return [arc(flat[0], flat[-1], center, math.copysign(math.radians(curve.extent_deg), _turn(flat, center)))]
        return fit_pieces(flat)

    def normal_at(self, point: Vector) -> Vector:
        return self.normal


@dataclass(frozen=True, slots=True, eq=False)
class RoundBend:
    """A cylinder, unrolled on a neutral layer of radius `neutral_mm`. `middle` (3,): direction from the axis to the
    middle of the bend, from which angles count; `sense`: 1 where they grow away from the joint; `at_joint_rad`: that
    of the joint."""

    joint: Joint
    surface: Cylinder
    outward: float
    middle: Vector
    neutral_mm: float
    sense: float
    at_joint_rad: float

    def angles(self, points: Array) -> Array:
        """Angle of points (n, 3) about the axis from the joint on, growing into the bend, radians."""
        away = points - self.surface.origin
        across = cross(self.surface.axis, self.middle)
        angles: Array = np.arctan2(away @ across, away @ self.middle)
        return self.sense * (angles - self.at_joint_rad)

    def to_flat(self, points: Array) -> Array:
        along = (points - self.joint.point) @ self.joint.along
        flat: Array = (
            self.joint.flat_point
            + along[:, None] * self.joint.flat_along
            + (self.neutral_mm * self.angles(points))[:, None] * self.joint.flat_into
        )
        return flat

    def pieces(self, curve: EdgeCurve, points: Array) -> list[Piece]:
        flat = self.to_flat(points)
        if isinstance(curve, Line) or (isinstance(curve, Circle) and _about(curve, self.surface)):
            return [line(flat[0], flat[-1])]
        return fit_pieces(flat)

    def normal_at(self, point: Vector) -> Vector:
        away = point - self.surface.origin
        away = away - (away @ self.surface.axis) * self.surface.axis
        normal: Vector = self.outward * away / np.linalg.norm(away)
        return normal


@dataclass(frozen=True, slots=True, eq=False)
class ConeBend:
    """A cone, unrolled about its apex on a neutral layer `shift_mm` outside the developed side."""

    joint: Joint
    surface: Cone
    outward: float
    middle: Vector
    shift_mm: float
    sense: float
    at_joint_rad: float

    @property
    def _half(self) -> float:
        return math.radians(self.surface.half_angle_deg)

    @property
    def apex(self) -> Vector:
        """Tip of the developed side, (3,)."""
        tip: Vector = self.surface.origin - self.surface.axis * (self.surface.radius_mm / math.tan(self._half))
        return tip

    def angles(self, points: Array) -> Array:
        """Angle of points (n, 3) about the axis from the joint on, growing into the bend, radians."""
        away = points - self.surface.origin
        across = cross(self.surface.axis, self.middle)
        angles: Array = np.arctan2(away @ across, away @ self.middle)
        return self.sense * (angles - self.at_joint_rad)

    def _slant(self, points: Array) -> Array:
        slant: Array = np.linalg.norm(points - self.apex, axis=1) + self.shift_mm / math.tan(self._half)
        return slant

    def flat_apex(self) -> tuple[Array, Array]:
        """Tip in the plane, (2,), and the direction from it along the joint."""
        start = self.joint.point
        direction = self.joint.flat_along * math.copysign(1.0, float((start - self.apex) @ self.joint.along))
        return self.joint.flat_point - direction * self._slant(start[None])[0], direction

    def to_flat(self, points: Array) -> Array:
        tip, direction = self.flat_apex()
        turn = self.angles(points) * math.sin(self._half)
        slant = self._slant(points)
        flat: Array = (
            tip + (slant * np.cos(turn))[:, None] * direction + (slant * np.sin(turn))[:, None] * self.joint.flat_into
        )
        return flat

    def pieces(self, curve: EdgeCurve, points: Array) -> list[Piece]:
        flat = self.to_flat(points)
        if isinstance(curve, Line):
            return [line(flat[0], flat[-1])]
        if isinstance(curve, Circle) and _about(curve, self.surface):
            tip, _ = self.flat_apex()
            sweep = math.radians(curve.extent_deg) * math.sin(self._half)
            return [arc(flat[0], flat[-1], tip, math.copysign(sweep, _turn(flat, tip)))]
        return fit_pieces(flat)

    def normal_at(self, point: Vector) -> Vector:
        away = point - self.surface.origin
        away = away - (away @ self.surface.axis) * self.surface.axis
        away = away / np.linalg.norm(away)
        normal: Vector = self.outward * (math.cos(self._half) * away - math.sin(self._half) * self.surface.axis)
        return normal


def sense_at(surface: Cylinder | Cone, joint: Joint) -> float:
    """1 where angles about the axis grow from the joint into the bend, -1 where they fall."""
    away = joint.point - surface.origin
    away = away - (away @ surface.axis) * surface.axis
    return 1.0 if float(cross(surface.axis, away) @ joint.into) > 0 else -1.0


def angle_at(surface: Cylinder | Cone, middle: Vector, point: Vector) -> float:
    """Angle of a point about the axis from the direction `middle`, radians."""
    away = point - surface.origin
    return math.atan2(float(away @ cross(surface.axis, middle)), float(away @ middle))


def covered_arc(surface: Cylinder | Cone, runs: list[Array]) -> tuple[Vector, float]:
    """Direction (3,) to the middle of the arc about the axis that runs of points (n, 3) cover, and its angle, radians.

    Neighboring points of a run are less than half a turn apart, so that the arc between them is the shorter one.
    """
    first = runs[0][0] - surface.origin
    x = first - (first @ surface.axis) * surface.axis
    x = x / np.linalg.norm(x)
    y = cross(surface.axis, x)
    intervals: list[tuple[float, float]] = []
    for run in runs:
        away = run - surface.origin
        angles = np.arctan2(away @ y, away @ x)
        if np.abs(np.diff(angles)).max(initial=0.0) >= math.pi:
            angles = np.unwrap(angles)
        low, high = float(angles.min()), float(angles.max())
        shift = 2 * math.pi * math.floor(low / (2 * math.pi))
        intervals.append((low - shift, high - shift))
        if high - shift > 2 * math.pi:
            intervals.append((low - shift - 2 * math.pi, high - shift - 2 * math.pi))
    intervals.sort()
    reached, start, widest, gap_end = intervals[0][1], intervals[0][0], 0.0, intervals[0][0]
    for low, high in intervals:
        if low - reached > widest:
            widest, gap_end = low - reached, low
        reached = max(reached, high)
    last_gap = start + 2 * math.pi - reached
    if last_gap > widest:
        widest, gap_end = last_gap, start
    covered = 2 * math.pi - max(widest, 0.0)
    angle = gap_end + covered / 2
    middle: Vector = math.cos(angle) * x + math.sin(angle) * y
    return middle, covered


def _about(curve: Circle, surface: Cylinder | Cone) -> bool:
    away = curve.center - surface.origin
    off = float(np.linalg.norm(away - (away @ surface.axis) * surface.axis))
    return abs(float(curve.axis @ surface.axis)) > COAXIAL_COS and off < LOOSE_LENGTH_MM


def _turn(flat: Array, center: Array) -> float:
    """Above 0 where points (n, 2) run counterclockwise about the center."""
    away = flat - center
    return float((away[:-1, 0] * away[1:, 1] - away[:-1, 1] * away[1:, 0]).sum())
