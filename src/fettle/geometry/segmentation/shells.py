# mypy: allow-untyped-defs
"""Loose triangles to closed shells: what a mesh file encloses, or why it encloses nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.errors import NoSolid, TooDetailed
from fettle.geometry.components import components
from fettle.geometry.segmentation.welding import EdgeTable, edge_table, weld
from fettle.jit import njit

NOISE = 1e-7
CRACK = 1e-5
"""Shares of the box diagonal: corners closer than NOISE are the same point; open shells are welded again at CRACK."""

MAX_SHELLS = 10_000
LOOSE_AREA_SHARE = 0.01
"""Open surfaces beside closed shells are left out up to this share of the area; above it the file is refused."""


@dataclass(frozen=True, slots=True, eq=False)
class ClosedMesh:
    """Closed, consistently oriented shells: points (n, 3) mm, triangles (m, 3) counter-clockwise from outside,
    triangle_shell (m,); by shell: volumes_mm3 (signed, negative for voids) and bodies (number of the body it bounds).
    """

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    triangle_shell: NDArray[np.int64]
    volumes_mm3: NDArray[np.float64]
    bodies: NDArray[np.int64]
    warnings: tuple[str, ...]


def close_shells(corners: NDArray[np.float64]) -> ClosedMesh:
    """Weld loose corners (m, 3, 3) mm into shells; refuses with `NoSolid` what does not close."""
    flat = corners.reshape(-1, 3)
    diagonal = float(np.linalg.norm(flat.max(axis=0) - flat.min(axis=0)))
    warnings: list[str] = []
    points, triangles = weld(corners, NOISE * diagonal)
    triangles = _without_duplicates(triangles, warnings)
    if _open_count(triangles):
        welded, joined = weld(corners, CRACK * diagonal)
        joined = _without_duplicates(joined, [])
        if len(joined) and _open_count(joined) < _open_count(triangles):
            points, triangles = welded, joined
            warnings.append(f"Cracks up to {CRACK * diagonal:.2g} mm wide were closed.")
    if not len(triangles):
        raise NoSolid("The mesh has no triangle with an area: nothing in it encloses a volume.")
    triangles = _oriented(triangles, warnings)
    table = edge_table(triangles)
    shell_of = _components(points, triangles, table)
    triangles, shell_of = _without_loose(points, triangles, shell_of, table, warnings)
    return _nested(points, triangles, shell_of, warnings)


def _without_duplicates(triangles: NDArray[np.int64], warnings: list[str]) -> NDArray[np.int64]:
    """Drop repeated triangles; where every triangle has a reversed twin (a double-sided skin), keep one side."""
    if not len(triangles):
        return triangles
    turn = np.argmin(triangles, axis=1)
    rows = triangles[np.arange(len(triangles))[:, None], (turn[:, None] + np.arange(3)) % 3]
    _, first = np.unique(rows, axis=0, return_index=True)
    if len(first) < len(rows):
        warnings.append(f"{len(rows) - len(first)} repeated triangles were left out.")
    first.sort()
    kept: NDArray[np.int64] = rows[first]
    sets: NDArray[np.int64] = np.sort(kept, axis=1)
    _, once, twins = np.unique(sets, axis=0, return_index=True, return_counts=True)
    if (twins == 2).all():
        warnings.append("Every face is there twice, once from each side; one side was kept.")
        once.sort()
        kept = kept[once]
    return kept


def _open_count(triangles: NDArray[np.int64]) -> int:
    """Edges with an odd number of triangles: no orientation can close them."""
    return int((edge_table(triangles).sizes % 2).sum()) if len(triangles) else 0


def _oriented(triangles: NDArray[np.int64], warnings: list[str]) -> NDArray[np.int64]:
    """Consistent orientation: two triangles must run along their common edge in opposite directions."""
    table = edge_table(triangles)
    if not table.balance.any():
        return triangles
    pairs = table.starts[:-1][table.sizes == 2]
    left, right = table.order[pairs], table.order[pairs + 1]
    same = table.forward[left] == table.forward[right]
    flip = _choose_flips(len(triangles), left // 3, right // 3, same)
    if flip.any():
        warnings.append(f"{int(flip.sum())} triangles were turned over to agree with their neighbors.")
        triangles = triangles.copy()
        triangles[flip] = triangles[flip, ::-1]
    return triangles


def _choose_flips(
    count: int, left: NDArray[np.int64], right: NDArray[np.int64], same: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which triangles to flip so that as few as possible change: the lesser half of each connected piece."""
    triangle, neighbor = np.concatenate([left, right]), np.concatenate([right, left])
    order = np.lexsort((neighbor, triangle))
    starts = np.searchsorted(triangle[order], np.arange(count + 1))
    flip, piece = _flood(starts, neighbor[order], np.tile(same, 2)[order])
    flipped = np.bincount(piece, weights=flip)
    return np.asarray(flip ^ (flipped * 2 > np.bincount(piece))[piece])


