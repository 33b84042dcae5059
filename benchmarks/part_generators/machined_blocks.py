"""Random blocks made the way the public labeled sets make theirs, with the true label of every face.

Steps come first, then slots, through cuts, blind cuts, ring grooves, and last chamfers and rounds. A cut is a sketch on
any plane face of the part at that stage, with a clearance from the face's other edges: steps and slots start at one,
two or three convex edges of it, all others lie inside it. A blind cut keeps a clearance from the surface below it; a
through cut meets whatever is there. A face belongs to the cut that made it, however much later cuts leave
of it. Places inside faces are chosen once, before the first such cut, so later ones may run into earlier ones.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.part_generators import outlines, sketches
from benchmarks.part_generators.outlines import Array, CsgTree, Drawing
from benchmarks.part_generators.sketches import CLEAR, LEAST, Sketch, room_below
from fettle.errors import FettleError
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.geometry.part import Cone, Convexity, Part, Plane

STOCK = (10.0, 50.0)
CHAMFER, ROUND = (1.0, 4.0), (0.1, 5.0)
ON_SURFACE = 1e-4
TRIES = 40


@dataclass(frozen=True, slots=True)
class Cut:
    """A shape from the sketch plane down: `solid` in the sketch's own frame, `outline` (k, 2) of its walls, closed.

    `depth` is infinite for through cuts.
    """

    label: str
    sketch: Sketch
    solid: CsgTree
    outline: Array
    core: Array | None
    depth: float


def machined_block(seed: int, count: int) -> tuple[Part, list[str], CsgTree]:
    """A block with up to `count` cuts: the part, the true label of each of its faces, and its tree."""
    rng = random.Random(seed)
    size = [rng.uniform(*STOCK) for _ in range(3)]
    tree: CsgTree = {"box": size}
    model = load(build(tree), "block.step")
    cuts: list[Cut] = []
    inner: list[Sketch] | None = None
    for label, hang, draw, through in sorted(rng.choices(CLASSES, k=count), key=lambda row: ORDER[row[0]]):
        if hang is None:
            tree, model = _break_edge(rng, label, tree, model)
            continue
        if hang is sketches.inside:
            inner = sketches.inside(rng, model) if inner is None else inner
            places = inner
        else:
            places = hang(rng, model)
        made = _place_cut(rng, model, places, label, draw, through, max(size))
        if made is None:
            continue
        cut, tool = made
        try:
            bigger = {"cut": [*tree.get("cut", [tree]), tool]}
            after = load(build(bigger), "block.step")
        except FettleError:
            continue
        if len(after.part.bodies) == 1:
            tree, model = bigger, after
            cuts.append(cut)
    return model.part, true_labels(model.part, size, cuts), tree


def true_labels(part: Part, size: list[float], cuts: list[Cut]) -> list[str]:
    """Label of the first cut on whose surface each face lies, else stock on the block's sides, chamfer or round."""
    words = []
    for face in part.faces:
        label = next((cut.label for cut in cuts if _on_surface(cut, face.point)), None)
        if label is None:
            on_block = min(np.abs(face.point).min(), np.abs(face.point - size).min()) < ON_SURFACE
            soft = "chamfer" if isinstance(face.surface, Plane | Cone) else "round"
            label = "stock" if on_block and isinstance(face.surface, Plane) else soft
        words.append(label)
    return words


def _on_surface(cut: Cut, point: Array) -> bool:
    x, y, z = (cut.sketch.frame @ (point - cut.sketch.origin)).tolist()
    if not -cut.depth - ON_SURFACE < z < ON_SURFACE:
        return False
    rings = [cut.outline] if cut.core is None else [cut.outline, cut.core]
    if min(_distance(ring, x, y) for ring in rings) < ON_SURFACE:
        return True
    return abs(z + cut.depth) < ON_SURFACE and sum(_contains(ring, x, y) for ring in rings) == 1


def _distance(ring: Array, x: float, y: float) -> float:
    """Distance from a closed line, whose arcs are drawn so finely that their chords stay within `ON_SURFACE`."""
    start, side = ring, np.roll(ring, -1, axis=0) - ring
    offset = np.array([x, y]) - start
    along = np.clip((offset * side).sum(axis=1) / np.maximum((side * side).sum(axis=1), 1e-30), 0.0, 1.0)
    return float(np.linalg.norm(offset - along[:, None] * side, axis=1).min())


def _contains(ring: Array, x: float, y: float) -> bool:
    x1, y1 = ring.T
    x2, y2 = np.roll(ring, -1, axis=0).T
    crossing = (y1 > y) != (y2 > y)
    return bool((x < x1 + (y - y1) / np.where(crossing, y2 - y1, 1.0) * (x2 - x1))[crossing].sum() % 2)


