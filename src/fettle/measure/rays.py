# mypy: allow-untyped-defs, disable-error-code="no-any-return"
"""Ray casting against the triangles of a mesh, in float64.

Each ray is first tested against the triangle that stopped the ray before it, because successive rays start at
neighboring points. Rays are cast one after the other in a fixed order, so results are reproducible.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.jit import njit, njit_inner
from fettle.jit.lanes import HALF, LANES, bits, larger, load, load_half, lowest_bit, smaller, store
from fettle.measure.bvh import EDGE_MARGIN, STACK_SIZE, build_bvh, push_sorted
from fettle.measure.own_walls import Walls, own_wall
from fettle.measure.readings import Triple

START_OFFSET = 1e-5
"""Distance of a ray's start from its own surface, as a fraction of the bounding box's diagonal."""
SAME_SIZE = 1e-6
"""Share by which flat faces of equal area differ in rounding."""
LEAST_ACROSS = 1e-3
"""Share of its length that a direction must have across another one to stand for itself."""
UNKNOWN, FREE, BLOCKED = 0, 1, 2
"""States of a cached visibility answer."""
INVERSE_OF_ZERO = 1e300
"""Used for 1 / 0: finite, so that 0 times it is 0 and not nan."""
LARGEST = np.finfo(np.float64).max
"""Farther than any box that a ray enters."""


class Scene:
    """A mesh prepared for ray casting. face_body (faces,): number of the body of each face; one body by default.

    The tree stands in a frame that is fixed to the part (`fixed` gives coordinates in it): where the order in which
    triangles are met decides, it is the same in every position of the part. points (n, 3) mm: the mesh's, in it.
    """

    def __init__(self, mesh: Mesh, face_body: NDArray[np.int64] | None = None) -> None:
        if face_body is None:
            face_body = np.zeros(int(mesh.triangle_face.max()) + 1, np.int64)
        self.diagonal_mm = mesh.diameter_mm
        self.start_mm = START_OFFSET * self.diagonal_mm
        self._frame = _frame_of(mesh)
        self.points = self.fixed(mesh.points)
        self.tree = build_bvh(replace(mesh, points=self.points), face_body)

    def fixed(self, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points or directions (..., 3) in the frame of the tree; read-only."""
        turned: NDArray[np.float64] = np.ascontiguousarray(vectors @ self._frame.T)
        turned.setflags(write=False)
        return turned

    def first_hit(
        self, origins: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """First triangle hit by each of k rays (k,), -1 for none, and its distance (k,) in multiples of the direction's
        length, nan for none. origins, directions (k, 3)."""
        points, rays = self.fixed(origins), self.fixed(directions)
        hit, distance = _first_hits(
            self.tree, points, rays, np.arange(len(points)), np.zeros(len(points), np.int64), 1.0, 0.0
        )
        return self.mesh_triangles(hit), distance

    def cast_along_normals(
        self, points: NDArray[np.float64], normals: NDArray[np.float64], roots: NDArray[np.int64], side: float
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Cast a ray from every mesh point (n, 3) along `side` (+1 or -1) times its normal (n, 3), both `fixed`.

        roots (n,): node of the tree below which triangles count. Returns the slot (n,) in the tree of the first
        triangle hit, -1 for none, and its distance in mm (n,), nan for none.
        """
        return _first_hits(self.tree, points, normals, self.tree.points, roots, side, self.start_mm)

    def mesh_triangles(self, slots: NDArray[np.int32]) -> NDArray[np.int32]:
        """Numbers in the mesh (k,) of the triangles in some slots of the tree (k,), -1 for -1."""
        return np.where(slots >= 0, self.tree.triangle[slots], np.int32(-1))

    def free(
        self,
        origins: NDArray[np.float64],
        normals: NDArray[np.float64],
        roots: NDArray[np.int64],
        rows: NDArray[np.int64],
        direction: Triple,
        min_cosine: float,
        walls: Walls,
        faces: NDArray[np.int32],
        cache: NDArray[np.int8],
    ) -> NDArray[np.bool_]:
        """Mask (k,) of the points from which a ray along `direction` leaves the body.

        origins, normals (n, 3) are `fixed`; roots (n,): node of the tree below which triangles count; rows (k,) of n
        points; a point counts only if its normal's cosine to `direction` is at least `min_cosine`. faces (n,): of the
        points, whose `walls` do not stop them. cache (n,): answers so far, `UNKNOWN` at first; updated in place.
        """
        x, y, z = self.fixed(np.array(direction)).tolist()
        return _free(self.tree, origins, normals, roots, rows, x, y, z, min_cosine, walls, faces, cache)

    def free_along_normals(
        self,
        origins: NDArray[np.float64],
        normals: NDArray[np.float64],
        rows: NDArray[np.int64],
        walls: Walls,
        faces: NDArray[np.int32],
    ) -> NDArray[np.bool_]:
        """Mask (k,) of the points, given by rows (k,), whose ray along their own normal hits nothing; arguments as in
        `free`."""
        return _free_along_normals(self.tree, origins, normals, rows, walls, faces)


def _frame_of(mesh: Mesh) -> NDArray[np.float64]:
    """Three unit directions (3, 3), square to each other: out of the largest flat face, and out of the largest one
    across it. Boxes along the faces of a part are the tightest. Where there are no such faces, a side of the first
    triangle takes their place; the axes of the file where that has no length."""
    face_count = int(mesh.triangle_face.max()) + 1
    areas = _vector_areas(mesh.points, unsigned(mesh.triangles), unsigned(mesh.triangle_face), face_count)
    a, b, c = mesh.points[mesh.triangles[0]]
    sides = np.concatenate([[b - a, c - a], np.eye(3)])
    frame = np.empty((3, 3))
    for row in range(2):
        for vectors in (areas, *sides[:, None]):
            # faces of equal size: the first, whatever rounding did to them
            across = vectors - (vectors @ frame[:row].T) @ frame[:row]
            sizes, whole = np.linalg.norm(across, axis=1), float(np.linalg.norm(vectors, axis=1).max())
            first = int(np.argmax(sizes >= (1.0 - SAME_SIZE) * sizes.max()))
            if sizes[first] > LEAST_ACROSS * whole > 0.0:
                frame[row] = across[first] / sizes[first]
                break
    frame[2] = np.cross(frame[0], frame[1])
    return frame


@njit(cache=True, error_model="numpy")
def _vector_areas(points, triangles, triangle_face, face_count):
    """Sum (faces, 3) of the normals of each face's triangles, as long as twice their areas."""
    areas = np.zeros((face_count, 3))
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        ux, uy, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
        vx, vy, vz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1], points[c, 2] - points[a, 2]
        face = triangle_face[t]
        areas[face, 0] += uy * vz - uz * vy
        areas[face, 1] += uz * vx - ux * vz
        areas[face, 2] += ux * vy - uy * vx
    return areas


@njit_inner
def _hit_distance(corners, leaf, c, ox, oy, oz, dx, dy, dz):
    """Distance, in multiples of |d|, at which a ray hits triangle c of a leaf, inf for a miss (Moeller and Trumbore,
    "Fast, minimum storage ray-triangle intersection", 1997)."""
    ax, ay, az = corners[leaf, c], corners[leaf, LANES + c], corners[leaf, 2 * LANES + c]
    ux, uy, uz = corners[leaf, 3 * LANES + c] - ax, corners[leaf, 4 * LANES + c] - ay, corners[leaf, 5 * LANES + c] - az
    vx, vy, vz = corners[leaf, 6 * LANES + c] - ax, corners[leaf, 7 * LANES + c] - ay, corners[leaf, 8 * LANES + c] - az
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    # 0 if the ray lies in the plane of the triangle; the quotients below are then nan or outside the triangle.
    volume = ux * px + uy * py + uz * pz
    sx, sy, sz = ox - ax, oy - ay, oz - az
    u = (sx * px + sy * py + sz * pz) / volume
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    v = (dx * qx + dy * qy + dz * qz) / volume
    distance = (vx * qx + vy * qy + vz * qz) / volume
    met = (u >= -EDGE_MARGIN) & (v >= -EDGE_MARGIN) & (u + v <= 1.0 + EDGE_MARGIN) & (distance > 0.0)
    return distance if met else np.inf


@njit(cache=True, inline="always")
def _may_hit(corners, leaf, c, ox, oy, oz, dx, dy, dz, far):
    """Mask of the four triangles of a leaf from c on that a ray may hit nearer than `far`: all that `_hit_distance`
    finds.

    The same expressions without their divisions, which take longer than all the rest: multiplied by the square of the
    divisor, and with twice the margin, which is far more than rounding.
    """
    ax, ay, az = (
        load_half(corners, leaf, c),
        load_half(corners, leaf, LANES + c),
        load_half(corners, leaf, 2 * LANES + c),
    )
    vx = load_half(corners, leaf, 6 * LANES + c) - ax
    vy = load_half(corners, leaf, 7 * LANES + c) - ay
    vz = load_half(corners, leaf, 8 * LANES + c) - az
    px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
    ux = load_half(corners, leaf, 3 * LANES + c) - ax
    uy = load_half(corners, leaf, 4 * LANES + c) - ay
    uz = load_half(corners, leaf, 5 * LANES + c) - az
    volume = ux * px + uy * py + uz * pz
    sx, sy, sz = ox - ax, oy - ay, oz - az
    u = sx * px + sy * py + sz * pz
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    v = dx * qx + dy * qy + dz * qz
    distance = (vx * qx + vy * qy + vz * qz) * volume
    square = volume * volume
    least = (-2.0 * EDGE_MARGIN) * square
    inside = (u * volume >= least) & (v * volume >= least) & ((u + v) * volume <= (1.0 + 2.0 * EDGE_MARGIN) * square)
    return bits(inside & (distance >= 0.0) & (distance <= (far * (1.0 + 2.0 * EDGE_MARGIN)) * square))


@njit(cache=True, inline="always")
def _enter(box, node, x0, x1, y0, y1, z0, z1, ox, oy, oz, ix, iy, iz, far, distances):
    """Mask of the children of a node whose boxes a ray enters, no farther than `far` (slab test); the distances at
    which it does are written to the end of `distances`.

    x0 and x1: first columns of the boxes' nearer and farther side along x, and so on; i: inverse direction.
    """
    near, last = (load(box, node, x0) - ox) * ix, (load(box, node, x1) - ox) * ix
    near, last = larger((load(box, node, y0) - oy) * iy, near), smaller((load(box, node, y1) - oy) * iy, last)
    near, last = larger((load(box, node, z0) - oz) * iz, near), smaller((load(box, node, z1) - oz) * iz, last)
    # Widened by more than rounding, so that a flat box is not missed.
    last = smaller(last * (1.0 + 1e-12), min(far, LARGEST))
    near = larger(near, 0.0)
    store(distances, STACK_SIZE - LANES, near)
    return bits(near <= last)


@njit_inner
def _towards(dx, dy, dz):
    """Inverse direction of a ray, and the first columns of a node's boxes' nearer sides along x, y and z."""
    ix = 1.0 / dx if dx != 0.0 else INVERSE_OF_ZERO
    iy = 1.0 / dy if dy != 0.0 else INVERSE_OF_ZERO
    iz = 1.0 / dz if dz != 0.0 else INVERSE_OF_ZERO
    x0, y0, z0 = LANES * (0 if ix > 0.0 else 3), LANES * (1 if iy > 0.0 else 4), LANES * (2 if iz > 0.0 else 5)
    return ix, iy, iz, x0, y0, z0


@njit_inner
def _may_hit_in_leaf(corners, leaf, ox, oy, oz, dx, dy, dz, far):
    """`_may_hit` of all eight triangles of a leaf; many hold no more than four."""
    met = _may_hit(corners, leaf, 0, ox, oy, oz, dx, dy, dz, far)
    if corners[leaf, HALF] == np.inf:
        return met
    return met | _may_hit(corners, leaf, HALF, ox, oy, oz, dx, dy, dz, far) << HALF


@njit_inner
def cast(box, child, corners, root, stack, enters, ox, oy, oz, dx, dy, dz, far, hit):
    """Slot and distance of the first triangle hit below a node of the tree; `hit` and `far` are the nearest hit known
    so far."""
    ix, iy, iz, x0, y0, z0 = _towards(dx, dy, dz)
    x1, y1, z1 = 3 * LANES - x0, 5 * LANES - y0, 7 * LANES - z0
    stack[0], enters[0], top = root, 0.0, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if enters[top] > far:
            continue
        if node >= 0:
            entered = _enter(box, node, x0, x1, y0, y1, z0, z1, ox, oy, oz, ix, iy, iz, far, enters)
            bottom = top
            while entered > 0:
                c = lowest_bit(entered)
                entered &= entered - 1
                top = push_sorted(stack, enters, bottom, top, child[node, c], enters[STACK_SIZE - LANES + c])
            continue
        met = _may_hit_in_leaf(corners, ~node, ox, oy, oz, dx, dy, dz, far)
        while met > 0:
            c = lowest_bit(met)
            met &= met - 1
            distance = _hit_distance(corners, ~node, c, ox, oy, oz, dx, dy, dz)
            if distance < far:
                far, hit = distance, LANES * ~node + c
    return hit, far


@njit_inner
def find_blocker(box, child, corners, below, own, root, stack, enters, ox, oy, oz, dx, dy, dz):
    """Slot of any triangle below a node of the tree that a ray hits, -1 for none. below (nodes, 8): the wall below each
    child, of which those of the ray's `own` wall are passed over."""
    ix, iy, iz, x0, y0, z0 = _towards(dx, dy, dz)
    x1, y1, z1 = 3 * LANES - x0, 5 * LANES - y0, 7 * LANES - z0
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node >= 0:
            entered = _enter(box, node, x0, x1, y0, y1, z0, z1, ox, oy, oz, ix, iy, iz, np.inf, enters)
            while entered > 0:
                c = lowest_bit(entered)
                entered &= entered - 1
                if below[node, c] != own:
                    stack[top] = child[node, c]
                    top += 1
            continue
        met = _may_hit_in_leaf(corners, ~node, ox, oy, oz, dx, dy, dz, np.inf)
        while met > 0:
            c = lowest_bit(met)
            met &= met - 1
            if _hit_distance(corners, ~node, c, ox, oy, oz, dx, dy, dz) < np.inf:
                return LANES * ~node + c
    return -1


@njit(cache=True, error_model="numpy")
def _first_hits(tree, points, directions, order, roots, side, start):
    """Slots (n,) and distances (n,) of the first hits of rays from points (n, 3), cast in the given order (n,)."""
    box, child, corners = tree.box, tree.child, tree.corners
    stack, enters = np.empty(STACK_SIZE, np.int64), np.empty(STACK_SIZE)
    hits, distances = np.full(len(points), -1, np.int32), np.full(len(points), np.nan)
    last, root = -1, -1
    for i in order:
        if roots[i] != root:
            last, root = -1, roots[i]
        dx, dy, dz = side * directions[i, 0], side * directions[i, 1], side * directions[i, 2]
        ox, oy, oz = points[i, 0] + start * dx, points[i, 1] + start * dy, points[i, 2] + start * dz
        far = np.inf
        if last >= 0:
            far = _hit_distance(corners, last // LANES, last % LANES, ox, oy, oz, dx, dy, dz)
            last = last if far < np.inf else -1
        last, far = cast(box, child, corners, root, stack, enters, ox, oy, oz, dx, dy, dz, far, last)
        if last >= 0:
            hits[i], distances[i] = last, far + start
    return hits, distances


@njit(cache=True, error_model="numpy")
def _free(tree, origins, normals, roots, rows, dx, dy, dz, min_cosine, walls, faces, cache):
    """Compiled body of `Scene.free`."""
    box, child, corners = tree.box, tree.child, tree.corners
    stack, enters = np.empty(STACK_SIZE, np.int64), np.empty(STACK_SIZE)
    answer = np.zeros(len(rows), np.bool_)
    last, root = -1, -1
    for k in range(len(rows)):
        i = rows[k]
        if cache[i] != UNKNOWN:
            answer[k] = cache[i] == FREE
            continue
        if roots[i] != root:
            last, root = -1, roots[i]
        cache[i] = BLOCKED
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        facing = dx * nx + dy * ny + dz * nz
        if facing < min_cosine:
            continue
        # A ray must not hit the wall it starts on only because that wall leans back within the tolerance.
        back = facing if facing < 0.0 else 0.0
        x, y, z = dx - back * nx, dy - back * ny, dz - back * nz
        ox, oy, oz = origins[i, 0], origins[i, 1], origins[i, 2]
        if last >= 0 and _hit_distance(corners, last // LANES, last % LANES, ox, oy, oz, x, y, z) < np.inf:
            continue
        own = own_wall(walls, faces[i], dx, dy, dz)
        hit = find_blocker(box, child, corners, walls.below, own, root, stack, enters, ox, oy, oz, x, y, z)
        if hit >= 0:
            last = hit
        else:
            answer[k] = True
            cache[i] = FREE
    return answer


@njit(cache=True, error_model="numpy")
def _free_along_normals(tree, origins, normals, rows, walls, faces):
    """Compiled body of `Scene.free_along_normals`."""
    box, child, corners = tree.box, tree.child, tree.corners
    stack, enters = np.empty(STACK_SIZE, np.int64), np.empty(STACK_SIZE)
    answer = np.zeros(len(rows), np.bool_)
    for k in range(len(rows)):
        i = rows[k]
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        ox, oy, oz = origins[i, 0], origins[i, 1], origins[i, 2]
        own = own_wall(walls, faces[i], nx, ny, nz)
        answer[k] = find_blocker(box, child, corners, walls.below, own, 0, stack, enters, ox, oy, oz, nx, ny, nz) < 0
    return answer
