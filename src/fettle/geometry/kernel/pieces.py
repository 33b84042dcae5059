"""Triangulations of single faces, unwelded: what the kernel's mesher and ours both make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Borders:
    """Where the edges of the shape run on the mesh: b uses of an edge by a face, a seam being used twice by its face.

    edge (b,) int32: number in the order of TopExp.MapShapes(shape, EDGE), counted from 0; face (b,) int32;
    reversed (b,) bool: the boundary of the face, as the kernel orients it, runs against the edge's own curve;
    start (b + 1,) int32: use i owns `rows[start[i]:start[i + 1]]`, rows of `Mesh.points` in the direction of the
    edge's own curve (not of the face's use of it).
    """

    edge: NDArray[np.int32]
    face: NDArray[np.int32]
    reversed: NDArray[np.bool_]
    start: NDArray[np.int32]
    rows: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.edge)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The triangulations of faces one after the other, unwelded; rows and triangles as in `Mesh`, outwards.

    degenerated (b,): the border is of an edge that is only a point; reversed_faces (faces,): as in `Tessellation`, of
    all faces, also of those that have no triangles here.
    """

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    point_face: NDArray[np.int32]
    triangles: NDArray[np.int32]
    triangle_face: NDArray[np.int32]
    borders: Borders
    degenerated: NDArray[np.bool_]
    reversed_faces: NDArray[np.bool_]


def join_pieces(one: Pieces, two: Pieces) -> Pieces:
    """Those of both, of different faces, in the order of the faces."""
    point_face = np.concatenate([one.point_face, two.point_face])
    order = np.argsort(point_face, kind="stable")
    row = np.empty(len(order), np.int32)
    row[order] = np.arange(len(order), dtype=np.int32)
    shift = np.int32(len(one.points))
    triangle_face = np.concatenate([one.triangle_face, two.triangle_face])
    by_face = np.argsort(triangle_face, kind="stable")
    triangles = row[np.concatenate([one.triangles, two.triangles + shift])[by_face]]
    reversed_faces = one.reversed_faces.copy()
    reversed_faces[two.point_face] = two.reversed_faces[two.point_face]
    borders, use_order = _join_borders(one.borders, two.borders, row, shift)
    return Pieces(
        points=np.concatenate([one.points, two.points])[order],
        normals=np.concatenate([one.normals, two.normals])[order],
        point_face=point_face[order],
        triangles=triangles,
        triangle_face=triangle_face[by_face],
        borders=borders,
        degenerated=np.concatenate([one.degenerated, two.degenerated])[use_order],
        reversed_faces=reversed_faces,
    )


def _join_borders(
    one: Borders, two: Borders, row: NDArray[np.int32], shift: np.int32
) -> tuple[Borders, NDArray[np.int64]]:
    """The uses of both in the order of their faces, and which of them each is; `row`: the new number of each row."""
    face = np.concatenate([one.face, two.face])
    order = np.argsort(face, kind="stable")
    rows = np.concatenate([one.rows, two.rows + shift])
    sizes = np.concatenate([np.diff(one.start), np.diff(two.start)])
    first = (np.cumsum(sizes) - sizes)[order]
    start = np.concatenate(([0], np.cumsum(sizes[order])))
    taken = np.repeat(first - start[:-1], sizes[order]) + np.arange(len(rows))
    return Borders(
        edge=np.concatenate([one.edge, two.edge])[order],
        face=face[order],
        reversed=np.concatenate([one.reversed, two.reversed])[order],
        start=start.astype(np.int32),
        rows=row[rows[taken]],
    ), order
