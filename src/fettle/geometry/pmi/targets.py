"""Which faces an aspect of the shape stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fettle.geometry.pmi.part21 import Instance, Ref, StepFile, refs_in
from fettle.geometry.pmi.records import Place

FacesOf = Callable[[int], tuple[tuple[int, ...], bool]]
"""Faces of an instance of the file (a face, a shell, an edge, a point), and whether it is made of faces itself."""

_USAGES = ("GEOMETRIC_ITEM_SPECIFIC_USAGE", "ITEM_IDENTIFIED_REPRESENTATION_USAGE")
_RELATIONSHIPS = (
    "SHAPE_ASPECT_RELATIONSHIP",
    "SHAPE_ASPECT_DERIVING_RELATIONSHIP",
    "COMPONENT_PATH_SHAPE_ASPECT_RELATIONSHIP",
)
_TARGET_FEATURES = "FEATURE_FOR_DATUM_TARGET_RELATIONSHIP"


class Aspects:
    """Aspects of the shape with their members and the geometry that the file attaches to them.

    A composite aspect (all around, a pattern of holes, a center plane) is related to its members; a datum feature is
    related to its datum in the same way, so relationships to datums are left out. `features_of_target`: aspects of the
    faces that a datum target lies on.
    """

    def __init__(self, file: StepFile, faces_of: FacesOf) -> None:
        self._file = file
        self._faces_of = faces_of
        self._members: dict[int, list[int]] = {}
        self._items: dict[int, list[int]] = {}
        self.features_of_target: dict[int, list[int]] = {}
        datums = {datum.number for datum in file.of_type("DATUM", "COMMON_DATUM")}
        self.datum_of: dict[int, list[int]] = {}
        for relationship in file.of_type(*_RELATIONSHIPS):
            relating, related = _ends(relationship, _RELATIONSHIPS)
            (self.datum_of if related in datums else self._members).setdefault(relating, []).append(related)
        for relationship in file.of_type(_TARGET_FEATURES):
            relating, related = _ends(relationship, (_TARGET_FEATURES,))
            self.features_of_target.setdefault(related, []).append(relating)
        for usage in file.of_type(*_USAGES):
            values = next(usage.parts[one] for one in _USAGES if one in usage.parts)
            if len(values) == 5 and isinstance(values[2], Ref):
                self._items.setdefault(int(values[2]), []).extend(refs_in(values[4]))

    def types(self, aspect: int) -> set[str]:
        """Types of the aspect and of its members."""
        return {part for one in self._closure((aspect,)) if self._file.has(one) for part in self._file[one].parts}

    def place(self, aspects: Iterable[int], sides: tuple[tuple[int, ...], ...] = ()) -> Place:
        """Faces of the aspects and of their members; `sides` as `Place` has them."""
        faces: set[int] = set()
        direct = True
        for aspect in self._closure(aspects):
            for item in dict.fromkeys(self._items.get(aspect, ())):
                found, made_of_faces = self._faces_of(item)
                faces.update(found)
                direct = direct and made_of_faces
        return Place(tuple(sorted(faces)), sides, direct)

    def _closure(self, aspects: Iterable[int]) -> list[int]:
        """The aspects and all their members, each once: members may be related in a circle."""
        seen: dict[int, None] = {}
        waiting = list(aspects)[::-1]
        while waiting:
            aspect = waiting.pop()
            if aspect not in seen:
                seen[aspect] = None
                waiting.extend(reversed(self._members.get(aspect, ())))
        return list(seen)


def _ends(relationship: Instance, types: tuple[str, ...]) -> tuple[int, int]:
    """Numbers of the relating and of the related aspect; 0 for one that is not given."""
    values = next((relationship.parts[one] for one in types if len(relationship.parts.get(one, ())) >= 4), [])
    ends = [int(value) if isinstance(value, Ref) else 0 for value in values[2:4]]
    return (ends[0], ends[1]) if len(ends) == 2 else (0, 0)
