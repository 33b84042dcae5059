"""Sketches for cuts on the flat faces of a part: on an edge, in a corner, from edge to edge, or inside the face.

Each keeps a clearance from the face's other edges, and nothing is above it, so that a cutter can reach it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.model import Model
from fettle.geometry.part import Convexity, Line, Part, Plane

LEAST, CLEAR = 2.0, 1.0
"""Smallest size of a cut, and its clearance from other edges, mm."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A rectangle on a plane face: `origin` (3,) mm; rows of `frame` (3, 3): along, inward, outward normal; `width` and
    `height` in mm along the first two."""

    origin: Array
    frame: Array
    width: float
    height: float


def on_edge(rng: random.Random, model: Model) -> list[Sketch]:
    """Rectangles that stand on one convex edge of a face."""
    return [sketch for sketch in _on_edge(rng, model.part) if _reachable(model, sketch)]


def _on_edge(rng: random.Random, part: Part) -> Iterator[Sketch]:
    for face, steps in _loops_in_order(part):
        for edge, start, end in steps:
            length = float(np.linalg.norm(end - start)) - 2 * CLEAR
            if not _sharp(part, edge) or length < LEAST:
                continue
            frame = _frame(start, end, part.faces[face].normal)
            origin = start + CLEAR * frame[0]
            marks = [*np.arange(0.0, length, LEAST).tolist(), length]
            low, high = sorted(rng.sample(marks, 2))
            height = _room_inward(part, face, origin, frame, low, high) - CLEAR
            if high - low < LEAST or not LEAST <= height < math.inf:
                continue
            width, height = _shrunk(rng, high - low), _shrunk(rng, height)
            low += rng.uniform(0.0, high - low - width)
            yield Sketch(origin + low * frame[0], frame, width, height)


def in_corner(rng: random.Random, model: Model) -> list[Sketch]:
    """Rectangles in a right corner of two convex edges of a face."""
    return [sketch for sketch in _in_corner(rng, model.part) if _reachable(model, sketch)]


def _in_corner(rng: random.Random, part: Part) -> Iterator[Sketch]:
    for face, steps in _loops_in_order(part):
        for (one, start, _), (two, corner, end) in zip(steps, steps[1:] + steps[:1], strict=True):
            if not (_sharp(part, one) and _sharp(part, two)):
                continue
            frame = _frame(corner, end, part.faces[face].normal)
            back = start - corner
            if abs(float(back @ frame[0])) > 1e-6 or float(back @ frame[1]) < LEAST + CLEAR:
                continue
            width = float(np.linalg.norm(end - corner))
            height = _room_inward(part, face, corner, frame, 1e-6, width - CLEAR)
            width, height = width - CLEAR, min(height, float(back @ frame[1])) - CLEAR
            if min(width, height) < LEAST:
                continue
            yield Sketch(corner, frame, _shrunk(rng, width), _shrunk(rng, height))


def across(rng: random.Random, model: Model) -> list[Sketch]:
    """Rectangles from edge to edge of a face, along a third edge between them, all convex."""
    return [sketch for sketch in _across(rng, model.part) if _reachable(model, sketch)]


def _across(rng: random.Random, part: Part) -> Iterator[Sketch]:
    for face, steps in _loops_in_order(part):
        turned = steps[1:] + steps[:1], steps[2:] + steps[:2]
        for (one, before, _), (two, start, end), (three, _, after) in zip(steps, *turned, strict=True):
            if len(steps) < 4 or not all(_sharp(part, edge) for edge in (one, two, three)):
                continue
            frame = _frame(start, end, part.faces[face].normal)
            width = float(np.linalg.norm(end - start))
            sides = [float((before - start) @ frame[1]), float((after - end) @ frame[1])]
            if abs(float((before - start) @ frame[0])) > 1e-6 or abs(float((after - end) @ frame[0])) > 1e-6:
                continue
            height = min(_room_inward(part, face, start, frame, 1e-6, width - 1e-6), *sides) - CLEAR
            if width < LEAST or height < LEAST:
                continue
            yield Sketch(start, frame, width, _shrunk(rng, height))


def inside(rng: random.Random, model: Model) -> list[Sketch]:
    """Rectangles inside faces, squared up with the nearest edge."""
    part = model.part
    found = []
    for face in range(len(part.faces)):
        if not isinstance(part.faces[face].surface, Plane):
            continue
        normal = part.faces[face].normal
        corners = model.mesh.points[model.mesh.triangles[model.mesh.triangle_face == face]].astype(float)
        fine = np.concatenate(
            [
                np.linspace(a, b, 40)
                for loop in part.faces[face].loops
                for edge in loop.edges
                for a, b in zip(part.edges[edge].points[:-1], part.edges[edge].points[1:], strict=True)
            ]
        )
        for triangle in corners:
            for weights in ((1 / 3, 1 / 3, 1 / 3), (0.2, 0.4, 0.4), (0.4, 0.2, 0.4), (0.4, 0.4, 0.2)):
                point = np.array(weights) @ triangle
                away = np.linalg.norm(fine - point, axis=1)
                room = float(away.min()) - CLEAR
                if room < LEAST / 2:
                    continue
                along = (fine[int(away.argmin())] - point) / float(away.min())
                frame = np.array([along, np.cross(normal, along), normal])
                origin = point - room * (frame[0] + frame[1])
                if _reachable(model, Sketch(origin, frame, 2 * room, 2 * room)):
                    width, height = _shrunk(rng, 2 * room), _shrunk(rng, 2 * room)
                    shift = rng.uniform(0, 2 * room - width), rng.uniform(0, 2 * room - height)
                    found.append(Sketch(origin + np.array(shift) @ frame[:2], frame, width, height))
    return found


def _hits(model: Model, start: Array, direction: Array) -> Array:
    """Distances at which a ray meets the part, above 0."""
    corners = model.mesh.points[model.mesh.triangles].astype(float)
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(direction, two)
    scale = (one * across).sum(axis=1)
    good = np.abs(scale) > 1e-12
    scale = np.where(good, scale, 1.0)
    offset = start - corners[:, 0]
    u = (offset * across).sum(axis=1) / scale
    beside = np.cross(offset, one)
    v = (beside @ direction) / scale
    t = (two * beside).sum(axis=1) / scale
    hits: Array = t[good & (u > -1e-9) & (v > -1e-9) & (u + v < 1 + 1e-9) & (t > 1e-6)]
    return hits


def _grid(sketch: Sketch, steps: int) -> list[Array]:
    along, inward = sketch.frame[:2]
    shares = np.linspace(0.0, 1.0, steps)
    return [sketch.origin + a * sketch.width * along + b * sketch.height * inward for a in shares for b in shares]


def room_below(model: Model, sketch: Sketch) -> float:
    """Depth in mm of a cut before it meets the surface below it."""
    hits = [_hits(model, point, -sketch.frame[2]) for point in _grid(sketch, 6)]
    found = np.concatenate(hits)
    return float(found.min()) if len(found) else 0.0


def _reachable(model: Model, sketch: Sketch) -> bool:
    """Whether nothing is above the corners and the middle of the sketch."""
    middle = sketch.origin + sketch.frame[0] * sketch.width / 2 + sketch.frame[1] * sketch.height / 2
    return all(not len(_hits(model, point, sketch.frame[2])) for point in [*_grid(sketch, 2), middle])


def _loops_in_order(part: Part) -> list[tuple[int, list[tuple[int, Array, Array]]]]:
    """Flat faces with the edges of each loop in order: number, start, end."""
    walks = []
    for number, face in enumerate(part.faces):
        if isinstance(face.surface, Plane):
            for loop in face.loops:
                steps = []
                for edge, back in zip(loop.edges, loop.reversed, strict=True):
                    points = part.edges[edge].points[::-1] if back else part.edges[edge].points
                    steps.append((edge, points[0], points[-1]))
                walks.append((number, steps))
    return walks


def _sharp(part: Part, edge: int) -> bool:
    return part.edges[edge].convexity is Convexity.CONVEX and isinstance(part.edges[edge].curve, Line)


def _room_inward(part: Part, face: int, origin: Array, frame: Array, low: float, high: float) -> float:
    """How far a strip of a face reaches inward from an edge before it meets another edge."""
    reach = math.inf
    for loop in part.faces[face].loops:
        for edge in loop.edges:
            flat = (part.edges[edge].points - origin) @ frame[:2].T
            inside = flat[(flat[:, 0] > low + 1e-9) & (flat[:, 0] < high - 1e-9) & (flat[:, 1] > 1e-6)]
            marks = [*inside[:, 1].tolist()]
            marks.extend(
                y1 + (x - x1) / (x2 - x1) * (y2 - y1)
                for (x1, y1), (x2, y2) in pairwise(flat)
                for x in (low, high)
                if (x1 - x) * (x2 - x) <= 0 and abs(x2 - x1) > 1e-12
            )
            reach = min([reach, *(mark for mark in marks if mark > 1e-6)])
    return reach


def _frame(start: Array, end: Array, normal: Array) -> Array:
    along = (end - start) / float(np.linalg.norm(end - start))
    return np.array([along, np.cross(normal, along), normal])


def _shrunk(rng: random.Random, size: float) -> float:
    return max(LEAST, size * rng.uniform(0.1, 1.0))
