"""The flat folded again, from its own data: outlines, hinges and bend table, and compared with the part."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Vector
from fettle.sheet.allowance import Allowance
from fettle.sheet.flat import FlatBend, FlatSheet, Hinge, Panel
from fettle.sheet.plane_curves import LinePiece, Outline, PlaneMotion, sample, signed_area
from fettle.sheet.skin import Skin

Array = NDArray[np.float64]

SAGITTA_MM = 1e-4
"""How far the points at which a bend is measured may miss its farthest point."""


@dataclass(frozen=True, slots=True)
class Refold:
    """How the folded flat differs from the part.

    `max_deviation_mm`: of any point of the walls' and bends' edges; `volume_error`: relative; `box_error_mm`: of any
    side of the bounding box, nan where forms share it; `face`: face number of the worst point.
    """

    max_deviation_mm: float
    volume_error: float
    box_error_mm: float
    face: int


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """A hinge in space: a point, the directions along and into the panel, and the normal of the developed side."""

    point: Vector
    along: Vector
    into: Vector
    normal: Vector


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """How a bend panel curves: towards the normal where `side` is 1, away from it where -1."""

    angle_rad: float
    flat_mm: float
    radius_mm: float
    side: float
    shift_mm: float


def refold(flat: FlatSheet, skin: Skin, motion: PlaneMotion, allowance: Allowance) -> Refold:
    """Fold the flat with the allowances of its bends and compare it with the part that it came from.

    `skin` and `motion` say which point of the part every point of the flat is.
    """
    mirror = float(np.linalg.det(motion.matrix)) < 0
    curves = [_curve(bend, flat.thickness_mm, allowance, mirror) for bend in flat.bends]
    frames: list[_Frame] = []
    for number, panel in enumerate(flat.panels):
        frames.append(_first(skin) if number == 0 else _frame(flat, frames, curves, panel))
    worst, face = 0.0, 0
    for number, zone in enumerate(skin.zones):
        if zone.region < 0:
            continue
        region = skin.graph.regions[zone.region]
        points = np.concatenate([skin.graph.part.edges[border.edge].points for border in region.borders])
        there = motion.points(skin.map_of(zone.region).to_flat(points))
        folded, _ = _fold(flat.panels[number], frames[number], curves, there)
        off = float(np.linalg.norm(folded - points, axis=1).max())
        if off > worst:
            worst, face = off, region.faces[0]
    body = skin.graph.part.bodies[flat.body]
    volume = _folded_volume(flat, allowance)
    return Refold(worst, volume / body.volume_mm3 - 1.0, _box_error(flat, skin, frames, curves), face)


def _curve(bend: FlatBend, thickness: float, allowance: Allowance, mirror: bool) -> _Curve:
    angle = math.radians(bend.angle_deg)
    developed = allowance.develop(bend.inner_radius_mm, thickness, bend.angle_deg)
    inside = bend.up != mirror
    radius = bend.inner_radius_mm + (0.0 if inside else thickness)
    shift = (developed.k_factor if inside else developed.k_factor - 1.0) * thickness
    return _Curve(angle, developed.length_mm, radius, 1.0 if inside else -1.0, shift)


def _first(skin: Skin) -> _Frame:
    joint = skin.zones[0].joint
    return _Frame(joint.point, joint.along, joint.into, np.cross(joint.along, joint.into))


def _frame(flat: FlatSheet, frames: list[_Frame], curves: list[_Curve], panel: Panel) -> _Frame:
    """The hinge of a panel, found by folding the panel it is joined to."""
    parent = flat.panels[panel.parent]
    point, turned = _fold(parent, frames[panel.parent], curves, np.array([panel.hinge.point]), rigid=True)
    along, into, normal = (vectors[0] for vectors in turned)
    inner, outer = _components(parent, panel.hinge)
    return _Frame(
        point[0],
        inner[0] * along + inner[1] * into,
        outer[0] * along + outer[1] * into,
        normal,
    )


def _components(parent: Panel, hinge: Hinge) -> tuple[Array, Array]:
    """Directions of a hinge in those that the parent has there: along and across."""
    basis = np.array([parent.hinge.along, parent.hinge.into])
    if parent.tip is not None:
        ray = np.array(hinge.point) - np.array(parent.tip)
        sense = math.copysign(1.0, float((np.array(parent.hinge.point) - np.array(parent.tip)) @ basis[0]))
        along = sense * ray / np.hypot(*ray)
        handed = float(basis[0][0] * basis[1][1] - basis[0][1] * basis[1][0])
        basis = np.array([along, handed * np.array([-along[1], along[0]])])
    return basis @ np.array(hinge.along), basis @ np.array(hinge.into)


def _fold(
    panel: Panel, frame: _Frame, curves: list[_Curve], points: Array, rigid: bool = False
) -> tuple[Array, tuple[Array, Array, Array]]:
    """Points (n, 2) of a panel in space (n, 3), and the directions along, across and outward there.

    `rigid`: points beyond the middle of a bend belong to the wall behind it: the bend turns by its whole angle and
    takes its whole length before them, whatever place the flat gives them.
    """
    away = points - np.array(panel.hinge.point)
    along, into = away @ np.array(panel.hinge.along), away @ np.array(panel.hinge.into)
    count = len(points)
    if panel.bend < 0:
        folded = frame.point + along[:, None] * frame.along + into[:, None] * frame.into
        along_there, into_there, normal_there = (
            np.broadcast_to(v, (count, 3)) for v in (frame.along, frame.into, frame.normal)
        )
        return folded, (along_there, into_there, normal_there)
    curve = curves[panel.bend]
    if panel.tip is not None:
        return _fold_cone(panel, frame, curve, points)
    bent = np.minimum(into, curve.flat_mm) if panel.parent >= 0 else into
    if rigid:
        bent = np.where(into > curve.flat_mm / 2, curve.flat_mm, bent)
    angle = bent * curve.angle_rad / curve.flat_mm
    sine, cosine = np.sin(angle)[:, None], np.cos(angle)[:, None]
    across = cosine * frame.into + curve.side * sine * frame.normal
    normal = cosine * frame.normal - curve.side * sine * frame.into
    folded = (
        frame.point
        + along[:, None] * frame.along
        + curve.radius_mm * (sine * frame.into + curve.side * (1.0 - cosine) * frame.normal)
        + (into - bent)[:, None] * across
    )
    return folded, (np.broadcast_to(frame.along, (count, 3)), across, normal)


def _fold_cone(panel: Panel, frame: _Frame, curve: _Curve, points: Array) -> tuple[Array, tuple[Array, Array, Array]]:
    half = math.radians(panel.half_angle_deg)
    tip = np.array(panel.tip)
    start = np.array(panel.hinge.point) - tip
    reach = float(np.hypot(*start))
    away = points - tip
    ray = start / reach
    sense = math.copysign(1.0, float(ray @ np.array(panel.hinge.along)))
    turn = np.arctan2(away @ np.array(panel.hinge.into), away @ ray) / math.sin(half)
    slant = np.hypot(*away.T) - curve.shift_mm / math.tan(half)
    ruling = sense * frame.along
    outward = -curve.side * frame.normal
    axis = math.cos(half) * ruling - math.sin(half) * outward
    apex = frame.point - ruling * (reach - curve.shift_mm / math.tan(half))
    if float(np.cross(axis, ruling) @ frame.into) < 0:
        turn = -turn
    rays, across, normals = (_rotated(axis, turn, vector) for vector in (ruling, frame.into, frame.normal))
    return apex + slant[:, None] * rays, (sense * rays, across, normals)


def _rotated(axis: Vector, angles: Array, vector: Vector) -> Array:
    """A vector turned about an axis by each angle, (n, 3)."""
    sine, cosine = np.sin(angles)[:, None], np.cos(angles)[:, None]
    along = float(axis @ vector) * axis
    turned: Array = along + cosine * (vector - along) + sine * np.cross(axis, vector)
    return turned


def _folded_volume(flat: FlatSheet, allowance: Allowance) -> float:
    """Volume of the folded sheet: walls keep their area; a bend's is that of its middle layer."""
    thickness, area = flat.thickness_mm, flat.area_mm2
    for number, bend in enumerate(flat.bends):
        angle = math.radians(bend.angle_deg)
        developed = allowance.develop(bend.inner_radius_mm, thickness, bend.angle_deg)
        panels = [panel for panel in flat.panels if panel.bend == number]
        own = sum(abs(sum(_clockwise_area(panel))) for panel in panels if panel.outlines)
        if any(not panel.outlines for panel in panels):
            own += bend.length_mm * bend.developed.length_mm
        taken = own * developed.length_mm / bend.developed.length_mm
        area += taken * (angle * (bend.inner_radius_mm + thickness / 2) / developed.length_mm - 1.0)
    return area * thickness


