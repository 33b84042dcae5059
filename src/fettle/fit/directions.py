"""The part's own directions (normals of planes, axes of round faces), and what they measure: stock and draft."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.recognize.face_table import CONE, CYLINDER, FREEFORM, PLANE, FaceTable

MAX_DIRECTIONS = 12
"""Directions kept, those with the most area first."""
MAX_SEEDS = 48
"""Directions that are compared by area."""
SAME_COSINE = math.cos(math.radians(0.15))
"""Directions closer than this are one: the least draft that anybody draws is 0.25 degrees."""
SQUARE_COSINE = 1e-3
"""Cosine below which two directions are square to each other."""
MIN_DRAFT_DEG = 0.2
MAX_DRAFT_DEG = 5.3
"""Drawn draft is 0.25 to 5 degrees; steeper slopes are shapes."""
MIN_FREEFORM = 0.01
"""Share of freeform area below which its draft is not asked for."""


@dataclass(frozen=True, slots=True)
class DraftedWalls:
    """Along the direction in which most area has draft: shares of the whole area.

    Only walls that lean from all sides towards the direction or away from it have draft: against a direction that is
    itself askew every upright wall leans, those of one side one way and those opposite the other.
    """

    drafted_share: float
    wall_share: float


def own_directions(faces: FaceTable) -> NDArray[np.float64]:
    """Unit directions (k, 3), k at most 12, signs arbitrary, by area behind them."""
    rows = np.flatnonzero((faces.kind == PLANE) | (faces.kind == CYLINDER) | (faces.kind == CONE))
    way, area = faces.way[rows], faces.area_mm2[rows]
    left = np.ones(len(way), np.bool_)
    groups: list[tuple[float, int]] = []
    for seed in np.argsort(-area, kind="stable").tolist():
        if left[seed]:
            same = left & (np.abs(way @ way[seed]) > SAME_COSINE)
            left &= ~same
            groups.append((float(area[same].sum()), seed))
            if len(groups) >= MAX_SEEDS:
                break
    groups.sort(key=lambda group: -group[0])
    chosen: NDArray[np.float64] = way[[seed for _, seed in groups[:MAX_DIRECTIONS]]].reshape(-1, 3)
    return chosen


def rim_points(
    part: Part,
    mesh: Mesh,
    faces: FaceTable,
    without: frozenset[int] = frozenset(),
    inside: frozenset[int] = frozenset(),
) -> NDArray[np.float64]:
    """Points (3, k) among which is the farthest of the part in any direction: its edges and its curved faces. Those of
    the faces `without` are left out with all their edges, those of faces `inside` without."""
    curved = faces.kind != PLANE
    curved[list(without | inside)] = False
    edges = (edge.points for edge in part.edges if without.isdisjoint(edge.faces))
    # compress takes whole rows: five times as fast as an index
    points = mesh.points.compress(curved[mesh.point_face], axis=0)
    return np.ascontiguousarray(np.concatenate([points, *edges]).T)


def extents_mm(points: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Length of the points (3, k) along each of the directions (d, 3), shape (d,)."""
    # along the rows of a (d, k) array: ten times as fast as down its columns
    along = directions @ points
    lengths: NDArray[np.float64] = along.max(axis=1) - along.min(axis=1)
    return lengths


def stock_fill(
    volume_mm3: float, points: NDArray[np.float64], directions: NDArray[np.float64], extents: NDArray[np.float64]
) -> float:
    """Volume of the part over that of the smallest block around its points (3, k) whose sides follow its directions;
    `extents`: lengths along them in mm."""
    first, second = np.nonzero(np.triu(np.abs(directions @ directions.T) < SQUARE_COSINE, 1))
    if len(first):
        third = extents_mm(points, np.cross(directions[first], directions[second]))
        block_mm3 = float((extents[first] * extents[second] * third).min())
    else:
        block_mm3 = float(extents_mm(points, _principal_frame(points, directions)).prod())
    return min(max(volume_mm3 / block_mm3, 0.0), 1.0) if block_mm3 > 0.0 else 0.0


def _principal_frame(points: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Principal axes of the points (3, 3), or those square to the first direction where there is one."""
    away = points.T - points.mean(axis=1)
    if len(directions):
        away = away - np.outer(away @ directions[0], directions[0])
    _, axes = np.linalg.eigh(away.T @ away)
    frame: NDArray[np.float64] = axes.T.copy()
    if len(directions):
        frame[0] = directions[0]
    return frame


def drafted_walls(
    mesh: Mesh, faces: FaceTable, area_mm2: NDArray[np.float64], directions: NDArray[np.float64]
) -> DraftedWalls:
    """Walls within 5.3 degrees of a direction, and those of them that lean; `area_mm2` (n,): of the mesh's points."""
    flat, bent = faces.kind == PLANE, (faces.kind == CYLINDER) | (faces.kind == CONE)
    free_normals, free_mm2 = _freeform_samples(mesh, faces, area_mm2)
    normals = np.concatenate([faces.way[flat], free_normals])
    plain_mm2 = np.concatenate([faces.area_mm2[flat], free_mm2])
    axes, round_mm2, taper_deg = faces.way[bent], faces.area_mm2[bent], faces.taper_deg[bent]
    total = float(faces.area_mm2.sum())
    best = DraftedWalls(0.0, 0.0)
    low, high = math.sin(math.radians(MIN_DRAFT_DEG)), math.sin(math.radians(MAX_DRAFT_DEG))
    for way in directions:
        lean, along = normals @ way, np.abs(axes @ way) > SAME_COSINE
        facing = plain_mm2[:, None] * (normals - np.outer(lean, way))
        tapered = along & (taper_deg > MIN_DRAFT_DEG) & (taper_deg < MAX_DRAFT_DEG)
        drafted = round_mm2[tapered].sum()
        for sign in (1.0, -1.0):
            leaning = (sign * lean > low) & (sign * lean < high)
            drafted += plain_mm2[leaning].sum() - float(np.linalg.norm(facing[leaning].sum(axis=0)))
        if drafted / total > best.drafted_share:
            walls = plain_mm2[np.abs(lean) < high].sum() + round_mm2[along & (taper_deg < MAX_DRAFT_DEG)].sum()
            best = DraftedWalls(float(drafted / total), float(walls / total))
    return best


def _freeform_samples(
    mesh: Mesh, faces: FaceTable, area_mm2: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Normals (k, 3) and areas (k,) of the points of freeform faces; none where these have little area."""
    free = faces.kind == FREEFORM
    if faces.area_mm2[free].sum() <= MIN_FREEFORM * faces.area_mm2.sum():
        return np.zeros((0, 3)), np.zeros(0)
    rows = np.flatnonzero(free[mesh.point_face])
    return mesh.normals[rows], area_mm2[rows]
