"""Random blocks cut by known tools, with the true label of every face.

A cube is cut by tools of the kinds in the public labeled sets (see `benchmarks/labeled.py`), each on one of its six
sides. A face belongs to the last tool on whose surface it lies, else to the stock. In `apart` blocks the tools keep
clear of one another, so that every label is certain. Otherwise tools may meet, and a slot that opens a pocket may
rightly be recognized as something else: such blocks test for crashes, hangs and faces without a role.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part

SIDE = 10.0
"""Side of the cube, mm."""
OVER = 2.0
"""Length by which tools stick out of the cube, mm."""
ON_SURFACE = 1e-4
"""Distance up to which a point lies on a tool's surface, mm."""
CsgTree = dict[str, Any]
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tool:
    """A cut into the top of the cube: a prism over `outline` (k, 2) from `low` to `high` in mm, or a cylinder over
    `circle` (x, y, radius), without a cylindrical `core` of that radius.

    `lying`: the outline is in the plane across the X axis (y, z) and extruded along X.
    """

    label: str
    outline: tuple[tuple[float, float], ...]
    low: float
    high: float
    circle: tuple[float, float, float] | None = None
    core: float = 0.0
    lying: bool = False


def random_block(seed: int, count: int, apart: bool) -> tuple[CsgTree, list[tuple[Tool, Points]]]:
    """CSG tree of a cube with up to `count` cuts, and each tool with the rotation (3, 3) to its side of the cube."""
    rng = random.Random(seed)
    placed: list[tuple[Tool, Points]] = []
    boxes: list[Points] = []
    for _ in range(count * 6):
        tool = rng.choice(TOOLS)(rng)
        rotation = _rotation(rng)
        box = _box(tool, rotation)
        if apart and any((box[0] < other[1] + 0.3).all() and (other[0] < box[1] + 0.3).all() for other in boxes):
            continue
        placed.append((tool, rotation))
        boxes.append(box)
        if len(placed) == count:
            break
    block = {"move": {"of": {"box": [SIDE] * 3}, "by": [-SIDE / 2] * 3}}
    return {"cut": [block, *(_tree(tool, rotation) for tool, rotation in placed)]}, placed


def true_labels(part: Part, placed: list[tuple[Tool, Points]]) -> list[str]:
    """Label (faces) of the last tool on whose surface each face lies, else stock."""
    words = []
    for face in part.faces:
        label = "stock"
        for tool, rotation in placed:
            if _on_surface(tool, rotation.T @ face.point):
                label = tool.label
        words.append(label)
    return words


def _rotation(rng: random.Random) -> Points:
    """One of the 24 rotations of a cube, (3, 3)."""
    axes = [0, 1, 2]
    rng.shuffle(axes)
    rotation = np.zeros((3, 3))
    for row, column in enumerate(axes):
        rotation[row, column] = rng.choice((-1.0, 1.0))
    if np.linalg.det(rotation) < 0:
        rotation[:, 0] *= -1
    return rotation


def _corners(tool: Tool) -> Points:
    if tool.circle is not None:
        x, y, r = tool.circle
        flat = [(x - r, y - r), (x + r, y + r)]
    else:
        flat = list(tool.outline)
    return np.array([[h, *p] if tool.lying else [*p, h] for p in flat for h in (tool.low, tool.high)])


def _box(tool: Tool, rotation: Points) -> Points:
    corners = np.clip(_corners(tool), -SIDE / 2, SIDE / 2) @ rotation.T
    return np.array([corners.min(axis=0), corners.max(axis=0)])


def _tree(tool: Tool, rotation: Points) -> CsgTree:
    height = tool.high - tool.low
    if tool.circle is not None:
        x, y, r = tool.circle
        solid: CsgTree = {"cylinder": {"d": 2 * r, "h": height}}
        if tool.core:
            inner = {"move": {"of": {"cylinder": {"d": 2 * tool.core, "h": height + 2}}, "by": [0, 0, -1]}}
            solid = {"cut": [solid, inner]}
        solid = {"move": {"of": solid, "by": [x, y, tool.low]}}
    else:
        points = [list(point) for point in tool.outline]
        solid = {"move": {"of": {"prism": {"points": points, "h": height}}, "by": [0, 0, tool.low]}}
    if tool.lying:
        # The outline's x, y and its height become the block's y, z and x.
        solid = {"turn": {"of": solid, "axis": [1, 1, 1], "deg": 120}}
    axis, angle = _axis_angle(rotation)
    return {"turn": {"of": solid, "axis": axis, "deg": angle}} if angle else solid


