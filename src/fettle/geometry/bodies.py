"""Bodies of a file as parts of their own: the same faces, edges and triangles, numbered anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import CoarsePlanes, Mesh
from fettle.geometry.meshing.counting_sort import sort_by
from fettle.geometry.model import Model
from fettle.geometry.part import Edge, Face, Loop, Part, Shell
from fettle.geometry.pmi.of_body import pmi_of_body


@dataclass(frozen=True, slots=True, eq=False)
class BodyModel:
    """One body of a file. `faces`: the file's numbers of its faces, in the order of `model.part.faces`."""

    number: int
    faces: tuple[int, ...]
    model: Model

    @property
    def part(self) -> Part:
        return self.model.part


def split_bodies(model: Model) -> tuple[BodyModel, ...]:
    """Every body as a part of its own, in the file's order and place; exact surfaces and triangles are those of the
    file."""
    part = model.part
    faces: list[list[int]] = [[] for _ in part.bodies]
    for number, face in enumerate(part.faces):
        faces[face.body].append(number)
    edges: list[list[int]] = [[] for _ in part.bodies]
    for number, edge in enumerate(part.edges):
        edges[part.faces[edge.faces[0]].body].append(number)
    rows, triangles = _rows_by_body(model.mesh, faces)
    return tuple(
        BodyModel(
            number,
            tuple(faces[number]),
            replace(
                model,
                part=_body_part(part, number, faces[number], edges[number]),
                mesh=_body_mesh(model.mesh, faces[number], rows[number], triangles[number]),
            ),
        )
        for number in range(len(part.bodies))
    )


def _body_part(part: Part, number: int, faces: list[int], edges: list[int]) -> Part:
    body = part.bodies[number]
    shells = (body.outer_shell, *body.void_shells)
    new_face = {old: new for new, old in enumerate(faces)}
    new_edge = {old: new for new, old in enumerate(edges)}
    new_shell = {old: new for new, old in enumerate(shells)}
    vertices = {vertex for edge in edges for vertex in part.edges[edge].vertices}
    new_vertex = {old: new for new, old in enumerate(sorted(vertices))}
    return Part(
        faces=tuple(_renumber_face(part.faces[face], new_edge, new_shell) for face in faces),
        edges=tuple(_renumber_edge(part.edges[edge], new_face, new_vertex) for edge in edges),
        shells=tuple(
            Shell(tuple(new_face[face] for face in part.shells[shell].faces), *_measured(part.shells[shell]))
            for shell in shells
        ),
        bodies=(replace(body, outer_shell=0, void_shells=tuple(range(1, len(shells)))),),
        volume_mm3=body.volume_mm3,
        area_mm2=body.area_mm2,
        box=body.box,
        watertight=all(part.shells[shell].closed for shell in shells),
        source=replace(part.source, warnings=()),
        pmi=None if part.pmi is None else pmi_of_body(part.pmi, new_face),
    )


def _measured(shell: Shell) -> tuple[bool, float]:
    return shell.closed, shell.volume_mm3


def _renumber_face(face: Face, new_edge: dict[int, int], new_shell: dict[int, int]) -> Face:
    loops = tuple(Loop(tuple(new_edge[edge] for edge in loop.edges), loop.reversed, loop.outer) for loop in face.loops)
    # a shell that encloses nothing (volume 0) belongs to no list of its body; its faces go with the outside
    return replace(face, loops=loops, shell=new_shell.get(face.shell, 0), body=0)


def _renumber_edge(edge: Edge, new_face: dict[int, int], new_vertex: dict[int, int]) -> Edge:
    one, two = edge.faces
    first, last = edge.vertices
    # field by field: `replace` asks for each of them, and a file has thousands of edges
    return Edge(
        faces=(new_face[one], new_face[two] if two >= 0 else -1),
        convexity=edge.convexity,
        angle_deg=edge.angle_deg,
        angle_range_deg=edge.angle_range_deg,
        length_mm=edge.length_mm,
        curve=edge.curve,
        vertices=(new_vertex[first], new_vertex[last]),
        points=edge.points,
    )


