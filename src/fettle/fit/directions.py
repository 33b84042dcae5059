"""The part's own directions (normals of planes, axes of round faces), and what they measure: stock and draft."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Cone, Cylinder, Freeform, Part, Plane

MAX_DIRECTIONS = 6
"""Directions kept, those with the most area first."""
SAME_COSINE = math.cos(math.radians(0.15))
"""Directions closer than this are one: the least draft that anybody draws is 0.25 degrees."""
SQUARE_COSINE = 1e-3
"""Cosine below which two directions are square to each other."""
MIN_DRAFT_DEG = 0.2
MAX_DRAFT_DEG = 3.3
"""Drawn draft is 0.25 to 3 degrees; steeper slopes are shapes."""
MIN_FREEFORM = 0.01
"""Share of freeform area below which its draft is not asked for."""


@dataclass(frozen=True, slots=True)
class DraftedWalls:
    """Along the direction in which most area has draft: shares of the whole area."""

    drafted_share: float
    wall_share: float


def own_directions(part: Part) -> NDArray[np.float64]:
    """Unit directions (k, 3), k at most 6, signs arbitrary, by area behind them."""
    ways, areas = [], []
    for face in part.faces:
        surface = face.surface
        if isinstance(surface, Plane):
            ways.append(surface.normal)
        elif isinstance(surface, Cylinder | Cone):
            ways.append(surface.axis)
        else:
            continue
        areas.append(face.area_mm2)
    if not ways:
        return np.zeros((0, 3))
    way, area = np.array(ways), np.array(areas)
    left = np.ones(len(way), np.bool_)
    groups: list[tuple[float, int]] = []
    for seed in np.argsort(-area, kind="stable").tolist():
        if left[seed]:
            same = left & (np.abs(way @ way[seed]) > SAME_COSINE)
            left &= ~same
            groups.append((float(area[same].sum()), seed))
            # each further seed is smaller: once the rest cannot outweigh those kept, they stay
            if len(groups) >= 4 * MAX_DIRECTIONS:
                break
    groups.sort(key=lambda group: -group[0])
    chosen: NDArray[np.float64] = way[[seed for _, seed in groups[:MAX_DIRECTIONS]]]
    return chosen


def extents_mm(mesh: Mesh, directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Length of the part along each of the directions (k, 3), shape (k,)."""
    along = mesh.points @ directions.T
    lengths: NDArray[np.float64] = along.max(axis=0) - along.min(axis=0)
    return lengths


def stock_fill(part: Part, mesh: Mesh, directions: NDArray[np.float64]) -> float:
    """Volume of the part over that of the smallest block around it whose sides follow its own directions."""
    frames = [
        np.array([one, two, np.cross(one, two)])
        for place, one in enumerate(directions)
        for two in directions[place + 1 :]
        if abs(float(one @ two)) < SQUARE_COSINE
    ]
    if not frames:
        frames = [_principal_frame(mesh, directions)]
    block_mm3 = min(float(np.prod(extents_mm(mesh, frame))) for frame in frames)
    return min(max(part.volume_mm3 / block_mm3, 0.0), 1.0) if block_mm3 > 0.0 else 0.0


def _principal_frame(mesh: Mesh, directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Principal axes of the points (3, 3), or those square to the first direction where there is one."""
    away = mesh.points - mesh.points.mean(axis=0)
    if len(directions):
        away = away - np.outer(away @ directions[0], directions[0])
    _, axes = np.linalg.eigh(away.T @ away)
    frame: NDArray[np.float64] = axes.T.copy()
    if len(directions):
        frame[0] = directions[0]
    return frame


def drafted_walls(
    part: Part, mesh: Mesh, area_mm2: NDArray[np.float64], directions: NDArray[np.float64]
) -> DraftedWalls:
    """Walls within 3.3 degrees of a direction, and those of them that lean; `area_mm2` (n,): of the mesh's points."""
    normals, flat_mm2, axes, round_mm2, lean = [], [], [], [], []
    for face in part.faces:
        surface = face.surface
        if isinstance(surface, Plane):
            normals.append(surface.normal)
            flat_mm2.append(face.area_mm2)
        elif isinstance(surface, Cylinder | Cone):
            axes.append(surface.axis)
            round_mm2.append(face.area_mm2)
            lean.append(surface.half_angle_deg if isinstance(surface, Cone) else 0.0)
    free_normals, free_mm2 = _freeform_samples(part, mesh, area_mm2)
    flat_normals = np.concatenate([np.array(normals).reshape(-1, 3), free_normals])
    area = np.concatenate([np.array(flat_mm2), free_mm2, np.array(round_mm2)])
    total = sum(face.area_mm2 for face in part.faces)
    best = DraftedWalls(0.0, 0.0)
    for way in directions:
        slope = np.degrees(np.arcsin(np.minimum(np.abs(flat_normals @ way), 1.0)))
        along = np.abs(np.array(axes).reshape(-1, 3) @ way) > SAME_COSINE
        angle = np.concatenate([slope, np.where(along, np.array(lean), 90.0)])
        wall = angle < MAX_DRAFT_DEG
        drafted = float(area[wall & (angle > MIN_DRAFT_DEG)].sum() / total)
        if drafted > best.drafted_share:
            best = DraftedWalls(drafted, float(area[wall].sum() / total))
    return best


def _freeform_samples(
    part: Part, mesh: Mesh, area_mm2: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Normals (k, 3) and areas (k,) of the points of freeform faces; none where they are a trifle."""
    free = np.array([isinstance(face.surface, Freeform) for face in part.faces], np.bool_)
    face_mm2 = np.array([face.area_mm2 for face in part.faces])
    if face_mm2[free].sum() <= MIN_FREEFORM * face_mm2.sum():
        return np.zeros((0, 3)), np.zeros(0)
    rows = np.flatnonzero(free[mesh.point_face])
    return mesh.normals[rows], area_mm2[rows]
