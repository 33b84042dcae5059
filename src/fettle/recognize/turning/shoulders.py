"""SHOULDER: the flat rings and end faces of a turned part's outside."""

from __future__ import annotations

from collections.abc import Collection

from fettle.geometry.part import Plane
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.feature import Claim
from fettle.recognize.kinds.shoulder import SHOULDER, Shoulder
from fettle.recognize.tolerances import LOOSE_LENGTH_MM
from fettle.recognize.turned_part import TurnedPart


def find_shoulders(
    contracted: ContractedGraph, turned: TurnedPart | None, taken: Collection[int]
) -> list[Claim[Shoulder]]:
    """Every flat ring of the outside that no other feature has taken, by growing z."""
    found = []
    for segment in turned.outside if turned is not None else ():
        free = [number for number in segment.regions if number not in taken]
        if turned is None or not free or not isinstance(segment.surface, Plane):
            continue
        z = segment.start[0]
        shoulder = Shoulder(
            faces=contracted.graph.faces_of(free),
            confidence=contracted.confidence,
            outer_diameter_mm=2 * segment.outer_mm,
            inner_diameter_mm=2 * segment.inner_mm,
            z_mm=z,
            end=min(z, turned.length_mm - z) < LOOSE_LENGTH_MM,
        )
        found.append(Claim(shoulder, dict.fromkeys(free, SHOULDER)))
    return found
