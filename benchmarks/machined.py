"""Random blocks made the way the public labelled sets make theirs, with the true word of every face.

Steps come first, then slots, through cuts, blind cuts, ring grooves, and last chamfers and rounds. A cut is a sketch on
any flat face of the part as it then is, a clearance away from that face's other edges: steps and slots hang on one, two
or three convex edges of it, everything else lies inside it. A blind cut stops a clearance short of what lies below it;
a through cut goes on and meets whatever is there. A face belongs to the cut that made it, however much later cuts leave
of it. Places inside faces are chosen once, before the first such cut, so later ones may run into earlier ones.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.errors import FettleError
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.geometry.part import Cone, Convexity, Line, Part, Plane
from fettle.geometry.recipe import build

LEAST, CLEAR = 2.0, 1.0
"""Smallest size of a cut, and its distance from what it must not touch, mm."""
STOCK = (10.0, 50.0)
CHAMFER, ROUND = (1.0, 4.0), (0.1, 5.0)
NEAR = 1e-4
TRIES = 40

Recipe = dict[str, Any]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A frame on a flat face: `frame` rows are along, inward, outward normal. `width`, `height`: room along the two."""

    origin: Array
    frame: Array
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Cut:
    """A shape from the sketch plane down: `solid` in the sketch's own frame, `outline` (k, 2) of its walls, closed.

    `depth` is infinite for through cuts.
    """

    word: str
    sketch: Sketch
    solid: Recipe
    outline: Array
    core: Array | None
    depth: float


def machined_block(seed: int, count: int) -> tuple[Part, list[str], Recipe]:
    """A block with up to `count` cuts: the part, the true word of each of its faces, and its recipe."""
    dice = random.Random(seed)
    size = [dice.uniform(*STOCK) for _ in range(3)]
    recipe: Recipe = {"box": size}
    model = load(build(recipe), "block.step")
    cuts: list[Cut] = []
    inner: list[Sketch] | None = None
    for word, hang, draw, through in sorted(dice.choices(CLASSES, k=count), key=lambda row: ORDER[row[0]]):
        if hang is None:
            recipe, model = _soften(dice, word, recipe, model)
            continue
        if hang is _inside:
            inner = _inside(dice, model) if inner is None else inner
            places = inner
        else:
            places = hang(dice, model)
        made = _place(dice, model, places, word, draw, through, max(size))
        if made is None:
            continue
        cut, tool = made
        try:
            bigger = {"cut": [*recipe.get("cut", [recipe]), tool]}
            after = load(build(bigger), "block.step")
        except FettleError:
            continue
        if len(after.part.bodies) == 1:
            recipe, model = bigger, after
            cuts.append(cut)
    return model.part, true_words(model.part, size, cuts), recipe


def true_words(part: Part, size: list[float], cuts: list[Cut]) -> list[str]:
    """The word of the first cut on whose skin a face lies; else stock on the block's sides, else chamfer or round."""
    words = []
    for face in part.faces:
        word = next((cut.word for cut in cuts if _on_skin(cut, face.point)), None)
        if word is None:
            on_block = min(np.abs(face.point).min(), np.abs(face.point - size).min()) < NEAR
            soft = "chamfer" if isinstance(face.surface, Plane | Cone) else "round"
            word = "stock" if on_block and isinstance(face.surface, Plane) else soft
        words.append(word)
    return words


def _on_skin(cut: Cut, point: Array) -> bool:
    x, y, z = (cut.sketch.frame @ (point - cut.sketch.origin)).tolist()
    if not -cut.depth - NEAR < z < NEAR:
        return False
    rings = [cut.outline] if cut.core is None else [cut.outline, cut.core]
    if min(_distance(ring, x, y) for ring in rings) < NEAR:
        return True
    return abs(z + cut.depth) < NEAR and sum(_contains(ring, x, y) for ring in rings) == 1


def _distance(ring: Array, x: float, y: float) -> float:
    """Distance from a closed line, whose arcs are drawn so finely that their chords stay within `NEAR`."""
    start, side = ring, np.roll(ring, -1, axis=0) - ring
    offset = np.array([x, y]) - start
    along = np.clip((offset * side).sum(axis=1) / np.maximum((side * side).sum(axis=1), 1e-30), 0.0, 1.0)
    return float(np.linalg.norm(offset - along[:, None] * side, axis=1).min())