def _axis_angle(rotation: Points) -> tuple[list[float], float]:
    angle = math.degrees(math.acos(max(-1.0, min(1.0, (float(np.trace(rotation)) - 1) / 2))))
    if angle < 1.0:
        return [0.0, 0.0, 1.0], 0.0
    values, vectors = np.linalg.eig(rotation)
    axis = np.real(vectors[:, int(np.argmin(np.abs(values - 1)))])
    twist = np.array(
        [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    )
    return (axis if float(axis @ twist) >= 0 else -axis).tolist(), angle


def _on_surface(tool: Tool, point: Points) -> bool:
    x, y, z = point.tolist()
    if tool.lying:
        x, y, z = y, z, x
    if not tool.low - ON_SURFACE < z < tool.high + ON_SURFACE:
        return False
    ends = min(abs(z - tool.low), abs(z - tool.high)) < ON_SURFACE
    if tool.circle is not None:
        away = math.hypot(x - tool.circle[0], y - tool.circle[1])
        skin = abs(away - tool.circle[2]) < ON_SURFACE or (tool.core > 0 and abs(away - tool.core) < ON_SURFACE)
        return skin or (ends and tool.core - ON_SURFACE < away < tool.circle[2] + ON_SURFACE)
    corners = np.array(tool.outline)
    sides = np.roll(corners, -1, axis=0) - corners
    inward = np.column_stack([-sides[:, 1], sides[:, 0]]) / np.hypot(sides[:, 0], sides[:, 1])[:, None]
    depth = ((np.array([x, y]) - corners) * inward).sum(axis=1)
    return bool(depth.min() > -ON_SURFACE and (ends or depth.min() < ON_SURFACE))


def _rectangle(x0: float, x1: float, y0: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _regular(rng: random.Random, sides: int) -> tuple[tuple[float, float], ...]:
    r = rng.uniform(0.8, 2.5)
    x, y = rng.uniform(-SIDE / 2 + r + 0.4, SIDE / 2 - r - 0.4), rng.uniform(-SIDE / 2 + r + 0.4, SIDE / 2 - r - 0.4)
    start = rng.uniform(0, 2 * math.pi)
    turns = [start + 2 * math.pi * k / sides for k in range(sides)]
    return tuple((x + r * math.cos(t), y + r * math.sin(t)) for t in turns)


def _inner_rectangle(rng: random.Random) -> tuple[tuple[float, float], ...]:
    x, y = sorted(rng.uniform(-4.5, 4.5) for _ in range(2)), sorted(rng.uniform(-4.5, 4.5) for _ in range(2))
    return _rectangle(x[0], max(x[1], x[0] + 0.6), y[0], max(y[1], y[0] + 0.6))


TOP, ALL = SIDE / 2 + OVER, SIDE / 2 + OVER


def _floor(rng: random.Random) -> float:
    return rng.uniform(-SIDE / 2 + 1.0, SIDE / 2 - 0.6)


def _slot(rng: random.Random) -> Tool:
    width, middle = rng.uniform(0.6, 4.0), rng.uniform(-2.4, 2.4)
    low = _floor(rng)
    return Tool("slot", _rectangle(middle - width / 2, middle + width / 2, low, TOP), -ALL, ALL, lying=True)


def _vee_slot(rng: random.Random) -> Tool:
    half, middle, depth = rng.uniform(0.5, 2.0), rng.uniform(-2.4, 2.4), rng.uniform(0.8, 6.0)
    top = SIDE / 2 + 0.5
    grow = (depth + 0.5) / depth
    points = ((middle, SIDE / 2 - depth), (middle + half * grow, top), (middle - half * grow, top))
    return Tool("slot", points, -ALL, ALL, lying=True)


def _round_slot(rng: random.Random) -> Tool:
    r, middle = rng.uniform(0.6, 2.5), rng.uniform(-2.0, 2.0)
    return Tool("slot", (), -ALL, ALL, circle=(middle, SIDE / 2, r), lying=True)


def _passage(rng: random.Random) -> Tool:
    outline = _inner_rectangle(rng) if rng.random() < 0.4 else _regular(rng, rng.choice((3, 6)))
    return Tool("passage", outline, -ALL, ALL)


def _pocket(rng: random.Random) -> Tool:
    outline = _inner_rectangle(rng) if rng.random() < 0.4 else _regular(rng, rng.choice((3, 6)))
    return Tool("pocket", outline, _floor(rng), TOP)


def _hole(rng: random.Random) -> Tool:
    r = rng.uniform(0.3, 2.2)
    x, y = rng.uniform(-4.6 + r, 4.6 - r), rng.uniform(-4.6 + r, 4.6 - r)
    return Tool("hole", (), -ALL if rng.random() < 0.5 else _floor(rng), TOP, circle=(x, y, r))


def _ring(rng: random.Random) -> Tool:
    r = rng.uniform(1.0, 3.5)
    x, y = rng.uniform(-4.6 + r, 4.6 - r), rng.uniform(-4.6 + r, 4.6 - r)
    return Tool("ring", (), _floor(rng), TOP, circle=(x, y, r), core=r * rng.uniform(0.4, 0.85))


def _step(rng: random.Random) -> Tool:
    edge, low = rng.uniform(0.5, 4.5), _floor(rng)
    shape = rng.random()
    if shape < 0.4:
        outline = _rectangle(edge, TOP, low, TOP)
    elif shape < 0.7:  # the floor slants
        outline = ((edge, low), (TOP, low - rng.uniform(0.3, 1.0)), (TOP, TOP), (edge, TOP))
    else:  # two sides, neither square
        outline = (
            (edge, low),
            (TOP, low + (TOP - edge) * rng.uniform(0.05, 0.3)),
            (TOP, TOP),
            (edge - (TOP - low) * rng.uniform(0.05, 0.3), TOP),
        )
    return Tool("step", outline, -ALL, ALL, lying=True)


def _corner(rng: random.Random) -> Tool:
    x, y, low = rng.uniform(0.0, 4.0), rng.uniform(0.0, 4.0), _floor(rng)
    if rng.random() < 0.5:
        return Tool("step", _rectangle(x, TOP, y, TOP), low, TOP)
    a, b = 5.0 - x, 5.0 - y
    return Tool(
        "step", ((5.0 - a, 5.0), (5.0, 5.0 - b), (5.0 + a, 5.0 - b), (5.0 + a, 5.0 + b), (5.0 - a, 5.0 + b)), low, TOP
    )


def _round_corner(rng: random.Random) -> Tool:
    return Tool("step", (), _floor(rng), TOP, circle=(SIDE / 2, SIDE / 2, rng.uniform(1.0, 4.0)))


def _blind_slot(rng: random.Random) -> Tool:
    width, middle, inner = rng.uniform(0.6, 4.0), rng.uniform(-2.4, 2.4), rng.uniform(-3.5, 4.0)
    return Tool("slot", _rectangle(inner, TOP, middle - width / 2, middle + width / 2), _floor(rng), TOP)


def _chamfer(rng: random.Random) -> Tool:
    a = rng.uniform(0.3, 1.6)
    half = SIDE / 2
    points = ((half - a, half), (half, half - a), (half + a, half - a), (half + a, half + a), (half - a, half + a))
    return Tool("chamfer", points, -ALL, ALL, lying=True)


TOOLS: tuple[Callable[[random.Random], Tool], ...] = (
    _slot,
    _vee_slot,
    _round_slot,
    _passage,
    _pocket,
    _hole,
    _ring,
    _step,
    _corner,
    _round_corner,
    _blind_slot,
    _chamfer,
)
