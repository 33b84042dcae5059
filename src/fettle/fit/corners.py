"""Sharp inside corners that no rotating cutter leaves.

An end mill leaves a sharp inside edge between a floor that it sees from above and a wall beside it. It leaves none
between two walls that both face other walls (a window, a nut trap), none where the gap is narrower than a right angle,
and no corner in which three sharp inside edges meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.fit.terms import falling
from fettle.measure.readings import Method
from fettle.recognize.kinds.fillet import Fillet

if TYPE_CHECKING:
    from fettle.analysis import Analysis

FLAT_DEG = 15.0
"""Edges that turn inwards by less than this are steps in a surface, not corners."""
SQUARE_DEG = 272.0
"""Angle through the material up to which a square cutter enters the edge; the 2 degrees are for draft."""
MIN_EDGE_MM = 0.3
"""Shorter edges are what is left between surfaces that nearly meet; a layer of a print is 0.3."""
ENGRAVING_MM = 0.6
"""Edges shorter than this in a plate belong to engraved letters and marks, which a pointed cutter makes."""
FREE_SHARE = (0.25, 0.75)
"""Share of a face's area with a free way straight out of it: below the first no cutter stands on it, from the second on
one does."""
SAME_THICKNESS = 0.05
"""An edge as long as a plate is thick, within this share, is a corner of its outline: a laser or a wire cuts it."""


@dataclass(frozen=True, slots=True)
class InsideCorners:
    """`sharp`: corners that no cutter leaves, in parts where one may stand beside them; `rounded`: fillets."""

    sharp: float
    rounded: int


def count_corners(analysis: Analysis, area_mm2: NDArray[np.float64], plate_mm: float | None) -> InsideCorners:
    """Count the inside corners of a part.

    `area_mm2` (n,): of the mesh's points; `plate_mm`: thickness of the plate or sheet that the part is cut from, None
    for other parts.
    """
    part, rounded = analysis.part, sum(isinstance(feature, Fillet) for feature in analysis.recognition.features)
    candidates = [
        number
        for number in analysis.recognition.sharp_concave_edges
        if part.edges[number].angle_deg > 180.0 + FLAT_DEG
        and part.edges[number].length_mm >= (MIN_EDGE_MM if plate_mm is None else ENGRAVING_MM)
    ]
    if not candidates:
        return InsideCorners(0.0, rounded)
    free = _free_shares(analysis, area_mm2).tolist()
    meeting: dict[int, int] = {}
    sharp, taken = 0.0, dict[int, float]()
    for number in candidates:
        edge = part.edges[number]
        if plate_mm is not None and abs(edge.length_mm - plate_mm) < SAME_THICKNESS * plate_mm:
            continue
        for vertex in set(edge.vertices):
            meeting[vertex] = meeting.get(vertex, 0) + 1
        blocked = falling(max(free[edge.faces[0]], free[edge.faces[1]]), *FREE_SHARE)
        counted = 1.0 if edge.angle_deg > SQUARE_DEG else blocked
        sharp += counted
        for vertex in edge.vertices:
            taken[vertex] = max(taken.get(vertex, 0.0), counted)
    sharp += sum(1.0 - taken[vertex] for vertex, count in meeting.items() if count >= 3)
    return InsideCorners(sharp, rounded)


def _free_shares(analysis: Analysis, area_mm2: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of each face's area (faces,) that sees nothing along its normal; facets of adjoining walls do not count.

    Points beside an edge that took over the reading of a wall nearby say nothing of what they see; they count only on
    faces without other points.
    """
    clearance, count = analysis.clearance, len(analysis.part.faces)
    sides = np.fromiter(chain.from_iterable(edge.faces for edge in analysis.part.edges), np.int64).reshape(-1, 2)
    one, other = sides[sides[:, 1] >= 0].T
    shares: NDArray[np.float64] = _compiled().free_shares(
        analysis.mesh.point_face,
        area_mm2,
        clearance.method == Method.NEAR,
        clearance.ray_mm,
        clearance.opposite_face,
        np.unique(np.concatenate([one * count + other, other * count + one])),
        count,
    )
    return shares


def _compiled() -> ModuleType:
    """Imported on first use: programs that only list the rules do not load numba."""
    return import_module("fettle.fit.free_faces")
