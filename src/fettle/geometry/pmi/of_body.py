"""What a file says about the accuracy of one of its bodies: what is on faces of that body alone, numbered anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fettle.geometry.pmi.records import Place, Pmi


def pmi_of_body(pmi: Pmi, new_face: Mapping[int, int]) -> Pmi | None:
    """`new_face`: the body's numbers of its faces by those of the file. Notes without a face hold for every body; None
    where nothing is left. What goes from one body to another belongs to neither."""

    def of_body(place: Place) -> bool:
        return bool(place.faces) and all(face in new_face for face in place.faces)

    def moved(place: Place) -> Place:
        sides = tuple(tuple(new_face[face] for face in side if face in new_face) for side in place.sides)
        return Place(tuple(new_face[face] for face in place.faces), sides, place.direct)

    datums = tuple(
        replace(
            one,
            place=moved(one.place),
            targets=tuple(
                replace(target, place=moved(target.place)) for target in one.targets if of_body(target.place)
            ),
        )
        for one in pmi.datums
        if of_body(one.place)
    )
    found = Pmi(
        dimensions=tuple(replace(one, place=moved(one.place)) for one in pmi.dimensions if of_body(one.place)),
        tolerances=tuple(replace(one, place=moved(one.place)) for one in pmi.tolerances if of_body(one.place)),
        datums=datums,
        notes=tuple(
            replace(one, place=moved(one.place)) for one in pmi.notes if not one.place.faces or of_body(one.place)
        ),
    )
    return None if found == Pmi() else found
