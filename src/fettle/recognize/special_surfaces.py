"""Surfaces that are no walls, pockets or corners to a shop: engraved or raised text, teeth, modeled threads.

They are cut by tools of their own form (engraving cutters, hobs, knurling wheels, taps and dies), so the limits of end
mills do not hold on them. Each class is a set of faces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, Part, Plane
from fettle.recognize.components import connected_groups
from fettle.recognize.feature import Recognition
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.teeth import SAME_PLACE_MM, find_toothed_rings, outline_points

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
        teeth=frozenset(face for ring in find_toothed_rings(part, drilled) for face in ring.faces),
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
        size_mm = _size_mm(outline_points(part, number))
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
        points = np.concatenate([outline_points(part, face) for face in sorted(members)])
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
