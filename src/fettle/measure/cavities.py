# mypy: allow-untyped-defs
"""Internal cavities: sealed voids, and cavities connected with the outside only through a narrow opening.

Open cavities are searched only if enough surface is invisible along all machine axes. Then space is divided into cubic
cells; the clearance of a cell is its distance from the surface, and the largest ball that can pass from outside into
each cell follows from a flood fill that always continues at the cell of largest clearance (a widest-path search).
"""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.jit import njit
from fettle.measure.context import MeasureContext
from fettle.measure.readings import Cavities

IMAGES = "scipy.ndimage"
"""Imported where a hollow narrows: few parts have one, and a command that analyzes one file does not wait for it."""

MIN_VOLUME_MM3 = 1000.0
"""Volume of the smallest cavity that is reported: less powder or resin inside does no harm."""
MIN_HIDDEN_AREA_MM2 = 484.0
"""Surface of a ball of 1 cm3: no smaller surface encloses that volume."""
CELLS = 80
"""Cells along the longest side of the part: at most about half a million in all."""
MAX_OPENING_STEPS = CELLS // 4
"""Radius in half cells from which an opening is no longer narrow: an eighth of the part's longest side."""
WIDENING = 1.5
"""A cavity is wider than its opening by at least this factor; otherwise it is a hole or a pocket."""
MAX_DISTANCE_CELLS = math.ceil(WIDENING * MAX_OPENING_STEPS / 2)
"""Largest distance from the surface that is computed: no comparison needs a larger one."""


def find_cavities(context: MeasureContext, hidden: NDArray[np.bool_]) -> Cavities:
    """Find sealed and narrow-mouthed cavities; hidden (k,): mask of the face samples that no machine axis sees."""
    part, mesh, samples = context.part, context.mesh, context.samples
    sealed = part.void_count
    void_faces = [face for body in part.bodies for shell in body.void_shells for face in part.shells[shell].faces]
    inside = hidden & ~np.isin(samples.faces, void_faces)
    if float(samples.area_mm2[inside].sum()) < MIN_HIDDEN_AREA_MM2:
        return Cavities(sealed, None, ())
    grid = _Grid(mesh)
    narrowest: float | None = None
    lining: set[int] = set()
    for radius, cells in grid.behind_openings():
        if narrowest is None or 2.0 * radius < narrowest:
            narrowest = 2.0 * radius
        near = grid.cells_of(mesh.points[samples.rows[inside]])
        touching = cells[near[:, 0], near[:, 1], near[:, 2]]
        lining.update(samples.faces[inside][touching].tolist())
    return Cavities(sealed, narrowest, tuple(sorted(lining)))