def _rows_by_body(mesh: Mesh, faces: list[list[int]]) -> tuple[list[NDArray[np.intp]], list[NDArray[np.intp]]]:
    """Rows of points and of triangles of each body, in the mesh's order."""
    face_body = np.empty(sum(map(len, faces)), np.uint32)
    for body, members in enumerate(faces):
        face_body[members] = body
    return _grouped(face_body[mesh.point_face], len(faces)), _grouped(face_body[mesh.triangle_face], len(faces))


def _grouped(body: NDArray[np.uint32], count: int) -> list[NDArray[np.intp]]:
    order = sort_by(np.arange(len(body)), body, count)
    return np.split(order, np.cumsum(np.bincount(body, minlength=count))[:-1])


def _body_mesh(mesh: Mesh, faces: list[int], rows: NDArray[np.intp], triangles: NDArray[np.intp]) -> Mesh:
    new_face = np.full(max(faces) + 1, -1, np.int32)
    new_face[faces] = np.arange(len(faces), dtype=np.int32)
    chosen = _select(mesh, rows, triangles)
    return replace(
        chosen, point_face=new_face[chosen.point_face], triangle_face=new_face[chosen.triangle_face], coarse_planes=None
    )


def select_faces(mesh: Mesh, chosen: NDArray[np.bool_]) -> Mesh:
    """The points and triangles of some faces, by a mask (faces,); faces keep their numbers."""
    return _select(mesh, np.flatnonzero(chosen[mesh.point_face]), np.flatnonzero(chosen[mesh.triangle_face]))


def _select(mesh: Mesh, rows: NDArray[np.intp], triangles: NDArray[np.intp]) -> Mesh:
    new_row = np.full(len(mesh.points), -1, np.int32)
    new_row[rows] = np.arange(len(rows), dtype=np.int32)
    chosen = mesh.vertex.take(rows)
    is_kept = np.zeros(int(mesh.vertex.max(initial=-1)) + 1, np.bool_)
    is_kept[chosen] = True
    new_vertex = np.cumsum(is_kept, dtype=np.int32) - np.int32(1)
    coarse = mesh.coarse_planes
    if coarse is not None:
        kept = new_row[coarse.triangles[:, 0]] >= 0
        coarse = CoarsePlanes(new_row[coarse.triangles[kept]], coarse.face[kept])
    return Mesh(
        # `take` gathers rows several times as fast as indexing
        points=mesh.points.take(rows, axis=0),
        normals=mesh.normals.take(rows, axis=0),
        point_face=mesh.point_face.take(rows),
        vertex=new_vertex.take(chosen),
        triangles=new_row.take(mesh.triangles.take(triangles, axis=0)),
        triangle_face=mesh.triangle_face.take(triangles),
        max_edge_mm=mesh.max_edge_mm,
        curvature=mesh.curvature,
        coarse_planes=coarse,
    )


def join_meshes(pieces: Sequence[tuple[NDArray[np.int32], Mesh]], max_edge_mm: float) -> Mesh:
    """Meshes of bodies as one, one after the other, each with the file's numbers of its faces (faces,)."""
    faces, meshes = zip(*pieces, strict=True)
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])[:-1].astype(np.int32)
    vertices = np.cumsum([0, *(int(mesh.vertex.max(initial=-1)) + 1 for mesh in meshes)])[:-1].astype(np.int32)
    coarse = [
        (own[mesh.coarse_planes.face], mesh.coarse_planes.triangles + start)
        for own, mesh, start in zip(faces, meshes, starts, strict=True)
        if mesh.coarse_planes is not None
    ]
    return Mesh(
        points=np.concatenate([mesh.points for mesh in meshes]),
        normals=np.concatenate([mesh.normals for mesh in meshes]),
        point_face=np.concatenate([own[mesh.point_face] for own, mesh in pieces]),
        vertex=np.concatenate([mesh.vertex + first for mesh, first in zip(meshes, vertices, strict=True)]),
        triangles=np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, starts, strict=True)]),
        triangle_face=np.concatenate([own[mesh.triangle_face] for own, mesh in pieces]),
        max_edge_mm=max_edge_mm,
        curvature=meshes[0].curvature,
        coarse_planes=CoarsePlanes(
            np.concatenate([triangles for _, triangles in coarse]), np.concatenate([face for face, _ in coarse])
        )
        if coarse
        else None,
    )
