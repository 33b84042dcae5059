# mypy: allow-untyped-defs
"""Hollows inside the part: sealed voids, and cavities that only a narrow opening connects with the outside.

An open cavity is looked for only where a part has enough surface that no axis sees. Then space is cut into cells: a
cell's width is its distance from the surface, and the widest ball that can be rolled from the outside into a cell is
found by flooding from there, always on through the widest cell at hand.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from fettle.geometry.mesh import Mesh
from fettle.jit import njit
from fettle.measure.context import MeasureContext
from fettle.measure.readings import Cavities

LEAST_VOLUME_MM3 = 1000.0
LEAST_SURFACE_MM2 = 484.0
"""Surface of a ball of 1 cm3: nothing smaller encloses it."""
CELLS = 80
"""Cells along the longest side of the part."""
WIDEST = CELLS // 4
"""Radius in half cells beyond which an opening is none."""
WIDENS = 1.5
"""A cavity is wider than its opening by at least this factor; otherwise it is a hole or a pocket."""
FAR = math.ceil(WIDENS * WIDEST / 2)
"""Distance in cells beyond which a cell is as wide as any that an opening is compared with."""


def find_cavities(context: MeasureContext, hidden: NDArray[np.bool_]) -> Cavities:
    """`hidden` (k,): points of the samples that no axis of the machine sees."""
    part, mesh, samples = context.part, context.mesh, context.samples
    sealed = part.void_count
    void_faces = [face for body in part.bodies for shell in body.void_shells for face in part.shells[shell].faces]
    inside = hidden & ~np.isin(samples.faces, void_faces)
    if float(samples.area_mm2[inside].sum()) < LEAST_SURFACE_MM2:
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
    """Space around the part in cubic cells: which hold surface, and how far each free one is from it."""

    def __init__(self, mesh: Mesh) -> None:
        low, high = mesh.box_mm()
        self.cell_mm = float((high - low).max()) / CELLS
        self._low = low - 2.5 * self.cell_mm
        shape = np.ceil((high - low) / self.cell_mm).astype(int) + 5
        free = np.ones(tuple(shape), np.bool_)
        _fill((mesh.points - self._low) / self.cell_mm, mesh.triangles, free)
        self.width_mm = self.cell_mm * np.sqrt(squared_gaps(free))
        # Around the part there is room for any ball.
        around = np.ones_like(free)
        around[2:-2, 2:-2, 2:-2] = False
        self.width_mm[around] = np.inf
        self._free = free

    def cells_of(self, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """Shape (k, 3): indices of the cells that hold the points."""
        cells: NDArray[np.int64] = np.floor((points - self._low) / self.cell_mm).astype(np.int64)
        return cells

    def behind_openings(self) -> list[tuple[float, NDArray[np.bool_]]]:
        """Cavities as (radius of the widest ball that rolls in, cells of the cavity)."""
        way_in = _widest_ways(np.minimum(self.width_mm / (self.cell_mm / 2.0), WIDEST).astype(np.int32), self._free)
        outside = way_in >= 0
        found: list[tuple[float, NDArray[np.bool_]]] = []
        lost = np.zeros_like(outside)
        for step in range(1, WIDEST):
            radius = step * self.cell_mm / 2.0
            # A ball of this radius does not roll in although balls far larger have room inside.
            roomy = outside & (way_in < step) & ~lost & (self.width_mm >= WIDENS * radius)
            if not roomy.any():
                continue
            labels, count = ndimage.label(outside & ~lost & ~_grown(way_in >= step, radius / self.cell_mm))
            for label in range(1, count + 1):
                cells = labels == label
                if not (cells & roomy).any():
                    continue
                if float(cells.sum()) * self.cell_mm**3 >= LEAST_VOLUME_MM3:
                    found.append((radius - self.cell_mm / 4.0, _grown(cells, 2.0)))
                lost |= cells
        return found


def _grown(cells: NDArray[np.bool_], by_cells: float) -> NDArray[np.bool_]:
    if not cells.any():
        return cells
    return np.asarray(ndimage.distance_transform_edt(~cells) <= by_cells)


@njit(cache=True)
def _widest_ways(steps, free):
    """The most steps of width (cells,) of a ball whose center can be rolled into each cell from the corner of the grid,
    which is outside, through free cells that share a side; -1 where none can.

    Cells are taken up widest first: one row of waiting cells for each number of steps, chained by `after`.
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
            way = 1 if k % 2 == 0 else -1
            i, j, h = x + way * (k // 2 == 0), y + way * (k // 2 == 1), z + way * (k // 2 == 2)
            if i < 0 or j < 0 or h < 0 or i >= nx or j >= ny or h >= nz or not free[i, j, h]:
                continue
            other = (i * ny + j) * nz + h
            if best[other] < 0:
                best[other] = min(level, steps[i, j, h])
                after[other], waiting[best[other]] = waiting[best[other]], other
    return best.reshape(free.shape)


@njit(cache=True)
def _fill(points, triangles, free):
    """Clear the cells that triangles touch, by points on each that lie nowhere further apart than half a cell; points
    (n, 3) in cells."""
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        longest2 = 0.0
        for i, j in ((a, b), (b, c), (c, a)):
            gap2 = 0.0
            for k in range(3):
                gap2 += (points[i, k] - points[j, k]) ** 2
            longest2 = max(longest2, gap2)
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


def squared_gaps(free: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Squared distance of each cell from the nearest one that is not free, in cells, at most FAR squared.

    Along one axis after the other (Saito and Toriwaki, "New algorithms for Euclidean distance transformation of an
    n-dimensional digitized picture", 1994), and no farther than is asked for, which takes a quarter to an eighth of
    the time of a transformation without a limit.
    """
    gap2 = np.where(free, np.int32(FAR * FAR), np.int32(0))
    for axis in range(3):
        rows = np.moveaxis(gap2, axis, 0)
        least = _lower_envelope(np.ascontiguousarray(rows).reshape(len(rows), -1))
        gap2 = np.moveaxis(least.reshape(rows.shape), 0, axis)
    return gap2


@njit(cache=True)
def _lower_envelope(gap2):
    """The least of gap2[j] + (i - j) ** 2 over the rows j, for each row i (rows, lines)."""
    rows, lines = gap2.shape
    least = gap2.copy()
    for away in range(1, FAR):
        step2 = np.int32(away * away)
        for i in range(rows):
            for j in (i - away, i + away):
                if 0 <= j < rows:
                    for k in range(lines):
                        least[i, k] = min(least[i, k], np.int32(gap2[j, k] + step2))
    return least
