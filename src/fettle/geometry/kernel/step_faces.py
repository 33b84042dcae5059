"""Faces of a part by the instances of the STEP file that they came from."""

from __future__ import annotations

from collections.abc import Sequence

from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.ShapeBuild import ShapeBuild_ReShape
from OCP.STEPConstruct import STEPConstruct
from OCP.STEPControl import STEPControl_Reader
from OCP.StepRepr import StepRepr_RepresentationItem
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape

from fettle.geometry.kernel.faces_below import FacesBelow
from fettle.geometry.kernel.topology import map_of
from fettle.geometry.part import Face

_EDGE = int(TopAbs_EDGE)


class StepFaces:
    """Looks up what the transfer made of an instance among the faces of a shape.

    `order`: position of every instance in the file, counted from 0: the kernel numbers them alike, from 1. Where it
    counts otherwise, `usable` is False and no face is found. `changes`: what became of the transferred faces since.
    `face_count`: faces of the shape. `read`: they as faces of a part, where these are as many.
    """

    def __init__(
        self,
        reader: STEPControl_Reader,
        changes: ShapeBuild_ReShape | None,
        shape: TopoDS_Shape,
        read: Sequence[Face],
        order: dict[int, int],
    ) -> None:
        self._model = reader.StepModel()
        self._process = reader.WS().TransferReader().TransientProcess()
        self._changes = changes
        self.usable = bool(self._model.NbEntities() == len(order))
        self._order = order if self.usable else {}
        faces = map_of(shape, TopAbs_FACE)
        self._shape_faces = [faces.FindKey(number) for number in range(1, faces.Extent() + 1)]
        self.face_count = len(self._shape_faces)
        self._unplaced = ShapeMap()
        self._numbers: list[list[int]] = []
        for number, face in enumerate(self._shape_faces):
            self._add(self._unplaced, self._numbers, face, number)
        # what is no part of a solid is known where its part was modelled, not where an assembly puts it
        self._placed = any(not face.Location().IsIdentity() for face in self._shape_faces)
        self._below = FacesBelow(self._shape_faces, read)
        self._found: dict[int, tuple[tuple[int, ...], bool]] = {}
        self._edges: ShapeMap | None = None
        self._edge_faces: list[list[int]] = []

    def __call__(self, instance: int) -> tuple[tuple[int, ...], bool]:
        """`faces_of` an instance; several requirements name the same ones."""
        found = self._found.get(instance)
        if found is None:
            found = self._found[instance] = self.faces_of(instance)
        return found

    def faces_of(self, instance: int) -> tuple[tuple[int, ...], bool]:
        """Faces that came from a face, shell or solid. For an edge the faces beside it, for any other point, curve or
        surface those that it lies on, and False. Several faces where an assembly uses the part several times."""
        position = self._order.get(instance)
        entity = self._model.Value(position + 1) if position is not None else None
        if not isinstance(entity, StepRepr_RepresentationItem):
            return (), True
        shape = STEPConstruct.FindShape_s(self._process, entity)
        if shape is None or shape.IsNull():
            return (), True
        if self._changes is not None:
            shape = self._changes.Apply(shape)
        found = map_of(shape, TopAbs_FACE)
        numbers: set[int] = set()
        for index in range(1, found.Extent() + 1):
            numbers.update(self._look_up(self._unplaced, self._numbers, found.FindKey(index)))
        if numbers:
            return tuple(sorted(numbers)), True
        if int(shape.ShapeType()) == _EDGE:
            numbers.update(self._beside(shape))
        if not numbers and not self._placed:
            numbers.update(self._below(shape))
        return tuple(sorted(numbers)), False

    def _beside(self, edge: TopoDS_Shape) -> tuple[int, ...]:
        if self._edges is None:
            self._edges = ShapeMap()
            for number, face in enumerate(self._shape_faces):
                edges = map_of(face, TopAbs_EDGE)
                for index in range(1, edges.Extent() + 1):
                    self._add(self._edges, self._edge_faces, edges.FindKey(index), number)
        return tuple(sorted(self._look_up(self._edges, self._edge_faces, edge)))

    @staticmethod
    def _add(shapes: ShapeMap, numbers: list[list[int]], shape: TopoDS_Shape, number: int) -> None:
        # an instance is known where its part was modelled, a face of the shape where its assembly put it
        index = shapes.Add(shape.Located(TopLoc_Location()))
        if index > len(numbers):
            numbers.append([])
        numbers[index - 1].append(number)

    @staticmethod
    def _look_up(shapes: ShapeMap, numbers: list[list[int]], shape: TopoDS_Shape) -> list[int]:
        index = shapes.FindIndex(shape.Located(TopLoc_Location()))
        return numbers[index - 1] if index else []
