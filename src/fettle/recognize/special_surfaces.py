"""Surfaces that are no walls, pockets or corners to a shop: engraved or raised text, teeth, modeled threads.

They are cut by tools of their own form (engraving cutters, hobs, knurling wheels, taps and dies), so the limits of end
mills do not hold on them. Each class is a set of faces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Part, Plane, Torus
from fettle.recognize.components import connected_groups
from fettle.recognize.feature import Recognition, Triple
from fettle.recognize.graph import frame
from fettle.recognize.kinds.hole import Hole

MAX_ENGRAVING_MM = 1.0
"""Depth or height of text: engraving cutters go 0.1 to 0.5 mm deep, cast and raised letters stand up to 1 mm."""
MAX_GLYPH_SHARE = 0.35
"""Size of a glyph over that of the face that carries it."""
MAX_LOGO_SHARE = 0.6
"""The same for a shape beside text, cut to the same depth in the same face."""
MAX_GLYPH_MM = 15.0
"""Largest size of a glyph in the plane of its face; larger shapes are pockets and pads."""
MIN_GLYPHS = 3
"""Fewest glyphs near each other that are text."""
GLYPH_GAP = 1.5
"""Largest gap between neighboring glyphs, in sizes of the larger one: that of a space between words."""
MAX_GLYPH_FACES = 400
"""Faces at which the search for the end of a glyph stops."""
MIN_TEETH = 10
"""Fewest equal teeth about one axis; fewer are lugs, flats or castellations that are milled one by one."""
MAX_TOOTH_HEIGHT = 1.0
"""Largest height of a tooth over its circular pitch: 2.25 / pi = 0.72 on an involute gear."""
MAX_KNURL_PITCH_MM = 1.6
"""Coarsest pitch of knurls (DIN 82). Knurls may run in a throat, so not their radii but their flanks are measured."""
MAX_KNURL_FLANK = 2.0
"""Largest breadth of a knurl's flank over its pitch: 0.7 at 90 degrees, more on teeth that lean to feed a filament."""
SAME_AREA = 0.03
"""Relative difference of area up to which two faces are equal: areas of small freeform faces come from their mesh."""
SAME_PLACE_MM = 0.02
"""Distance within which two radii, heights or positions are the same; that of tessellated centers of area."""
SAME_ANGLE = 0.1
"""Difference of two gaps between teeth, as a share of the mean gap, up to which they are equal."""


@dataclass(frozen=True, slots=True)
class SpecialSurfaces:
    """Face numbers by class. `engraving`: faces of text, without the face that carries it; `teeth`: flanks, tips and
    roots of gears, splines and knurls; `threads`: faces of modeled threads."""

    engraving: frozenset[int]
    teeth: frozenset[int]
    threads: frozenset[int]

    @property
    def every_face(self) -> frozenset[int]:
        return self.engraving | self.teeth | self.threads


