"""Who bounds whom: numbers for faces, edges, vertices, shells and bodies of a kernel shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from OCP.BRep import BRep_Tool
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.TopAbs import (
    TopAbs_EDGE,
    TopAbs_FACE,
    TopAbs_REVERSED,
    TopAbs_ShapeEnum,
    TopAbs_SHELL,
    TopAbs_SOLID,
    TopAbs_VERTEX,
    TopAbs_WIRE,
)
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Iterator, TopoDS_Shape, TopoDS_Vertex

from fettle.geometry.kernel.arrays import check_layout, orientations

_REVERSED = int(TopAbs_REVERSED)
"""Above it are the kernel's internal and external edges, which bound nothing."""


class Use(NamedTuple):
    """An edge as a face uses it: `reversed` when the face's boundary, as the kernel orients it, runs against it."""

    number: int
    reversed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Topology:
    """Faces are numbered in the kernel's own map order; edges too, degenerated ones left out (their slot is None).

    `reversed_faces[f]`: the kernel turns face f against its surface. `wires[f]`: for each wire of face f its uses in
    file order; `seams[f]`: edges used twice by it. `tips[f]`: its degenerated edges, number and shape.
    `uses[e]`: (face, use) pairs of edge e.
    `edge_vertices[e]`: vertex numbers at the edge's own first and last parameter.
    `shells[s]`: face numbers; `bodies[b]`: shell numbers.
    """

    faces: list[TopoDS_Face]
    reversed_faces: list[bool]
    edges: list[TopoDS_Edge | None]
    edge_vertices: list[tuple[int, int]]
    wires: list[list[list[Use]]]
    seams: list[set[int]]
    tips: list[list[tuple[int, TopoDS_Edge]]]
    uses: list[list[tuple[int, Use]]]
    shells: list[list[int]]
    bodies: list[list[int]]
    face_shell: list[int]
    face_body: list[int]


class KeptFaces:
    """Faces (faces,) of a numbered shape that are in another one as they were, with the same edges."""

    def __init__(self, before: Topology, kept: Sequence[bool]) -> None:
        self._before = before
        self._kept = kept
        self._faces = ShapeMap()
        for face in before.faces:
            self._faces.Add(face)
        self._numbers: dict[int, int] = {}

    def number_of(self, face: TopoDS_Face) -> int:
        """Number that such a face had, -1 for another face."""
        old: int = self._faces.FindIndex(face) - 1
        return old if old >= 0 and self._kept[old] else -1

    def wires_of(self, face: TopoDS_Face, turned: bool, edge_map: ShapeMap) -> list[list[Use]] | None:
        """The wires of such a face in the numbers of the other shape's edges; None for another face."""
        old = self.number_of(face)
        before = self._before
        if old < 0 or before.tips[old] or before.reversed_faces[old] != turned:
            return None
        numbers = self._numbers
        for use in chain.from_iterable(before.wires[old]):
            if use.number not in numbers:
                numbers[use.number] = edge_map.FindIndex(before.edges[use.number]) - 1
        return [[Use(numbers[use.number], use.reversed) for use in wire] for wire in before.wires[old]]


def number(shape: TopoDS_Shape, kept: KeptFaces | None = None) -> Topology:
    """Number everything in a compound of solids; `kept`: faces of it that are known from another."""
    check_layout()  # before anything of a shape is read through it
    face_map, edge_map, vertex_map = (map_of(shape, kind) for kind in (TopAbs_FACE, TopAbs_EDGE, TopAbs_VERTEX))
    faces = [TopoDS.Face(face_map.FindKey(index)) for index in range(1, face_map.Extent() + 1)]
    edges: list[TopoDS_Edge | None] = []
    edge_vertices = []
    first, last = TopoDS_Vertex(), TopoDS_Vertex()
    for index in range(1, edge_map.Extent() + 1):
        edge = TopoDS.Edge(edge_map.FindKey(index))
        edges.append(None if BRep_Tool.Degenerated_s(edge) else edge)
        TopExp.Vertices_s(edge, first, last)
        edge_vertices.append((vertex_map.FindIndex(first) - 1, vertex_map.FindIndex(last) - 1))
    wires: list[list[list[Use]]] = []
    seams: list[set[int]] = []
    tips: list[list[tuple[int, TopoDS_Edge]]] = []
    uses: list[list[tuple[int, Use]]] = [[] for _ in edges]
    turned = (orientations(faces) == _REVERSED).tolist()
    known = [
        kept.wires_of(face, is_turned, edge_map) if kept else None
        for face, is_turned in zip(faces, turned, strict=True)
    ]
    listed = _list_wires([face for face, one in zip(faces, known, strict=True) if not one], edge_map, edges)
    for face_number, of_face in enumerate(known):
        face_wires, face_tips = (of_face, []) if of_face else next(listed)
        wires.append(face_wires)
        tips.append(face_tips)
        seen: set[int] = set()
        twice: set[int] = set()
        for use in chain.from_iterable(wires[-1]):
            uses[use.number].append((face_number, use))
            (twice if use.number in seen else seen).add(use.number)
        seams.append(twice)
    shells, bodies = _shells(shape, face_map)
    face_shell, face_body = [-1] * len(faces), [-1] * len(faces)
    for body, members in enumerate(bodies):
        for shell in members:
            for face_number in shells[shell]:
                face_shell[face_number], face_body[face_number] = shell, body
    return Topology(
        faces, turned, edges, edge_vertices, wires, seams, tips, uses, shells, bodies, face_shell, face_body
    )


