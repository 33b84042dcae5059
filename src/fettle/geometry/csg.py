"""Constructive solid geometry as plain data, built into STEP bytes: parts for tests and for the cases of rule packs.

A recipe is a mapping with one operation; lengths are millimeters, angles degrees, R is another recipe:

    box: [x, y, z]                              corner at the origin
    cylinder: {d, h}    cone: {d, d2, h}        base at the origin, axis +Z
    sphere: {d}         torus: {D, d}           centered at the origin; D is the diameter of the tube's center line
    prism: {points: [[x, y], ...], h, taper_deg?}      taper leans the sides inwards on their way up
    revolve: {points: [[r, z], ...], deg?}      about Z
    helix: {points: [[r, z], ...], pitch, turns}       the outline swept up a helix about Z: the groove of a thread
    union: [R, ...]     common: [R, ...]        cut: [R, tool, ...]
    bodies: [R, ...]                            several solids in one file
    fillet: {of: R, r, edges}                   chamfer: {of: R, c, edges}
    shell: {of: R, t, open?: [[x, y, z], ...]}  wall t inwards; faces nearest the points are removed, none seals a void
    move: {of: R, by: [x, y, z]}                turn: {of: R, axis: [x, y, z], deg}
    mirror: {of: R, normal: [x, y, z]}          scale: {of: R, by}
    splines: {of: R}                            the same part, every curve and surface written as a B-spline

`edges` is all, x, y or z (straight edges parallel to that axis) or a list of points (the edge nearest each).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TypeAlias

from OCP.Standard import Standard_Failure
from OCP.TopoDS import TopoDS_Shape

from fettle.errors import BadRequest
from fettle.geometry.kernel import solids

CsgNode: TypeAlias = Mapping[str, object]

MAX_DEPTH = 32
PLACEMENTS = ("move", "turn", "mirror", "scale")
KEPT_SHAPES = 256
_LATEST: dict[str, TopoDS_Shape] = {}
"""Shapes by their recipes, the latest last."""
AXES: dict[str, solids.Point | None] = {"all": None, "x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def build(recipe: CsgNode, unit: str = "mm", *, trims: bool = True) -> bytes:
    """STEP bytes of the part; the file states its lengths in `unit` (mm, cm, m, in). Most CAD systems write none of the
    trimming curves that `trims` adds."""
    if unit not in solids.STEP_UNITS:
        raise BadRequest(f"unit is {unit!r}; a recipe is written in one of {', '.join(solids.STEP_UNITS)}")
    shape = solids.clean(_shape(recipe, "recipe", 0, whole=True))
    if not solids.is_valid(shape):
        raise BadRequest(
            "recipe: the result is not a valid solid; look for tools that only touch, or cut everything away"
        )
    return solids.step_bytes(shape, unit, trims=trims)


def _shape(recipe: object, path: str, depth: int, *, whole: bool = False) -> TopoDS_Shape:
    """`whole`: this is all there is of the part. Without its placements it is kept, and its depth counted anew."""
    if depth > MAX_DEPTH:
        raise BadRequest(f"{path[:200]}: nested deeper than {MAX_DEPTH} operations")
    if not isinstance(recipe, Mapping) or len(recipe) != 1:
        raise BadRequest(f"{path}: expected a mapping with one operation, one of {', '.join(OPERATIONS)}")
    (name, value) = next(iter(recipe.items()))
    if name not in OPERATIONS:
        raise BadRequest(f"{path}: no operation {name!r}; there are {', '.join(OPERATIONS)}")
    unplaced = whole and name not in PLACEMENTS
    here = _Reader(f"{path}.{name}", value, 0 if unplaced else depth, whole and not unplaced)
    try:
        return _kept(repr(recipe), OPERATIONS[name], here) if unplaced else OPERATIONS[name](here)
    except (solids.CannotBuild, Standard_Failure) as error:
        raise BadRequest(f"{here.path}: {error or 'the kernel refused it'}") from error


def _kept(recipe: str, operation: Callable[[_Reader], TopoDS_Shape], arguments: _Reader) -> TopoDS_Shape:
    """What was built of the same recipe lately, or is built now: the same part is asked for in many positions, and
    Booleans take half of the time. Placements copy, so nobody changes it."""
    shape = _LATEST.pop(recipe) if recipe in _LATEST else operation(arguments)
    _LATEST[recipe] = shape
    if len(_LATEST) > KEPT_SHAPES:
        del _LATEST[next(iter(_LATEST))]
    return shape


class _Reader:
    """The arguments of one operation, checked as they are read; `path` names the place in every refusal. `whole`: what
    the operation places is the whole part."""

    def __init__(self, path: str, value: object, depth: int, whole: bool) -> None:
        self.path, self.value, self.depth, self.whole = path, value, depth, whole

    def fields(self, *names: str) -> Mapping[str, object]:
        """The value as a mapping with these keys and no others; a trailing `?` marks an optional one."""
        if not isinstance(self.value, Mapping):
            raise BadRequest(f"{self.path}: expected a mapping with {', '.join(names)}")
        required = {name for name in names if not name.endswith("?")}
        known = {name.rstrip("?") for name in names}
        for key in self.value:
            if key not in known:
                raise BadRequest(f"{self.path}: no argument {key!r}; there are {', '.join(sorted(known))}")
        for key in sorted(required - set(self.value)):
            raise BadRequest(f"{self.path}: argument {key!r} is missing")
        return self.value

    def number(self, key: str, positive: bool = True) -> float:
        return _number(self._get(key), f"{self.path}.{key}", positive)

    def optional(self, key: str, default: float, positive: bool = True) -> float:
        return self.number(key, positive) if key in self._mapping() else default

    def vector(self, key: str) -> solids.Point:
        return _triple(self._get(key), f"{self.path}.{key}")

    def direction(self, key: str) -> solids.Point:
        vector = self.vector(key)
        if math.hypot(*vector) < 1e-9:
            raise BadRequest(f"{self.path}.{key}: {list(vector)} has no direction")
        return vector

    def points(self, key: str) -> list[solids.Point]:
        items = _sequence(self._mapping().get(key, []), f"{self.path}.{key}", 0)
        return [_triple(item, f"{self.path}.{key}[{i}]") for i, item in enumerate(items)]

    def outline(self, key: str) -> list[solids.Pair]:
        items = _sequence(self._get(key), f"{self.path}.{key}", 3)
        pairs = []
        for i, item in enumerate(items):
            place = f"{self.path}.{key}[{i}]"
            pair = _sequence(item, place, 2, 2)
            pairs.append((_number(pair[0], f"{place}[0]", False), _number(pair[1], f"{place}[1]", False)))
        return pairs

    def of(self) -> TopoDS_Shape:
        return _shape(self._get("of"), f"{self.path}.of", self.depth + 1, whole=self.whole)

    def shapes(self, least: int) -> list[TopoDS_Shape]:
        items = _sequence(self.value, self.path, least)
        return [_shape(item, f"{self.path}[{i}]", self.depth + 1) for i, item in enumerate(items)]

    def edges(self, shape: TopoDS_Shape) -> list[TopoDS_Shape]:
        wanted = self._get("edges")
        if isinstance(wanted, str):
            if wanted not in AXES:
                raise BadRequest(f"{self.path}.edges: {wanted!r} is none of {', '.join(AXES)}, nor a list of points")
            found = solids.edges_along(shape, AXES[wanted])
        else:
            found = solids.edges_near(shape, self.points("edges"))
        if not found:
            raise BadRequest(f"{self.path}.edges: {wanted!r} selects no edge")
        return found

    def _mapping(self) -> Mapping[str, object]:
        if not isinstance(self.value, Mapping):
            raise BadRequest(f"{self.path}: expected a mapping")
        return self.value

    def _get(self, key: str) -> object:
        return self._mapping()[key]


def _sequence(value: object, path: str, least: int, most: int | None = None) -> list[object]:
    if not isinstance(value, list | tuple) or len(value) < least or (most is not None and len(value) > most):
        count = f"{least}" if most == least else f"at least {least}"
        raise BadRequest(f"{path}: expected a list of {count} items, found {_brief(value)}")
    return list(value)


def _triple(value: object, path: str) -> solids.Point:
    x, y, z = (_number(item, f"{path}[{i}]", False) for i, item in enumerate(_sequence(value, path, 3, 3)))
    return x, y, z


def _number(value: object, path: str, positive: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadRequest(f"{path}: expected a finite number, found {_brief(value)}")
    if positive and value <= 0:
        raise BadRequest(f"{path}: {value} must be above 0")
    return float(value)


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _box(r: _Reader) -> TopoDS_Shape:
    sides = [_number(v, f"{r.path}[{i}]", True) for i, v in enumerate(_sequence(r.value, r.path, 3, 3))]
    return solids.box(*sides)


def _cylinder(r: _Reader) -> TopoDS_Shape:
    r.fields("d", "h")
    return solids.cylinder(r.number("d"), r.number("h"))


def _cone(r: _Reader) -> TopoDS_Shape:
    r.fields("d", "d2", "h")
    base, top = r.number("d", positive=False), r.number("d2", positive=False)
    if min(base, top) < 0 or base == top:
        raise BadRequest(f"{r.path}: d {base} and d2 {top} must differ and be 0 or more; a cylinder has one d")
    return solids.cone(base, top, r.number("h"))


def _sphere(r: _Reader) -> TopoDS_Shape:
    r.fields("d")
    return solids.sphere(r.number("d"))


def _torus(r: _Reader) -> TopoDS_Shape:
    r.fields("D", "d")
    if r.number("d") >= r.number("D"):
        raise BadRequest(f"{r.path}: the tube's d must be below the ring's D, else the torus crosses itself")
    return solids.torus(r.number("D"), r.number("d"))


def _prism(r: _Reader) -> TopoDS_Shape:
    r.fields("points", "h", "taper_deg?")
    return solids.prism(r.outline("points"), r.number("h"), r.optional("taper_deg", 0.0, positive=False))


def _revolve(r: _Reader) -> TopoDS_Shape:
    r.fields("points", "deg?")
    outline = r.outline("points")
    for i, (radius, _) in enumerate(outline):
        if radius < 0:
            raise BadRequest(f"{r.path}.points[{i}]: r is {radius}; the outline must stay on one side of the axis")
    return solids.revolve(outline, r.optional("deg", 360.0))


def _helix(r: _Reader) -> TopoDS_Shape:
    r.fields("points", "pitch", "turns")
    return solids.helix(r.outline("points"), r.number("pitch"), r.number("turns"))


def _cut(r: _Reader) -> TopoDS_Shape:
    shape, *tools = r.shapes(2)
    return solids.cut(shape, tools)


def _fillet(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "r", "edges")
    shape = solids.clean(r.of())
    return solids.fillet(shape, r.number("r"), r.edges(shape))


def _chamfer(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "c", "edges")
    shape = solids.clean(r.of())
    return solids.chamfer(shape, r.number("c"), r.edges(shape))


def _shell(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "t", "open?")
    return solids.shell(solids.clean(r.of()), r.number("t"), r.points("open"))


def _move(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "by")
    return solids.move(r.of(), r.vector("by"))


def _rotate(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "axis", "deg")
    return solids.rotate(r.of(), r.direction("axis"), r.number("deg", positive=False))


def _mirror(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "normal")
    return solids.mirror(r.of(), r.direction("normal"))


def _scale(r: _Reader) -> TopoDS_Shape:
    r.fields("of", "by")
    return solids.scale(r.of(), r.number("by"))


def _splines(r: _Reader) -> TopoDS_Shape:
    r.fields("of")
    return solids.splines(solids.clean(r.of()))


OPERATIONS: dict[str, Callable[[_Reader], TopoDS_Shape]] = {
    "box": _box,
    "cylinder": _cylinder,
    "cone": _cone,
    "sphere": _sphere,
    "torus": _torus,
    "prism": _prism,
    "revolve": _revolve,
    "helix": _helix,
    "union": lambda r: solids.union(r.shapes(2)),
    "cut": _cut,
    "common": lambda r: solids.common(r.shapes(2)),
    "bodies": lambda r: solids.bodies(r.shapes(1)),
    "fillet": _fillet,
    "chamfer": _chamfer,
    "shell": _shell,
    "move": _move,
    "turn": _rotate,
    "mirror": _mirror,
    "scale": _scale,
    "splines": _splines,
}
