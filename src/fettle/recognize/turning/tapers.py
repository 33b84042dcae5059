"""TAPER: the cones of a turned part's outside that are no chamfers."""

from __future__ import annotations

from collections.abc import Collection

from fettle.geometry.part import Cone
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.feature import Claim
from fettle.recognize.kinds.taper import TAPER, Taper
from fettle.recognize.turned_part import TurnedPart


def find_tapers(contracted: ContractedGraph, turned: TurnedPart | None, taken: Collection[int]) -> list[Claim[Taper]]:
    """Every cone of the outside that neither breaks an edge nor belongs to a groove, by growing z."""
    found = []
    for segment in turned.outside if turned is not None else ():
        free = [number for number in segment.regions if number not in taken and number not in contracted.bridges]
        if not free or not isinstance(segment.surface, Cone):
            continue
        taper = Taper(
            faces=contracted.graph.faces_of(free),
            confidence=contracted.confidence,
            large_diameter_mm=2 * segment.outer_mm,
            small_diameter_mm=2 * segment.inner_mm,
            length_mm=segment.high_mm - segment.low_mm,
            angle_deg=2 * segment.surface.half_angle_deg,
            z_mm=segment.low_mm,
        )
        found.append(Claim(taper, dict.fromkeys(free, TAPER)))
    return found