def find_special_surfaces(part: Part, recognition: Recognition) -> SpecialSurfaces:
    """Faces of text, of teeth and of modeled threads."""
    drilled = frozenset(face for one in recognition.features if isinstance(one, Hole) for face in one.faces)
    return SpecialSurfaces(
        engraving=_engraving(part, drilled),
        teeth=_teeth(part, drilled),
        threads=frozenset(recognition.thread_faces),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Glyph:
    faces: frozenset[int]
    center: NDArray[np.float64]
    size_mm: float
    height_mm: float


def _engraving(part: Part, drilled: frozenset[int]) -> frozenset[int]:
    """Faces of text and logos: at least `MIN_GLYPHS` small, shallow shapes near each other on one plane or cylinder,
    and the shapes of the same depth on it."""
    found: set[int] = set()
    for number, face in enumerate(part.faces):
        if len(face.loops) <= MIN_GLYPHS or not isinstance(face.surface, Plane | Cylinder):
            continue
        size_mm = _size_mm(_outline(part, number))
        shapes = _glyphs(part, number, drilled, MAX_LOGO_SHARE * size_mm)
        letters = [one for one in shapes if one.size_mm <= min(MAX_GLYPH_MM, MAX_GLYPH_SHARE * size_mm)]
        depths = [glyph.height_mm for line in _lines_of_text(letters) for glyph in line]
        for shape in shapes:
            if any(abs(shape.height_mm - depth) <= SAME_PLACE_MM for depth in depths):
                found |= shape.faces
    return frozenset(found)


def _glyphs(part: Part, carrier: int, drilled: frozenset[int], max_size_mm: float) -> list[_Glyph]:
    """The small, shallow shapes inside the inner loops of a face, those of drilled holes left out."""
    glyphs: dict[frozenset[int], _Glyph] = {}
    for loop in part.faces[carrier].loops:
        members = _enclosed(part, carrier, loop.edges)
        if not members or members <= drilled or members in glyphs:
            continue
        points = np.concatenate([_outline(part, face) for face in sorted(members)])
        rim = np.concatenate([part.edges[edge].points for edge in loop.edges])
        size_mm = _size_mm(rim)
        height_mm = _height_mm(part, carrier, points)
        if size_mm <= max_size_mm and height_mm <= MAX_ENGRAVING_MM:
            glyphs[members] = _Glyph(members, rim.mean(axis=0), size_mm, height_mm)
    return list(glyphs.values())


def _size_mm(points: NDArray[np.float64]) -> float:
    """About the diameter of points (k, 3), the same in any position: twice the farthest from their mean."""
    return 2.0 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


def _enclosed(part: Part, carrier: int, edges: Iterable[int]) -> frozenset[int]:
    """Faces that are reached from a loop without crossing its face; none where one lies deeper than a glyph, or where
    there are more than a glyph has."""
    found: set[int] = set()
    ahead = [face for edge in edges for face in part.edges[edge].faces if face not in {carrier, -1}]
    while ahead:
        face = ahead.pop()
        if face in found:
            continue
        found.add(face)
        inside = part.faces[face].point[None]
        if len(found) > MAX_GLYPH_FACES or _height_mm(part, carrier, inside) > MAX_ENGRAVING_MM:
            return frozenset()
        for loop in part.faces[face].loops:
            ahead += [other for edge in loop.edges for other in part.edges[edge].faces if other not in {carrier, -1}]
    return frozenset(found)


def _outline(part: Part, face: int) -> NDArray[np.float64]:
    """Points (k, 3) of a face's edges and one inside it."""
    edges = [part.edges[edge].points for loop in part.faces[face].loops for edge in loop.edges]
    return np.concatenate([*edges, part.faces[face].point[None]])


def _height_mm(part: Part, carrier: int, points: NDArray[np.float64]) -> float:
    """Largest distance of points (k, 3) from the surface of a plane or cylinder."""
    surface = part.faces[carrier].surface
    if isinstance(surface, Plane):
        return float(np.abs((points - surface.origin) @ surface.normal).max())
    if not isinstance(surface, Cylinder):
        return float("inf")
    offset = points - surface.origin
    radial = np.linalg.norm(offset - np.outer(offset @ surface.axis, surface.axis), axis=1)
    return float(np.abs(radial - surface.radius_mm).max())


def _lines_of_text(glyphs: list[_Glyph]) -> list[list[_Glyph]]:
    """Groups of at least `MIN_GLYPHS` neighbors."""
    if len(glyphs) < MIN_GLYPHS:
        return []
    near = [
        (one, two)
        for one in range(len(glyphs))
        for two in range(one)
        if float(np.linalg.norm(glyphs[one].center - glyphs[two].center))
        <= (glyphs[one].size_mm + glyphs[two].size_mm) / 2.0 + GLYPH_GAP * max(glyphs[one].size_mm, glyphs[two].size_mm)
    ]
    groups = connected_groups(range(len(glyphs)), near)
    return [[glyphs[k] for k in group] for group in groups if len(group) >= MIN_GLYPHS]


def _teeth(part: Part, drilled: frozenset[int]) -> frozenset[int]:
    """Faces of teeth: equal faces about one axis that make a closed ring and are no higher than their pitch."""
    by_area: dict[tuple[str, int], list[int]] = defaultdict(list)
    order = sorted(set(range(len(part.faces))) - drilled, key=lambda one: part.faces[one].area_mm2)
    step, last = 0, 0.0
    for number in order:
        face = part.faces[number]
        if face.area_mm2 > last * (1.0 + SAME_AREA):
            step, last = step + 1, face.area_mm2
        by_area[type(face.surface).__name__, step].append(number)
    equal = [numbers for numbers in by_area.values() if len(numbers) >= MIN_TEETH]
    if not equal:
        return frozenset()
    found: set[int] = set()
    for origin, axis in _axes(part):
        rings: dict[int, int] = {}
        for numbers in equal:
            for ring in _rings(part, numbers, origin, np.asarray(axis)):
                rings.update(dict.fromkeys(ring, len(ring)))
        found |= _closed_rings(part, rings, origin, np.asarray(axis))
    return frozenset(found)


def _axes(part: Part) -> list[tuple[NDArray[np.float64], Triple]]:
    """Distinct axes of round faces that close about them, the largest face first."""
    found: list[tuple[NDArray[np.float64], Triple]] = []
    faces = [face for face in part.faces if isinstance(face.surface, Cylinder | Cone | Torus)]
    for face in sorted(faces, key=lambda one: -one.area_mm2):
        surface = face.surface
        if isinstance(surface, Cylinder | Cone):
            origin, axis = surface.origin, surface.axis
        elif isinstance(surface, Torus):
            origin, axis = surface.center, surface.axis
        else:
            continue
        if not any(_same_axis(origin, axis, one, np.asarray(two)) for one, two in found):
            x, y, z = axis.tolist()
            found.append((origin, (x, y, z)))
        if len(found) >= MAX_AXES:
            break
    return found


MAX_AXES = 16
"""Axes about which rings of teeth are looked for."""


def _same_axis(
    origin: NDArray[np.float64], axis: NDArray[np.float64], other: NDArray[np.float64], way: NDArray[np.float64]
) -> bool:
    offset = other - origin
    across = float(np.linalg.norm(offset - float(offset @ axis) * axis))
    return abs(float(axis @ way)) > 1.0 - 1e-6 and across < SAME_PLACE_MM


def _rings(
    part: Part, numbers: list[int], origin: NDArray[np.float64], axis: NDArray[np.float64]
) -> list[tuple[int, ...]]:
    """Groups of at least `MIN_TEETH` of the given faces whose centers of area lie at one radius and height and map to
    each other when turned by one pitch."""
    offset = np.array([part.faces[number].centroid for number in numbers]) - origin
    along = offset @ axis
    across, up = frame(axis)
    x, y = offset @ across, offset @ up
    radius = np.hypot(x, y)
    found = []
    for at_radius in _near_values(radius, np.arange(len(numbers))):
        for members in _near_values(along, at_radius):
            mean_mm = float(radius[members].mean())
            if mean_mm > SAME_PLACE_MM and _even(np.arctan2(y[members], x[members]), mean_mm):
                found.append(tuple(numbers[k] for k in members.tolist()))
    return found


def _near_values(values: NDArray[np.float64], rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Rows (k,) in groups of at least `MIN_TEETH` whose values follow each other within `SAME_PLACE_MM`."""
    ordered = rows[np.argsort(values[rows], kind="stable")]
    groups = np.split(ordered, np.flatnonzero(np.diff(values[ordered]) > SAME_PLACE_MM) + 1)
    return [np.sort(group) for group in groups if len(group) >= MIN_TEETH]


def _even(angle: NDArray[np.float64], radius_mm: float) -> bool:
    """Whether positions about an axis repeat after one pitch: one, or a left and a right face, in each."""
    ordered = np.sort(angle)
    gaps = np.diff(np.concatenate([ordered, ordered[:1] + 2.0 * np.pi]))
    slack = max(SAME_ANGLE * 2.0 * np.pi / len(gaps), SAME_PLACE_MM / radius_mm)
    single = bool(np.ptp(gaps) <= slack)
    paired = len(gaps) % 2 == 0 and bool(np.ptp(gaps[::2]) <= slack and np.ptp(gaps[1::2]) <= slack)
    return single or (paired and len(gaps) >= 2 * MIN_TEETH)


def _closed_rings(
    part: Part, rings: dict[int, int], origin: NDArray[np.float64], axis: NDArray[np.float64]
) -> frozenset[int]:
    """Faces of the rings that touch each other all round and are no higher than their pitch; `rings`: number of equal
    faces by face. Pockets on a circle do not touch each other."""
    pairs = [edge.faces for edge in part.edges if edge.faces[0] in rings and edge.faces[1] in rings]
    found: set[int] = set()
    for group in connected_groups(rings, pairs):
        count = max(rings[face] for face in group)
        teeth = count // 2 if count >= 2 * MIN_TEETH and _paired(group, rings, count) else count
        if len(group) < MIN_TEETH or sum(rings[face] == count for face in group) < count:
            continue
        points = np.concatenate([_outline(part, face) for face in group]) - origin
        radial = np.linalg.norm(points - np.outer(points @ axis, axis), axis=1)
        pitch_mm = 2.0 * np.pi * float(radial.max()) / teeth
        is_knurl = pitch_mm <= MAX_KNURL_PITCH_MM and all(
            _breadth_mm(part, face) <= MAX_KNURL_FLANK * pitch_mm for face in group
        )
        if is_knurl or float(np.ptp(radial)) <= MAX_TOOTH_HEIGHT * pitch_mm:
            found.update(group)
    return frozenset(found)


def _paired(group: Iterable[int], rings: dict[int, int], count: int) -> bool:
    """Whether half as many faces as flanks (tips or roots) are in the ring as well."""
    return any(2 * rings[face] == count for face in group)


def _breadth_mm(part: Part, face: int) -> float:
    """About how wide a face is: the width of the strip of its area and half its outline."""
    outline = sum(part.edges[edge].length_mm for loop in part.faces[face].loops for edge in loop.edges)
    return 2.0 * part.faces[face].area_mm2 / outline if outline > 0 else 0.0
