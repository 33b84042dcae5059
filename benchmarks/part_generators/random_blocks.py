"""Random machined blocks: what was cut is known, so every face has a true word without anybody's labels.

A block is cut by some tools of the kinds that the public labeled sets use (see `labeled.py`), each placed on one of
its six sides. A face of the result belongs to the last tool on whose skin it lies, else to the stock. `apart` blocks
keep their tools clear of one another, so that every word is certain; in `mixed` ones tools may meet, and a slot that
cuts a pocket open may rightly be called something else: they are here for crashes, hangs and faces without a role.
`machined.py` makes blocks whose cuts meet only as those of the public sets do: what they score is what to look at.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.labelled import predicted, score
from benchmarks.part_generators.machined_blocks import machined_block
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.recognize import recognize

SIDE = 10.0
"""Of the block, mm."""
OVER = 2.0
"""How far tools stick out of the block."""
ON_SKIN = 1e-4
MACHINED_SEEDS = range(8000, 8030)
Recipe = dict[str, Any]
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tool:
    """A cut seen from the block's top: `outline` (k, 2) from `low` up, or a full circle, with a `core` left standing.

    `lying`: the outline is drawn in the plane across the block's X axis (y, z) and runs along X from `low` to `high`.
    """

    word: str
    outline: tuple[tuple[float, float], ...]
    low: float
    high: float
    circle: tuple[float, float, float] | None = None
    core: float = 0.0
    lying: bool = False


def random_block(seed: int, count: int, apart: bool) -> tuple[Recipe, list[tuple[Tool, Points]]]:
    """A recipe with up to `count` cuts, and each tool with the turn (3, 3) that brings it to its side of the block."""
    dice = random.Random(seed)
    placed: list[tuple[Tool, Points]] = []
    boxes: list[Points] = []
    for _ in range(count * 6):
        tool = dice.choice(TOOLS)(dice)
        turn = _turn(dice)
        box = _box(tool, turn)
        if apart and any((box[0] < other[1] + 0.3).all() and (other[0] < box[1] + 0.3).all() for other in boxes):
            continue
        placed.append((tool, turn))
        boxes.append(box)
        if len(placed) == count:
            break
    block = {"move": {"of": {"box": [SIDE] * 3}, "by": [-SIDE / 2] * 3}}
    return {"cut": [block, *(_recipe(tool, turn) for tool, turn in placed)]}, placed


def true_words(part: Part, placed: list[tuple[Tool, Points]]) -> list[str]:
    """The word of the last tool on whose skin a face lies."""
    words = []
    for face in part.faces:
        word = "stock"
        for tool, turn in placed:
            if _on_skin(tool, turn.T @ face.point):
                word = tool.word
        words.append(word)
    return words


def _turn(dice: random.Random) -> Points:
    """One of the 24 turns of a cube."""
    axes = [0, 1, 2]
    dice.shuffle(axes)
    turn = np.zeros((3, 3))
    for row, column in enumerate(axes):
        turn[row, column] = dice.choice((-1.0, 1.0))
    if np.linalg.det(turn) < 0:
        turn[:, 0] *= -1
    return turn


def _corners(tool: Tool) -> Points:
    if tool.circle is not None:
        x, y, r = tool.circle
        flat = [(x - r, y - r), (x + r, y + r)]
    else:
        flat = list(tool.outline)
    return np.array([[h, *p] if tool.lying else [*p, h] for p in flat for h in (tool.low, tool.high)])


def _box(tool: Tool, turn: Points) -> Points:
    corners = np.clip(_corners(tool), -SIDE / 2, SIDE / 2) @ turn.T
    return np.array([corners.min(axis=0), corners.max(axis=0)])


def _recipe(tool: Tool, turn: Points) -> Recipe:
    height = tool.high - tool.low
    if tool.circle is not None:
        x, y, r = tool.circle
        solid: Recipe = {"cylinder": {"d": 2 * r, "h": height}}
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
    axis, angle = _axis_angle(turn)
    return {"turn": {"of": solid, "axis": axis, "deg": angle}} if angle else solid


def _axis_angle(turn: Points) -> tuple[list[float], float]:
    angle = math.degrees(math.acos(max(-1.0, min(1.0, (float(np.trace(turn)) - 1) / 2))))
    if angle < 1.0:
        return [0.0, 0.0, 1.0], 0.0
    values, vectors = np.linalg.eig(turn)
    axis = np.real(vectors[:, int(np.argmin(np.abs(values - 1)))])
    twist = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return (axis if float(axis @ twist) >= 0 else -axis).tolist(), angle


def _on_skin(tool: Tool, point: Points) -> bool:
    x, y, z = point.tolist()
    if tool.lying:
        x, y, z = y, z, x
    if not tool.low - ON_SKIN < z < tool.high + ON_SKIN:
        return False
    ends = min(abs(z - tool.low), abs(z - tool.high)) < ON_SKIN
    if tool.circle is not None:
        away = math.hypot(x - tool.circle[0], y - tool.circle[1])
        skin = abs(away - tool.circle[2]) < ON_SKIN or (tool.core > 0 and abs(away - tool.core) < ON_SKIN)
        return skin or (ends and tool.core - ON_SKIN < away < tool.circle[2] + ON_SKIN)
    corners = np.array(tool.outline)
    sides = np.roll(corners, -1, axis=0) - corners
    inward = np.column_stack([-sides[:, 1], sides[:, 0]]) / np.hypot(sides[:, 0], sides[:, 1])[:, None]
    depth = ((np.array([x, y]) - corners) * inward).sum(axis=1)
    return bool(depth.min() > -ON_SKIN and (ends or depth.min() < ON_SKIN))


def _rectangle(x0: float, x1: float, y0: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _regular(dice: random.Random, sides: int) -> tuple[tuple[float, float], ...]:
    r = dice.uniform(0.8, 2.5)
    x, y = dice.uniform(-SIDE / 2 + r + 0.4, SIDE / 2 - r - 0.4), dice.uniform(-SIDE / 2 + r + 0.4, SIDE / 2 - r - 0.4)
    start = dice.uniform(0, 2 * math.pi)
    turns = [start + 2 * math.pi * k / sides for k in range(sides)]
    return tuple((x + r * math.cos(t), y + r * math.sin(t)) for t in turns)


def _inner_rectangle(dice: random.Random) -> tuple[tuple[float, float], ...]:
    x, y = sorted(dice.uniform(-4.5, 4.5) for _ in range(2)), sorted(dice.uniform(-4.5, 4.5) for _ in range(2))
    return _rectangle(x[0], max(x[1], x[0] + 0.6), y[0], max(y[1], y[0] + 0.6))


TOP, ALL = SIDE / 2 + OVER, SIDE / 2 + OVER


def _floor(dice: random.Random) -> float:
    return dice.uniform(-SIDE / 2 + 1.0, SIDE / 2 - 0.6)


def _slot(dice: random.Random) -> Tool:
    width, middle = dice.uniform(0.6, 4.0), dice.uniform(-2.4, 2.4)
    low = _floor(dice)
    return Tool("slot", _rectangle(middle - width / 2, middle + width / 2, low, TOP), -ALL, ALL, lying=True)


def _vee_slot(dice: random.Random) -> Tool:
    half, middle, depth = dice.uniform(0.5, 2.0), dice.uniform(-2.4, 2.4), dice.uniform(0.8, 6.0)
    top = SIDE / 2 + 0.5
    grow = (depth + 0.5) / depth
    points = ((middle, SIDE / 2 - depth), (middle + half * grow, top), (middle - half * grow, top))
    return Tool("slot", points, -ALL, ALL, lying=True)


def _round_slot(dice: random.Random) -> Tool:
    r, middle = dice.uniform(0.6, 2.5), dice.uniform(-2.0, 2.0)
    return Tool("slot", (), -ALL, ALL, circle=(middle, SIDE / 2, r), lying=True)


def _passage(dice: random.Random) -> Tool:
    outline = _inner_rectangle(dice) if dice.random() < 0.4 else _regular(dice, dice.choice((3, 6)))
    return Tool("passage", outline, -ALL, ALL)


def _pocket(dice: random.Random) -> Tool:
    outline = _inner_rectangle(dice) if dice.random() < 0.4 else _regular(dice, dice.choice((3, 6)))
    return Tool("pocket", outline, _floor(dice), TOP)


def _hole(dice: random.Random) -> Tool:
    r = dice.uniform(0.3, 2.2)
    x, y = dice.uniform(-4.6 + r, 4.6 - r), dice.uniform(-4.6 + r, 4.6 - r)
    return Tool("hole", (), -ALL if dice.random() < 0.5 else _floor(dice), TOP, circle=(x, y, r))


def _ring(dice: random.Random) -> Tool:
    r = dice.uniform(1.0, 3.5)
    x, y = dice.uniform(-4.6 + r, 4.6 - r), dice.uniform(-4.6 + r, 4.6 - r)
    return Tool("ring", (), _floor(dice), TOP, circle=(x, y, r), core=r * dice.uniform(0.4, 0.85))


def _step(dice: random.Random) -> Tool:
    edge, low = dice.uniform(0.5, 4.5), _floor(dice)
    shape = dice.random()
    if shape < 0.4:
        outline = _rectangle(edge, TOP, low, TOP)
    elif shape < 0.7:  # the floor slants
        outline = ((edge, low), (TOP, low - dice.uniform(0.3, 1.0)), (TOP, TOP), (edge, TOP))
    else:  # two sides, neither square
        outline = (
            (edge, low),
            (TOP, low + (TOP - edge) * dice.uniform(0.05, 0.3)),
            (TOP, TOP),
            (edge - (TOP - low) * dice.uniform(0.05, 0.3), TOP),
        )
    return Tool("step", outline, -ALL, ALL, lying=True)


def _corner(dice: random.Random) -> Tool:
    x, y, low = dice.uniform(0.0, 4.0), dice.uniform(0.0, 4.0), _floor(dice)
    if dice.random() < 0.5:
        return Tool("step", _rectangle(x, TOP, y, TOP), low, TOP)
    a, b = 5.0 - x, 5.0 - y
    return Tool(
        "step", ((5.0 - a, 5.0), (5.0, 5.0 - b), (5.0 + a, 5.0 - b), (5.0 + a, 5.0 + b), (5.0 - a, 5.0 + b)), low, TOP
    )


def _round_corner(dice: random.Random) -> Tool:
    return Tool("step", (), _floor(dice), TOP, circle=(SIDE / 2, SIDE / 2, dice.uniform(1.0, 4.0)))


def _blind_slot(dice: random.Random) -> Tool:
    width, middle, inner = dice.uniform(0.6, 4.0), dice.uniform(-2.4, 2.4), dice.uniform(-3.5, 4.0)
    return Tool("slot", _rectangle(inner, TOP, middle - width / 2, middle + width / 2), _floor(dice), TOP)


def _chamfer(dice: random.Random) -> Tool:
    a = dice.uniform(0.3, 1.6)
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


def measure(seeds: range, apart: bool) -> tuple[list[tuple[str, str]], float, int]:
    """(true, predicted) of every face, the slowest recognition in milliseconds a face, and faces without a role."""
    pairs: list[tuple[str, str]] = []
    slowest, bare = 0.0, 0
    for seed in seeds:
        recipe, placed = random_block(seed, 3 + seed % 6, apart)
        part = load(build(recipe), "part.step").part
        start = time.process_time()
        found = recognize(part)
        slowest = max(slowest, (time.process_time() - start) * 1e3 / len(part.faces))
        bare += int((found.roles == 0).sum())
        true, guess = true_words(part, placed), predicted(part, found)
        pairs.extend(zip(true, guess, strict=True))
        wrong = Counter((want, got or "nothing") for want, got in zip(true, guess, strict=True) if want != got)
        if apart:
            for (want, got), count in sorted(wrong.items()):
                sys.stderr.write(f"  block {seed}: {count} faces of a {want}, said {got}\n")
    return pairs, slowest, bare


def measure_machined(seeds: range) -> tuple[list[tuple[str, str]], float, int]:
    """The same for blocks made as the public sets make theirs."""
    pairs: list[tuple[str, str]] = []
    slowest, bare = 0.0, 0
    for seed in seeds:
        part, true, _ = machined_block(seed, 3 + seed % 8)
        start = time.process_time()
        found = recognize(part)
        slowest = max(slowest, (time.process_time() - start) * 1e3 / len(part.faces))
        bare += int((found.roles == 0).sum())
        pairs.extend(zip(true, predicted(part, found), strict=True))
    return pairs, slowest, bare


def main() -> None:
    _say("machined", *measure_machined(MACHINED_SEEDS))
    for apart, seeds in ((True, range(100)), (False, range(1000, 1100))):
        _say("apart" if apart else "mixed", *measure(seeds, apart))


def _say(name: str, pairs: list[tuple[str, str]], slowest_ms: float, bare: int) -> None:
    accuracy = sum(true == guess for true, guess in pairs) / len(pairs)
    sys.stdout.write(f"{name}: {len(pairs)} faces, accuracy {accuracy:.4f}, slowest {slowest_ms:.2f} ms a face, ")
    sys.stdout.write(f"{bare} faces without a role\n")
    for word, (precision, recall, count) in score(pairs).items():
        sys.stdout.write(f"  {word:8} precision {precision:.4f} recall {recall:.4f} faces {count}\n")


if __name__ == "__main__":
    main()