def _place_cut(
    rng: random.Random,
    model: Model,
    places: list[Sketch],
    label: str,
    draw: Callable[[random.Random, float, float, float], Drawing | None],
    through: bool,
    reach: float,
) -> tuple[Cut, CsgTree] | None:
    """A cut drawn at one of the places, with the tree of its tool in the part's frame."""
    for _ in range(TRIES if places else 0):
        sketch = rng.choice(places)
        depth = reach
        if not through:
            room = room_below(model, sketch)
            if room < LEAST + CLEAR:
                continue
            depth = rng.uniform(LEAST, room - CLEAR)
        drawn = draw(rng, sketch.width, sketch.height, depth)
        if drawn is None:
            continue
        solid, outline, core = drawn
        cut = Cut(label, sketch, solid, outline, core, math.inf if through else depth)
        down = {"move": {"of": solid, "by": [0, 0, -depth]}}
        axis, angle = _axis_angle(sketch.frame.T)
        turned = {"turn": {"of": down, "axis": axis, "deg": angle}} if angle else down
        return cut, {"move": {"of": turned, "by": sketch.origin.tolist()}}
    return None


def _axis_angle(rotation: Array) -> tuple[list[float], float]:
    angle = math.degrees(math.acos(max(-1.0, min(1.0, (float(np.trace(rotation)) - 1) / 2))))
    if angle < 1e-6:
        return [0.0, 0.0, 1.0], 0.0
    values, vectors = np.linalg.eig(rotation)
    axis = np.real(vectors[:, int(np.argmin(np.abs(values - 1)))])
    twist = np.array(
        [rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]]
    )
    return (axis if float(axis @ twist) >= 0 else -axis).tolist(), angle


def _break_edge(rng: random.Random, label: str, tree: CsgTree, model: Model) -> tuple[CsgTree, Model]:
    """The part with one edge, convex or not, broken or rounded; unchanged where the kernel cannot."""
    edges = [edge for edge in model.part.edges if edge.length_mm >= LEAST and edge.convexity is not Convexity.SMOOTH]
    for _ in range(4):
        edge = rng.choice(edges)
        place = [edge.points[len(edge.points) // 2].tolist()]
        if len(edge.points) == 2:
            place = [edge.points.mean(axis=0).tolist()]
        try:
            if label == "chamfer":
                softer: CsgTree = {"chamfer": {"of": tree, "c": rng.uniform(*CHAMFER), "edges": place}}
            else:
                most = max(min(edge.length_mm / 10, ROUND[1]), ROUND[0])
                softer = {"fillet": {"of": tree, "r": rng.uniform(ROUND[0], most), "edges": place}}
            after = load(build(softer), "block.step")
        except FettleError:
            continue
        if len(after.part.bodies) == 1 and len(after.part.faces) > len(model.part.faces):
            return softer, after
    return tree, model


CLASSES: list[tuple[str, Any, Any, bool]] = [
    ("step", sketches.across, outlines.rectangle, False),
    ("step", sketches.across, outlines.two_sided, False),
    ("step", sketches.across, outlines.slanted, False),
    ("step", sketches.in_corner, outlines.rectangle, False),
    ("step", sketches.in_corner, outlines.triangle_in_corner, False),
    ("step", sketches.in_corner, outlines.quarter_disc, False),
    ("slot", sketches.on_edge, outlines.rectangle, True),
    ("slot", sketches.on_edge, outlines.triangle_on_edge, True),
    ("slot", sketches.on_edge, outlines.half_disc, True),
    ("slot", sketches.on_edge, outlines.rectangle, False),
    ("slot", sketches.on_edge, outlines.deep_end, False),
    ("slot", sketches.on_edge, outlines.wide_end, False),
    ("hole", sketches.inside, outlines.circle, True),
    ("passage", sketches.inside, outlines.triangle, True),
    ("passage", sketches.inside, outlines.rectangle, True),
    ("passage", sketches.inside, outlines.hexagon, True),
    ("hole", sketches.inside, outlines.circle, False),
    ("pocket", sketches.inside, outlines.triangle, False),
    ("pocket", sketches.inside, outlines.rectangle, False),
    ("pocket", sketches.inside, outlines.hexagon, False),
    ("pocket", sketches.inside, outlines.obround, False),
    ("ring", sketches.inside, outlines.ring, False),
    ("chamfer", None, None, False),
    ("round", None, None, False),
]
"""Label, position on the face, outline, and whether the cut goes through."""
ORDER = {"step": 0, "slot": 1, "hole": 2, "passage": 2, "pocket": 3, "ring": 4, "chamfer": 5, "round": 5}