def open_edge_count(topology: Topology) -> int:
    """Edges that bound one face only."""
    return sum(
        1 for edge, uses in zip(topology.edges, topology.uses, strict=True) if edge is not None and len(uses) == 1
    )


def shares_faces(topology: Topology) -> bool:
    """Whether a face belongs to two shells (touching solids that share it in the file)."""
    return sum(len(members) for members in topology.shells) > len(topology.faces)


def map_of(shape: TopoDS_Shape, kind: object) -> ShapeMap:
    """Sub-shapes of a kind in the kernel's order; two instances at different places are two entries."""
    shapes = ShapeMap()
    TopExp.MapShapes_s(shape, kind, shapes)
    return shapes


def faces_of(shape: TopoDS_Shape) -> list[TopoDS_Face]:
    """In the kernel's order."""
    faces = map_of(shape, TopAbs_FACE)
    return [TopoDS.Face(faces.FindKey(index)) for index in range(1, faces.Extent() + 1)]


def _list_wires(
    faces: list[TopoDS_Face], edge_map: ShapeMap, edges: list[TopoDS_Edge | None]
) -> Iterator[tuple[list[list[Use]], list[tuple[int, TopoDS_Edge]]]]:
    """Of each face its wires, and its degenerated edges."""
    members = [[children(wire, None) for wire in children(face, TopAbs_WIRE)] for face in faces]
    turns = iter(orientations([edge for of_face in members for wire in of_face for edge in wire]).tolist())
    for of_face in members:
        tips: list[tuple[int, TopoDS_Edge]] = []
        yield [_uses(wire, turns, edge_map, edges, tips) for wire in of_face], tips


def _uses(
    wire: list[TopoDS_Shape],
    turns: Iterator[int],
    edge_map: ShapeMap,
    edges: list[TopoDS_Edge | None],
    tips: list[tuple[int, TopoDS_Edge]],
) -> list[Use]:
    """Uses of a wire's edges, whose orientations come next; degenerated ones are added to `tips`."""
    uses = []
    for child in wire:
        edge_number, turn = edge_map.FindIndex(child) - 1, next(turns)
        if edges[edge_number] is None:
            tips.append((edge_number, TopoDS.Edge(child)))
        elif turn <= _REVERSED:
            uses.append(Use(edge_number, turn == _REVERSED))
    return uses


def _shells(shape: TopoDS_Shape, face_map: ShapeMap) -> tuple[list[list[int]], list[list[int]]]:
    shells: list[list[int]] = []
    bodies: list[list[int]] = []
    for solid in children(shape, TopAbs_SOLID):
        members = []
        for shell in children(solid, TopAbs_SHELL):
            members.append(len(shells))
            shells.append([face_map.FindIndex(face) - 1 for face in children(shell, None)])
        bodies.append(members)
    return shells, bodies


def children(shape: TopoDS_Shape, kind: TopAbs_ShapeEnum | None) -> list[TopoDS_Shape]:
    """Direct children of a kind (None: of any), with their orientation and place in `shape`."""
    # the iterator is stepped by hand: a Python `for` over it costs a third of a millisecond each time
    children = []
    iterator = TopoDS_Iterator(shape)
    value, step = iterator.Value, iterator.Next
    for _ in range(shape.NbChildren()):
        children.append(value())
        step()
    if kind is None:
        return children
    wanted = int(kind)
    return [child for child in children if int(child.ShapeType()) == wanted]
