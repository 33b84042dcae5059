# mypy: allow-untyped-defs, disable-error-code="no-any-return"
"""Rays against the mesh, in float64: distances are as good as the mesh.

A ray is tried first against what stopped the one before it: rays that follow each other start side by side. They run
one after the other and give the same answer every time.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.bvh import RIM, STACK, WIDE, build_bvh, insert, lowest
from fettle.measure.readings import Triple

START = 1e-5
"""How far from its surface a ray starts, as a share of the diagonal."""
UNASKED, FREE, STOPPED = 0, 1, 2
NEVER = 1e300
"""Stands for the inverse of 0: finite, so that 0 times it is 0."""


class Scene:
    """The triangles of a mesh, ready to be shot at. face_body (faces,): the body of each face, the same unless
    it says otherwise."""

    def __init__(self, mesh: Mesh, face_body: NDArray[np.int64] | None = None) -> None:
        if face_body is None:
            face_body = np.zeros(int(mesh.triangle_face.max()) + 1, np.int64)
        low, high = mesh.box_mm()
        self.diagonal_mm = float(np.linalg.norm(high - low))
        self.start_mm = START * self.diagonal_mm
        self.tree = build_bvh(mesh, face_body)

    def first_hit(
        self, origins: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Triangle met first by each of k rays (k,), -1 for none, and its distance (k,) in lengths of the direction,
        nan for none."""
        # Laid out as `look` has them, so that one compiled loop serves both.
        points, ways = np.array(origins, order="C"), np.array(directions, order="C")
        ways.setflags(write=False)
        hit, distance = _first_hits(
            self.tree, points, ways, np.arange(len(points)), np.zeros(len(points), np.int64), 1.0, 0.0
        )
        return self.number(hit), distance

    def look(
        self, points: NDArray[np.float64], normals: NDArray[np.float64], roots: NDArray[np.int64], side: float
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """What the points (n, 3) of the whole mesh see along `side` times their normals, below some roots (n,) of the
        tree: the place (n,) of the triangle in the tree, -1 for none, and its distance in mm (n,), nan for none."""
        return _first_hits(self.tree, points, normals, self.tree.points, roots, side, self.start_mm)

    def number(self, place: NDArray[np.int32]) -> NDArray[np.int32]:
        """Numbers in the mesh (k,) of triangles given by their places in the tree (k,), -1 for -1."""
        return np.where(place >= 0, self.tree.triangle[place], np.int32(-1))

    def free(
        self,
        origins: NDArray[np.float64],
        normals: NDArray[np.float64],
        rows: NDArray[np.int64],
        direction: Triple,
        back: float,
        known: NDArray[np.int8],
    ) -> NDArray[np.bool_]:
        """Of rows (k,) of n points: which are not turned away from `direction`, their normal's cosine to it being at
        least `back`, and meet nothing on their way (k,). `known` (n,): answers so far, UNASKED at first; kept up."""
        return _free(self.tree, origins, normals, rows, *direction, back, known)

    def free_along_normals(
        self, origins: NDArray[np.float64], normals: NDArray[np.float64], rows: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Of rows (k,) of n points: which meet nothing straight ahead (k,)."""
        return _free_along_normals(self.tree, origins, normals, rows)


@njit(cache=True, error_model="numpy")
def _meet(corners, leaf, c, ox, oy, oz, dx, dy, dz):
    """Distance, in lengths of d, at which a ray meets triangle c of a leaf, inf where it does not (Moeller and
    Trumbore, "Fast, minimum storage ray-triangle intersection", 1997)."""
    ax, ay, az = corners[leaf, c], corners[leaf, WIDE + c], corners[leaf, 2 * WIDE + c]
    ux, uy, uz = corners[leaf, 3 * WIDE + c] - ax, corners[leaf, 4 * WIDE + c] - ay, corners[leaf, 5 * WIDE + c] - az
    vx, vy, vz = corners[leaf, 6 * WIDE + c] - ax, corners[leaf, 7 * WIDE + c] - ay, corners[leaf, 8 * WIDE + c] - az
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    # Of a triangle seen edge on it is 0, and what is divided by it is no number or none inside.
    volume = ux * px + uy * py + uz * pz
    sx, sy, sz = ox - ax, oy - ay, oz - az
    u = (sx * px + sy * py + sz * pz) / volume
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    v = (dx * qx + dy * qy + dz * qz) / volume
    distance = (vx * qx + vy * qy + vz * qz) / volume
    # No branches: all triangles of a leaf are looked at at once.
    met = (u >= -RIM) & (v >= -RIM) & (u + v <= 1.0 + RIM) & (distance > 0.0)
    return distance if met else np.inf


@njit(cache=True, error_model="numpy")
def _enter(box, node, c, x0, x1, y0, y1, z0, z1, ox, oy, oz, ix, iy, iz, far):
    """Distance at which a ray enters the box of child c, inf where it misses it or enters beyond `far`. x0 and x1 are
    the rows of the box's nearer and farther side along x, and so on."""
    near, last = (box[node, x0 + c] - ox) * ix, (box[node, x1 + c] - ox) * ix
    a, b = (box[node, y0 + c] - oy) * iy, (box[node, y1 + c] - oy) * iy
    near = a if a > near else near
    last = b if b < last else last
    a, b = (box[node, z0 + c] - oz) * iz, (box[node, z1 + c] - oz) * iz
    near = a if a > near else near
    last = b if b < last else last
    # A flat box is entered and left at once, but for rounding.
    last *= 1.0 + 1e-12
    near = near if near > 0.0 else 0.0
    last = last if last < far else far
    return near if near <= last else np.inf


@njit(cache=True, error_model="numpy")
def cast(box, child, corners, root, stack, enters, ox, oy, oz, dx, dy, dz, far, hit, any_will_do):
    """The triangle met first below a root of the tree, and where; `hit` and `far` are one known so far. The first found
    where any will do."""
    ix = 1.0 / dx if dx != 0.0 else NEVER
    iy = 1.0 / dy if dy != 0.0 else NEVER
    iz = 1.0 / dz if dz != 0.0 else NEVER
    x0, y0, z0 = WIDE * (0 if ix > 0.0 else 3), WIDE * (1 if iy > 0.0 else 4), WIDE * (2 if iz > 0.0 else 5)
    x1, y1, z1 = 3 * WIDE - x0, 5 * WIDE - y0, 7 * WIDE - z0
    stack[0], enters[0], top = root, 0.0, 1
    # Loops of a length the compiler does not know become vector instructions, those of a known one do not; where it
    # knows no limit either it makes them for twice as many.
    wide = min(child.shape[1], WIDE)
    while top > 0:
        top -= 1
        node = stack[top]
        if enters[top] > far:
            continue
        if node >= 0:
            entered = 0
            for c in range(wide):
                enter = _enter(box, node, c, x0, x1, y0, y1, z0, z1, ox, oy, oz, ix, iy, iz, far)
                entered |= int(enter < np.inf) << c
            bottom = top
            while entered > 0:
                c = lowest(entered)
                entered &= entered - 1
                enter = 0.0
                if not any_will_do:
                    enter = _enter(box, node, c, x0, x1, y0, y1, z0, z1, ox, oy, oz, ix, iy, iz, far)
                top = insert(stack, enters, bottom, top, child[node, c], enter)
            continue
        met = 0
        for c in range(wide):
            met |= int(_meet(corners, ~node, c, ox, oy, oz, dx, dy, dz) < far) << c
        while met > 0:
            c = lowest(met)
            met &= met - 1
            distance = _meet(corners, ~node, c, ox, oy, oz, dx, dy, dz)
            if distance < far:
                far, hit = distance, WIDE * ~node + c
        if any_will_do and hit >= 0:
            break
    return hit, far


@njit(cache=True, error_model="numpy")
def _first_hits(tree, points, ways, order, roots, side, start):
    box, child, corners = tree.box, tree.child, tree.corners
    stack, enters = np.empty(STACK, np.int64), np.empty(STACK)
    hits, distances = np.full(len(points), -1, np.int32), np.full(len(points), np.nan)
    last, root = -1, -1
    for i in order:
        if roots[i] != root:
            last, root = -1, roots[i]
        dx, dy, dz = side * ways[i, 0], side * ways[i, 1], side * ways[i, 2]
        ox, oy, oz = points[i, 0] + start * dx, points[i, 1] + start * dy, points[i, 2] + start * dz
        far = np.inf
        if last >= 0:
            far = _meet(corners, last // WIDE, last % WIDE, ox, oy, oz, dx, dy, dz)
            last = last if far < np.inf else -1
        last, far = cast(box, child, corners, root, stack, enters, ox, oy, oz, dx, dy, dz, far, last, False)
        if last >= 0:
            hits[i], distances[i] = last, far + start
    return hits, distances


@njit(cache=True, error_model="numpy")
def _free(tree, origins, normals, rows, dx, dy, dz, back, known):
    box, child, corners = tree.box, tree.child, tree.corners
    stack, enters = np.empty(STACK, np.int64), np.empty(STACK)
    answer = np.zeros(len(rows), np.bool_)
    last = -1
    for k in range(len(rows)):
        i = rows[k]
        if known[i] != UNASKED:
            answer[k] = known[i] == FREE
            continue
        known[i] = STOPPED
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        facing = dx * nx + dy * ny + dz * nz
        if facing < back:
            continue
        # A ray may not run into the very wall it starts on because that wall leans back within the tolerance.
        lean = facing if facing < 0.0 else 0.0
        x, y, z = dx - lean * nx, dy - lean * ny, dz - lean * nz
        ox, oy, oz = origins[i, 0], origins[i, 1], origins[i, 2]
        if last >= 0 and _meet(corners, last // WIDE, last % WIDE, ox, oy, oz, x, y, z) < np.inf:
            continue
        hit, _ = cast(box, child, corners, 0, stack, enters, ox, oy, oz, x, y, z, np.inf, -1, True)
        if hit >= 0:
            last = hit
        else:
            answer[k] = True
            known[i] = FREE
    return answer


@njit(cache=True, error_model="numpy")
def _free_along_normals(tree, origins, normals, rows):
    box, child, corners = tree.box, tree.child, tree.corners
    stack, enters = np.empty(STACK, np.int64), np.empty(STACK)
    answer = np.zeros(len(rows), np.bool_)
    for k in range(len(rows)):
        i = rows[k]
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        ox, oy, oz = origins[i, 0], origins[i, 1], origins[i, 2]
        hit, _ = cast(box, child, corners, 0, stack, enters, ox, oy, oz, nx, ny, nz, np.inf, -1, True)
        answer[k] = hit < 0
    return answer
