"""PROTRUSION: what stands inside a concave ring of a flat base."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression_measures import plan_of, sharp_ring
from fettle.recognize.extents import boundary_points
from fettle.recognize.feature import Claim, claimed_regions
from fettle.recognize.graph import Ring, rings
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.protrusion import PROTRUSION_TOP, PROTRUSION_WALL, Protrusion
from fettle.recognize.outlines import fine_runs
from fettle.recognize.rectangle import rectangle

MAX_OVERHANG = 2.0
"""How far a protrusion may spread beyond its foot, in sizes of the foot."""


def find_protrusions(
    contracted: ContractedGraph, holes: Sequence[Claim[Hole]], taken: Collection[int]
) -> list[Claim[Protrusion]]:
    """What stands inside a concave ring of a flat base and is not taken as a whole."""
    found = []
    bored = claimed_regions(holes)
    for base in contracted.graph.regions:
        if not isinstance(base.surface, Plane):
            continue
        standing = contracted.islands.get(base.number, frozenset())
        if not standing:
            continue
        for ring in rings(contracted.graph, base.number):
            if not standing.issuperset(ring.edges):
                continue
            if not any(link.edge in ring.edges and link.other not in taken for link in contracted.links[base.number]):
                continue  # the foot of a boss or the inner wall of a ring groove
            inside = standing_in(contracted, base.number, set(ring.edges), bored)
            free = [number for number in inside if number not in taken]
            if not free:
                continue
            up = base.surface.normal
            foot = float(base.surface.origin @ up)
            points = boundary_points(contracted.graph, inside)
            if _reach(points, ring, up) > MAX_OVERHANG * _reach(ring.points, ring, up):
                continue  # the part itself, on a foot
            height = float((points @ up).max()) - foot
            runs, plan = fine_runs(contracted.graph.part, ring), plan_of(contracted.graph, base.number)
            length, width = rectangle(sharp_ring(contracted, base.number, ring, runs, plan))
            feet = {
                link.via for link in contracted.links[base.number] if link.edge in ring.edges and link.via is not None
            }
            roles = {
                number: PROTRUSION_TOP if float(contracted.graph.regions[number].normal @ up) > 0.9 else PROTRUSION_WALL
                for number in free
            }
            feature = Protrusion(
                faces=contracted.graph.faces_of([*inside, *feet]),
                confidence=contracted.confidence,
                height_mm=height,
                width_mm=width,
                length_mm=length,
                base_face=base.face,
            )
            found.append(Claim(feature, roles))
    return found


def _reach(points: NDArray[np.float64], ring: Ring, up: Vector) -> float:
    """How far points lie from the middle of a ring, seen along a direction."""
    offset = points - ring.points.mean(axis=0)
    return float(np.linalg.norm(offset - (offset @ up)[:, None] * up, axis=1).max())


def standing_in(contracted: ContractedGraph, base: int, ring: Collection[int], barrier: Collection[int]) -> list[int]:
    """Regions inside a ring of the base; empty when the flood runs out of it (a handle, not a protrusion).

    `barrier`: regions that the flood does not cross, those of holes.
    """
    start = [
        link.other
        for link in contracted.links[base]
        if link.edge in ring and link.other >= 0 and link.other not in barrier
    ]
    seen = set(start)
    queue = list(start)
    while queue:
        number = queue.pop()
        for link in contracted.links[number]:
            if link.other < 0 or link.other in seen or link.other in barrier:
                continue
            if link.other == base:
                if link.edge not in ring and link.via is None:
                    return []
                continue
            seen.add(link.other)
            queue.append(link.other)
    return sorted(seen)