def _contains(ring: Array, x: float, y: float) -> bool:
    x1, y1 = ring.T
    x2, y2 = np.roll(ring, -1, axis=0).T
    crossing = (y1 > y) != (y2 > y)
    return bool((x < x1 + (y - y1) / np.where(crossing, y2 - y1, 1.0) * (x2 - x1))[crossing].sum() % 2)


def _arc(x: float, y: float, r: float, start_deg: float, end_deg: float) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(start_deg, end_deg, 1 + math.ceil(abs(end_deg - start_deg) * math.sqrt(r) / 0.5)))
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]


def _place(
    dice: random.Random,
    model: Model,
    places: list[Sketch],
    word: str,
    draw: Callable[[random.Random, float, float, float], tuple[Recipe, Array, Array | None] | None],
    through: bool,
    reach: float,
) -> tuple[Cut, Recipe] | None:
    """A cut drawn at one of the places, with the recipe of its tool in the part's frame."""
    for _ in range(TRIES if places else 0):
        sketch = dice.choice(places)
        depth = reach
        if not through:
            room = _room_below(model, sketch)
            if room < LEAST + CLEAR:
                continue
            depth = dice.uniform(LEAST, room - CLEAR)
        drawn = draw(dice, sketch.width, sketch.height, depth)
        if drawn is None:
            continue
        solid, outline, core = drawn
        cut = Cut(word, sketch, solid, outline, core, math.inf if through else depth)
        down = {"move": {"of": solid, "by": [0, 0, -depth]}}
        axis, angle = _axis_angle(sketch.frame.T)
        turned = {"turn": {"of": down, "axis": axis, "deg": angle}} if angle else down
        return cut, {"move": {"of": turned, "by": sketch.origin.tolist()}}
    return None


def _axis_angle(turn: Array) -> tuple[list[float], float]:
    angle = math.degrees(math.acos(max(-1.0, min(1.0, (float(np.trace(turn)) - 1) / 2))))
    if angle < 1e-6:
        return [0.0, 0.0, 1.0], 0.0
    values, vectors = np.linalg.eig(turn)
    axis = np.real(vectors[:, int(np.argmin(np.abs(values - 1)))])
    twist = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return (axis if float(axis @ twist) >= 0 else -axis).tolist(), angle


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
    return t[good & (u > -1e-9) & (v > -1e-9) & (u + v < 1 + 1e-9) & (t > 1e-6)]


def _grid(sketch: Sketch, steps: int) -> list[Array]:
    along, inward = sketch.frame[:2]
    shares = np.linspace(0.0, 1.0, steps)
    return [sketch.origin + a * sketch.width * along + b * sketch.height * inward for a in shares for b in shares]


def _room_below(model: Model, sketch: Sketch) -> float:
    hits = [_hits(model, point, -sketch.frame[2]) for point in _grid(sketch, 6)]
    found = np.concatenate(hits)
    return float(found.min()) if len(found) else 0.0


def _reachable(model: Model, sketch: Sketch) -> bool:
    """Whether nothing stands above the corners and the middle of the sketch."""
    middle = sketch.origin + sketch.frame[0] * sketch.width / 2 + sketch.frame[1] * sketch.height / 2
    return all(not len(_hits(model, point, sketch.frame[2])) for point in [*_grid(sketch, 2), middle])


def _walks(part: Part) -> list[tuple[int, list[tuple[int, Array, Array]]]]:
    """Flat faces with the edges of each loop as they are walked: number, start, end."""
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


def _shrunk(dice: random.Random, size: float) -> float:
    return max(LEAST, size * dice.uniform(0.1, 1.0))


def _on_edge(dice: random.Random, model: Model) -> list[Sketch]:
    """Rectangles that stand on one convex edge of a face."""
    part = model.part
    found = []
    for face, steps in _walks(part):
        for edge, start, end in steps:
            length = float(np.linalg.norm(end - start)) - 2 * CLEAR
            if not _sharp(part, edge) or length < LEAST:
                continue
            frame = _frame(start, end, part.faces[face].normal)
            origin = start + CLEAR * frame[0]
            marks = [*np.arange(0.0, length, LEAST).tolist(), length]
            low, high = sorted(dice.sample(marks, 2))
            height = _room_inward(part, face, origin, frame, low, high) - CLEAR
            if high - low < LEAST or not LEAST <= height < math.inf:
                continue
            width, height = _shrunk(dice, high - low), _shrunk(dice, height)
            low += dice.uniform(0.0, high - low - width)
            sketch = Sketch(origin + low * frame[0], frame, width, height)
            if _reachable(model, sketch):
                found.append(sketch)
    return found