class _Grid:
    """Cubic cells around the part: which are free of surface, and the clearance of each in mm."""

    def __init__(self, mesh: Mesh) -> None:
        low, high = mesh.box_mm()
        self.cell_mm = float((high - low).max()) / CELLS
        self._low = low - 2.5 * self.cell_mm
        shape = np.ceil((high - low) / self.cell_mm).astype(int) + 5
        free = np.ones(tuple(shape), np.bool_)
        _mark_surface((mesh.points - self._low) / self.cell_mm, mesh.triangles, free)
        self.clearance_mm = self.cell_mm * np.sqrt(squared_distances(free))
        # Outside the bounding box there is room for any ball.
        outside = np.ones_like(free)
        outside[2:-2, 2:-2, 2:-2] = False
        self.clearance_mm[outside] = np.inf
        self._free = free

    def cells_of(self, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """Indices (k, 3) of the cells that contain some points (k, 3) mm."""
        cells: NDArray[np.int64] = np.floor((points - self._low) / self.cell_mm).astype(np.int64)
        return cells

    def behind_openings(self) -> list[tuple[float, NDArray[np.bool_]]]:
        """Cavities as pairs: radius in mm of the largest ball that passes in, and mask of the cavity's cells."""
        half_cells = np.minimum(self.clearance_mm / (self.cell_mm / 2.0), MAX_OPENING_STEPS).astype(np.int32)
        passing = _widest_paths(half_cells, self._free)
        connected = passing >= 0
        found: list[tuple[float, NDArray[np.bool_]]] = []
        assigned = np.zeros_like(connected)
        for step in range(1, MAX_OPENING_STEPS):
            radius = step * self.cell_mm / 2.0
            # Cells with room for a much larger ball into which a ball of this radius cannot pass.
            wide = connected & (passing < step) & ~assigned & (self.clearance_mm >= WIDENING * radius)
            if not wide.any():
                continue
            free = connected & ~assigned & ~_dilated(passing >= step, radius / self.cell_mm)
            labels, count = import_module(IMAGES).label(free)
            for label in range(1, count + 1):
                cells = labels == label
                if not (cells & wide).any():
                    continue
                if float(cells.sum()) * self.cell_mm**3 >= MIN_VOLUME_MM3:
                    found.append((radius - self.cell_mm / 4.0, _dilated(cells, 2.0)))
                assigned |= cells
        return found


def _dilated(cells: NDArray[np.bool_], by_cells: float) -> NDArray[np.bool_]:
    """Mask of the cells within a Euclidean distance of the given ones, in cells."""
    if not cells.any():
        return cells
    return np.asarray(import_module(IMAGES).distance_transform_edt(~cells) <= by_cells)


@njit(cache=True)
def _widest_paths(steps, free):
    """Largest clearance (x, y, z), in steps, of a ball whose center can move to each cell from the corner of the grid,
    which is outside, through free cells that share a side; -1 where no path leads.

    Widest-path search: cells wait in one linked list a clearance (`waiting`, `after`), the widest are taken first.
    """
    nx, ny, nz = free.shape
    best, after = np.full(free.shape, -1, np.int32).ravel(), np.empty(free.size, np.int32)
    waiting = np.full(steps[0, 0, 0] + 1, -1, np.int32)
    level = best[0] = steps[0, 0, 0]
    waiting[level], after[0] = 0, -1
    while level >= 0:
        cell = waiting[level]
        if cell < 0:
            level -= 1
            continue
        waiting[level] = after[cell]
        x, y, z = cell // (ny * nz), cell // nz % ny, cell % nz
        for k in range(6):
            sign = 1 if k % 2 == 0 else -1
            i, j, h = x + sign * (k // 2 == 0), y + sign * (k // 2 == 1), z + sign * (k // 2 == 2)
            if i < 0 or j < 0 or h < 0 or i >= nx or j >= ny or h >= nz or not free[i, j, h]:
                continue
            other = (i * ny + j) * nz + h
            if best[other] < 0:
                best[other] = min(level, steps[i, j, h])
                after[other], waiting[best[other]] = waiting[best[other]], other
    return best.reshape(free.shape)


@njit(cache=True)
def _mark_surface(points, triangles, free):
    """Mark the cells that triangles touch as not free, by points on each triangle at most half a cell apart; points
    (n, 3) in cells."""
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        longest2 = 0.0
        for i, j in ((a, b), (b, c), (c, a)):
            length2 = 0.0
            for k in range(3):
                length2 += (points[i, k] - points[j, k]) ** 2
            longest2 = max(longest2, length2)
        n = max(1, int(np.ceil(2.0 * np.sqrt(longest2))))
        step = 1.0 / n
        for i in range(n + 1):
            for j in range(n + 1 - i):
                u, v = i * step, j * step
                w = 1.0 - u - v
                x = w * points[a, 0] + u * points[b, 0] + v * points[c, 0]
                y = w * points[a, 1] + u * points[b, 1] + v * points[c, 1]
                z = w * points[a, 2] + u * points[b, 2] + v * points[c, 2]
                free[int(x), int(y), int(z)] = False


def squared_distances(free: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Squared distance (x, y, z) of each cell from the nearest one that is not free, in cells, at most
    `MAX_DISTANCE_CELLS` squared.

    One axis after the other (Saito and Toriwaki, "New algorithms for Euclidean distance transformation of an
    n-dimensional digitized picture", 1994). The limit makes it four to eight times as fast as an unlimited transform.
    """
    distance2 = np.where(free, np.int32(MAX_DISTANCE_CELLS * MAX_DISTANCE_CELLS), np.int32(0))
    for axis in range(3):
        rows = np.moveaxis(distance2, axis, 0)
        least = _lower_envelope(np.ascontiguousarray(rows).reshape(len(rows), -1))
        distance2 = np.moveaxis(least.reshape(rows.shape), 0, axis)
    return distance2


@njit(cache=True)
def _lower_envelope(distance2):
    """Minimum over rows j of distance2[j] + (i - j) ** 2, for each row i; shape (rows, lines)."""
    rows, lines = distance2.shape
    least = distance2.copy()
    for offset in range(1, MAX_DISTANCE_CELLS):
        offset2 = np.int32(offset * offset)
        for i in range(rows):
            for j in (i - offset, i + offset):
                if 0 <= j < rows:
                    for k in range(lines):
                        least[i, k] = min(least[i, k], np.int32(distance2[j, k] + offset2))
    return least