def _clockwise_area(panel: Panel) -> list[float]:
    return [signed_area(outline) for outline in panel.outlines]


def _box_error(flat: FlatSheet, skin: Skin, frames: list[_Frame], curves: list[_Curve]) -> float:
    if flat.marks:
        return math.nan
    points = []
    for panel, frame in zip(flat.panels, frames, strict=True):
        # the holes of a wall lie within its outer outline, which comes first
        for outline in panel.outlines if panel.bend >= 0 else panel.outlines[:1]:
            folded, (_, _, normals) = _fold(
                panel, frame, curves, _dense(outline, curves[panel.bend] if panel.bend >= 0 else None)
            )
            points += [folded, folded - flat.thickness_mm * normals]
        if not panel.outlines:
            return math.nan
    every = np.concatenate(points)
    box = np.array([every.min(axis=0), every.max(axis=0)])
    return float(np.abs(box - skin.graph.part.bodies[flat.body].box).max())


def _dense(outline: Outline, curve: _Curve | None) -> Array:
    """Points along an outline that show how far it reaches in space, as it is bent."""
    if curve is None:
        return sample(outline, 1.0)
    step_rad = math.sqrt(8.0 * SAGITTA_MM / max(curve.radius_mm, 1.0))
    steps = max(2, math.ceil(curve.angle_rad / step_rad))
    rows = []
    for piece in outline:
        if isinstance(piece, LinePiece):
            share = np.linspace(0.0, 1.0, steps + 1)[:, None]
            rows.append(np.array(piece.start) * (1 - share) + np.array(piece.end) * share)
        else:
            rows.append(sample([piece], math.degrees(abs(piece.sweep_rad)) / steps))
    return np.concatenate(rows)