def _in_corner(dice: random.Random, model: Model) -> list[Sketch]:
    """Rectangles in a right corner of two convex edges of a face."""
    part = model.part
    found = []
    for face, steps in _walks(part):
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
            sketch = Sketch(corner, frame, _shrunk(dice, width), _shrunk(dice, height))
            if _reachable(model, sketch):
                found.append(sketch)
    return found


def _across(dice: random.Random, model: Model) -> list[Sketch]:
    """Rectangles from edge to edge of a face, along a third edge between them, all convex."""
    part = model.part
    found = []
    for face, steps in _walks(part):
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
            sketch = Sketch(start, frame, width, _shrunk(dice, height))
            if _reachable(model, sketch):
                found.append(sketch)
    return found


def _inside(dice: random.Random, model: Model) -> list[Sketch]:
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
                    width, height = _shrunk(dice, 2 * room), _shrunk(dice, 2 * room)
                    shift = dice.uniform(0, 2 * room - width), dice.uniform(0, 2 * room - height)
                    found.append(Sketch(origin + np.array(shift) @ frame[:2], frame, width, height))
    return found


def _prism(points: list[tuple[float, float]], depth: float) -> tuple[Recipe, Array, None]:
    return {"prism": {"points": [list(point) for point in points], "h": depth}}, np.array(points), None


def _disc(x: float, y: float, r: float, depth: float) -> Recipe:
    return {"move": {"of": {"cylinder": {"d": 2 * r, "h": depth}}, "by": [x, y, 0]}}


def _slab(x: float, y: float, width: float, height: float, depth: float) -> Recipe:
    return {"move": {"of": {"box": [width, height, depth]}, "by": [x, y, 0]}}