@njit(cache=True)
def _flood(starts, neighbors, same):
    """Flip and connected piece of each triangle t. Its neighbors, from `starts[t]` to `starts[t + 1]`, run along the
    common edge in the `same` direction or not."""
    count = len(starts) - 1
    flip = np.zeros(count, np.bool_)
    piece = np.full(count, -1, np.int64)
    stack = np.empty(count, np.int64)
    pieces = 0
    for seed in range(count):
        if piece[seed] >= 0:
            continue
        piece[seed] = pieces
        stack[0] = seed
        height = 1
        while height:
            height -= 1
            at = stack[height]
            for k in range(starts[at], starts[at + 1]):
                other = neighbors[k]
                if piece[other] < 0:
                    piece[other] = pieces
                    flip[other] = flip[at] != same[k]
                    stack[height] = other
                    height += 1
        pieces += 1
    return flip, piece


def paired_sides(
    points: NDArray[np.float64], triangles: NDArray[np.int64], table: EdgeTable
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sides (3 * triangle + k) that meet, pair by pair. At an edge of four and more, those that bound the same material
    meet."""
    twos = table.starts[:-1][table.sizes == 2]
    left, right = table.order[twos], table.order[twos + 1]
    if (table.sizes > 2).any():
        extra = _radial_pairs(points, triangles, table.order, table.starts, table.forward)
        left, right = np.concatenate([left, extra[:, 0]]), np.concatenate([right, extra[:, 1]])
    return left, right


def _components(points: NDArray[np.float64], triangles: NDArray[np.int64], table: EdgeTable) -> NDArray[np.int64]:
    """Shell number of each triangle."""
    left, right = paired_sides(points, triangles, table)
    return components(len(triangles), left // 3, right // 3).astype(np.int64)


@njit(cache=True)
def _radial_pairs(points, triangles, order, starts, forward):
    """Pairs of sides around edges of more than two: material lies between a backward side and the next forward one."""
    pairs = np.empty((len(order), 2), np.int64)
    found = 0
    for edge in range(len(starts) - 1):
        if starts[edge + 1] - starts[edge] <= 2:
            continue
        sides = order[starts[edge] : starts[edge + 1]]
        tail, tip = triangles[sides[0] // 3, sides[0] % 3], triangles[sides[0] // 3, (sides[0] % 3 + 1) % 3]
        low, high = min(tail, tip), max(tail, tip)
        d = points[high] - points[low]
        d = d / np.sqrt(np.sum(d * d))
        u = np.zeros(3)
        u[np.argmin(np.abs(d))] = 1.0
        u = u - d * np.sum(u * d)
        u = u / np.sqrt(np.sum(u * u))
        v = np.cross(d, u)
        angle = np.empty(len(sides))
        for k in range(len(sides)):
            w = points[triangles[sides[k] // 3, (sides[k] % 3 + 2) % 3]] - points[low]
            # at equal angles one body's end comes before its neighbor's beginning
            angle[k] = np.arctan2(np.sum(w * v), np.sum(w * u)) + (0.0 if forward[sides[k]] else 1e-9)
        rank = np.argsort(angle)
        used = np.zeros(len(sides), np.bool_)
        for k in range(len(sides)):
            if forward[sides[rank[k]]]:
                continue
            for step in range(1, len(sides)):
                other = rank[(k + step) % len(sides)]
                if forward[sides[other]] and not used[other]:
                    used[other] = True
                    pairs[found, 0] = sides[rank[k]]
                    pairs[found, 1] = sides[other]
                    found += 1
                    break
    return pairs[:found]


def _without_loose(
    points: NDArray[np.float64],
    triangles: NDArray[np.int64],
    shell_of: NDArray[np.int64],
    table: EdgeTable,
    warnings: list[str],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The closed shells; refuses when the open ones have more than a small share of the area."""
    bad = np.repeat(table.balance != 0, table.sizes)
    if not bad.any():
        return triangles, shell_of
    open_shells = np.unique(shell_of[table.order[bad] // 3])
    loose = np.isin(shell_of, open_shells)
    areas = _areas(points, triangles)
    if areas[loose].sum() > LOOSE_AREA_SHARE * areas.sum():
        count = int((table.balance != 0).sum())
        at = points[triangles[table.order[bad][0] // 3, 0]]
        raise NoSolid(
            f"The mesh is not closed: {count} open edges, one near ({at[0]:.3f}, {at[1]:.3f}, {at[2]:.3f}) mm. "
            "Close its holes, or export the solid again."
        )
    warnings.append(f"{len(open_shells)} open surfaces beside the closed shells were left out.")
    return triangles[~loose], shell_of[~loose]


def _nested(
    points: NDArray[np.float64], triangles: NDArray[np.int64], shell_of: NDArray[np.int64], warnings: list[str]
) -> ClosedMesh:
    """Shells numbered by falling volume; outsides made positive, voids given to the body around them."""
    shells, shell_of = np.unique(shell_of, return_inverse=True)
    if len(shells) > MAX_SHELLS:
        raise TooDetailed(f"The mesh falls into {len(shells)} separate shells; at most {MAX_SHELLS} are read.")
    box = points[triangles.ravel()]
    middle = 0.5 * (box.min(axis=0) + box.max(axis=0))
    a, b, c = (points[triangles[:, k]] - middle for k in range(3))
    volumes = np.bincount(shell_of, weights=np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0)
    areas = np.bincount(shell_of, weights=_areas(points, triangles))
    # a shell thinner than a ten-thousandth of its own size is a folded sheet, not a solid
    solid = np.abs(volumes) > 1e-6 * areas**1.5
    if not solid.any():
        raise NoSolid("The mesh is closed but flat: it encloses no volume.")
    if not solid.all():
        warnings.append(f"{int((~solid).sum())} closed surfaces without a volume were left out.")
    rank = np.argsort(-np.abs(volumes), kind="stable")
    rank = rank[solid[rank]]
    renumber = np.full(len(solid), -1)
    renumber[rank] = np.arange(len(rank))
    shell_of = renumber[shell_of]
    signed: NDArray[np.float64] = volumes[rank].astype(np.float64)
    triangles, shell_of = triangles[shell_of >= 0], shell_of[shell_of >= 0]
    order = np.argsort(shell_of, kind="stable")
    triangles, shell_of = triangles[order], shell_of[order]
    parents = _parents(points, triangles, shell_of, len(rank))

    top = np.arange(len(rank))
    for shell in range(len(rank)):
        if parents[shell] >= 0:
            top[shell] = top[parents[shell]]
    inside_out = signed[top] < 0
    if inside_out.any():
        warnings.append("A shell was inside out (its triangles faced inwards); it was turned.")
        signed = signed * np.where(inside_out, -1.0, 1.0)
        flipped = inside_out[shell_of]
        triangles[flipped] = triangles[flipped, ::-1]
    bodies = np.cumsum(signed > 0) - 1
    for void in np.flatnonzero(signed < 0):
        around = int(parents[void])
        while around >= 0 and signed[around] < 0:
            around = int(parents[around])
        bodies[void] = bodies[around]
    nested = int(((signed > 0) & (parents >= 0) & (signed[parents] > 0)).sum())
    if nested:
        warnings.append(f"{nested} bodies lie inside another body; their volumes are counted twice.")
    return _packed(ClosedMesh(points, triangles, shell_of, signed, bodies, tuple(warnings)))


def _parents(
    points: NDArray[np.float64], triangles: NDArray[np.int64], shell_of: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """The smallest shell around each shell, -1 for none. Shells come by falling volume, triangles by shell."""
    starts = np.searchsorted(shell_of, np.arange(count + 1))
    rows = points[triangles]
    boxes = np.stack(
        [
            np.minimum.reduceat(rows.min(axis=1), starts[:-1], axis=0),
            np.maximum.reduceat(rows.max(axis=1), starts[:-1], axis=0),
        ],
        axis=1,
    )
    parents = np.full(count, -1)
    for shell in range(1, count):
        around = (boxes[:shell, 0] <= boxes[shell, 0]).all(axis=1) & (boxes[:shell, 1] >= boxes[shell, 1]).all(axis=1)
        own = triangles[starts[shell] : starts[shell + 1]]
        probe = points[own[np.argmax(_areas(points, own))]].mean(axis=0)
        for other in np.flatnonzero(around)[::-1]:
            if abs(_winding(points, triangles[starts[other] : starts[other + 1]], probe)) > 0.5:
                parents[shell] = other
                break
    return parents


@njit(cache=True)
def _winding(points, triangles, probe):
    """Times the shell goes round the probe (A. van Oosterom and J. Strackee, 1983, solid angle of a triangle)."""
    total = 0.0
    for t in range(len(triangles)):
        ax = points[triangles[t, 0], 0] - probe[0]
        ay = points[triangles[t, 0], 1] - probe[1]
        az = points[triangles[t, 0], 2] - probe[2]
        bx = points[triangles[t, 1], 0] - probe[0]
        by = points[triangles[t, 1], 1] - probe[1]
        bz = points[triangles[t, 1], 2] - probe[2]
        cx = points[triangles[t, 2], 0] - probe[0]
        cy = points[triangles[t, 2], 1] - probe[1]
        cz = points[triangles[t, 2], 2] - probe[2]
        la = np.sqrt(ax * ax + ay * ay + az * az)
        lb = np.sqrt(bx * bx + by * by + bz * bz)
        lc = np.sqrt(cx * cx + cy * cy + cz * cz)
        triple = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        below = la * lb * lc + (ax * bx + ay * by + az * bz) * lc
        below += (bx * cx + by * cy + bz * cz) * la + (cx * ax + cy * ay + cz * az) * lb
        total += 2.0 * np.arctan2(triple, below)
    return total / (4.0 * np.pi)


def _packed(mesh: ClosedMesh) -> ClosedMesh:
    """Only vertices in use; a vertex where two shells touch is duplicated."""
    key = mesh.triangles.ravel() + np.repeat(mesh.triangle_shell, 3) * len(mesh.points)
    used, number = np.unique(key, return_inverse=True)
    return replace(mesh, points=mesh.points[used % len(mesh.points)], triangles=number.reshape(-1, 3))


def _areas(points: NDArray[np.float64], triangles: NDArray[np.int64]) -> NDArray[np.float64]:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    areas: NDArray[np.float64] = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return areas