def _rectangle(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    return _prism([(0, 0), (w, 0), (w, h), (0, h)], depth)


def _triangle_on_edge(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    return _prism([(0, 0), (w, 0), (w / 2, h)], depth)


def _triangle_in_corner(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    return _prism([(0, 0), (w, 0), (0, h)], depth)


def _two_sided(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    ratio = dice.uniform(0.4, 0.8)
    return _prism([(0, 0), (w, 0), (w, h * ratio), (w / 2, h), (0, h * ratio)], depth)


def _slanted(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    low = 1 - dice.uniform(0.3, 0.6)
    left, right = dice.choice(((h, h * low), (h * low, h)))
    return _prism([(0, 0), (w, 0), (w, right), (0, left)], depth)


def _triangle(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    turn = dice.uniform(0, 120)
    angles = [turn, turn := turn + dice.uniform(100, 140), turn + dice.uniform(100, 140)]
    r = min(w, h) / 2
    return _prism([(w / 2 + r * math.cos(a), h / 2 + r * math.sin(a)) for a in np.radians(angles)], depth)


def _hexagon(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    r, turn = min(w, h) / 2, dice.uniform(0, 60)
    angles = np.radians([turn + 60 * k for k in range(6)])
    return _prism([(w / 2 + r * math.cos(a), h / 2 + r * math.sin(a)) for a in angles], depth)


def _circle(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    r = min(w, h) / 2
    return _disc(w / 2, h / 2, r, depth), np.array(_arc(w / 2, h / 2, r, 0, 360)), None


def _ring(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, Array] | None:
    r = min(w, h) / 2
    core = dice.uniform(r / 3, r - 0.2)
    solid = {"cut": [_disc(w / 2, h / 2, r, depth), _disc(w / 2, h / 2, core, depth)]}
    return solid, np.array(_arc(w / 2, h / 2, r, 0, 360)), np.array(_arc(w / 2, h / 2, core, 0, 360))


def _half_disc(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    r = min(w / 2, h)
    solid = {"common": [_disc(w / 2, 0, r, depth), _slab(w / 2 - r, 0, 2 * r, r, depth)]}
    return solid, np.array(_arc(w / 2, 0, r, 0, 180)), None


def _quarter_disc(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    r = min(w, h)
    solid = {"common": [_disc(0, 0, r, depth), _slab(0, 0, r, r, depth)]}
    return solid, np.array([(0, 0), *_arc(0, 0, r, 0, 90)]), None


def _obround(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None] | None:
    if w < h:
        solid, outline, _ = _obround(dice, h, w, depth) or ({}, None, None)
        if outline is None:
            return None
        turned = {"move": {"of": {"turn": {"of": solid, "axis": [0, 0, 1], "deg": 90}}, "by": [w, 0, 0]}}
        return turned, np.column_stack([w - outline[:, 1], outline[:, 0]]), None
    r = min(h / 2, w / 2 - 0.5)
    ends = _disc(r, r, r, depth), _disc(w - r, r, r, depth)
    solid = {"union": [_slab(r, 0, w - 2 * r, 2 * r, depth), *ends]}
    return solid, np.array([*_arc(w - r, r, r, -90, 90), *_arc(r, r, r, 90, 270)]), None


def _deep_end(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    """A rectangle from the edge with a half circle at its inner end."""
    r = w / 2 if h - w / 2 > 1.0 else dice.uniform(0.5, h / 2)
    x, y = w / 2, h - r
    solid = {"union": [_slab(x - r, 0, 2 * r, y, depth), _disc(x, y, r, depth)]}
    return solid, np.array([(x - r, 0), (x + r, 0), *_arc(x, y, r, 0, 180)]), None


def _wide_end(dice: random.Random, w: float, h: float, depth: float) -> tuple[Recipe, Array, None]:
    """A rectangle along the edge with a quarter circle at both its ends."""
    r = min(h, w / 2 - 0.5)
    box = _slab(0, 0, w, r, depth)
    solid = {
        "common": [box, {"union": [_slab(r, 0, w - 2 * r, r, depth), _disc(r, 0, r, depth), _disc(w - r, 0, r, depth)]}]
    }
    return solid, np.array([*_arc(w - r, 0, r, 0, 90), *_arc(r, 0, r, 90, 180)]), None


def _soften(dice: random.Random, word: str, recipe: Recipe, model: Model) -> tuple[Recipe, Model]:
    """The part with one edge, convex or not, broken or rounded; unchanged where the kernel cannot."""
    edges = [edge for edge in model.part.edges if edge.length_mm >= LEAST and edge.convexity is not Convexity.SMOOTH]
    for _ in range(4):
        edge = dice.choice(edges)
        place = [edge.points[len(edge.points) // 2].tolist()]
        if len(edge.points) == 2:
            place = [edge.points.mean(axis=0).tolist()]
        try:
            if word == "chamfer":
                softer: Recipe = {"chamfer": {"of": recipe, "c": dice.uniform(*CHAMFER), "edges": place}}
            else:
                most = max(min(edge.length_mm / 10, ROUND[1]), ROUND[0])
                softer = {"fillet": {"of": recipe, "r": dice.uniform(ROUND[0], most), "edges": place}}
            after = load(build(softer), "block.step")
        except FettleError:
            continue
        if len(after.part.bodies) == 1 and len(after.part.faces) > len(model.part.faces):
            return softer, after
    return recipe, model


CLASSES: list[tuple[str, Any, Any, bool]] = [
    ("step", _across, _rectangle, False),
    ("step", _across, _two_sided, False),
    ("step", _across, _slanted, False),
    ("step", _in_corner, _rectangle, False),
    ("step", _in_corner, _triangle_in_corner, False),
    ("step", _in_corner, _quarter_disc, False),
    ("slot", _on_edge, _rectangle, True),
    ("slot", _on_edge, _triangle_on_edge, True),
    ("slot", _on_edge, _half_disc, True),
    ("slot", _on_edge, _rectangle, False),
    ("slot", _on_edge, _deep_end, False),
    ("slot", _on_edge, _wide_end, False),
    ("hole", _inside, _circle, True),
    ("passage", _inside, _triangle, True),
    ("passage", _inside, _rectangle, True),
    ("passage", _inside, _hexagon, True),
    ("hole", _inside, _circle, False),
    ("pocket", _inside, _triangle, False),
    ("pocket", _inside, _rectangle, False),
    ("pocket", _inside, _hexagon, False),
    ("pocket", _inside, _obround, False),
    ("ring", _inside, _ring, False),
    ("chamfer", None, None, False),
    ("round", None, None, False),
]
"""Word, where it hangs, how it is drawn, and whether it goes through."""
ORDER = {"step": 0, "slot": 1, "hole": 2, "passage": 2, "pocket": 3, "ring": 4, "chamfer": 5, "round": 5}
