"""Split walls: pieces of one surface that a later cut has parted, with nothing but void between them.

Where a hole runs through the wall of a pocket, or one slot across another, the wall is left in pieces. The pieces lie
on one surface, border on the same cut, and the line from one to the other, just behind the surface, meets nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from fettle.geometry.part import Convexity, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.graph import norm, on_one_surface
from fettle.recognize.outlines import FlatBoxes, flat_boxes, segment_hits_flat
from fettle.recognize.tolerances import ZERO

BEHIND = 1e-4
"""How far behind the surface the line runs, as a share of the part's diagonal."""


def find_split_walls(
    contracted: ContractedGraph, cuts: Iterable[Collection[int]], taken: Collection[int]
) -> dict[int, list[int]]:
    """For flat regions not taken, the other pieces of the same wall. `cuts`: what may have parted it."""
    flats: FlatBoxes | None = None
    pieces: dict[int, list[int]] = {}
    middles: dict[int, Vector] = {}
    for cut in cuts:
        beside = _severable(contracted, cut, taken)
        for group in _by_surface(contracted, beside):
            breaks = {number: _break_points(contracted, number, cut, middles) for number in group}
            for index, one in enumerate(group):
                for two in group[index + 1 :]:
                    if two in pieces.get(one, ()):
                        continue
                    flats = flats if flats is not None else flat_boxes(contracted.graph)
                    if _void_between(contracted, flats, contracted.graph.regions[one].normal, breaks[one], breaks[two]):
                        pieces.setdefault(one, []).append(two)
                        pieces.setdefault(two, []).append(one)
    return pieces


def _severable(contracted: ContractedGraph, cut: Collection[int], taken: Collection[int]) -> list[int]:
    """Flat regions that break off at the cut."""
    return sorted(
        {
            link.other
            for number in cut
            for link in contracted.links[number]
            if link.sign is Convexity.CONVEX
            and link.other >= 0
            and link.other not in cut
            and link.other not in taken
            and isinstance(contracted.graph.regions[link.other].surface, Plane)
        }
    )


def _by_surface(contracted: ContractedGraph, numbers: Sequence[int]) -> list[list[int]]:
    """Regions of one surface together, single ones left out."""
    groups: list[list[int]] = []
    for number in numbers:
        region = contracted.graph.regions[number]
        for group in groups:
            first = contracted.graph.regions[group[0]]
            if first.body == region.body and on_one_surface(contracted.graph, group[0], number):
                group.append(number)
                break
        else:
            groups.append([number])
    return [group for group in groups if len(group) > 1]


def _void_between(contracted: ContractedGraph, flats: FlatBoxes, normal: Vector, first: Vector, second: Vector) -> bool:
    """Whether a line between two pieces, a hair behind their surface, stays in the void that the cut has left.

    `first`, `second`: points at which they break off, shape (k, 3).
    """
    start, end = _nearest(first, second)
    behind = -normal * BEHIND * contracted.graph.part.diagonal_mm
    span = end - start
    length = norm(span)
    if length < ZERO:
        return True
    margin = span * (2 * BEHIND * contracted.graph.part.diagonal_mm / length)
    if 2 * norm(margin) >= length:
        return True
    return not segment_hits_flat(contracted.graph, flats, start + behind + margin, end + behind - margin)


def _break_points(contracted: ContractedGraph, number: int, cut: Collection[int], middles: dict[int, Vector]) -> Vector:
    """Middles of the edges at which a region breaks off at the cut, shape (k, 3); `middles` keeps them by edge."""
    edges = [link.edge for link in contracted.links[number] if link.other in cut]
    for edge in edges:
        if edge not in middles:
            middles[edge] = contracted.graph.part.edges[edge].points.mean(axis=0)
    return np.array([middles[edge] for edge in edges])


def _nearest(one: Vector, two: Vector) -> tuple[Vector, Vector]:
    away = one[:, None] - two[None]
    apart = np.sqrt((away * away).sum(axis=2))
    row, column = np.unravel_index(int(apart.argmin()), apart.shape)
    return one[row], two[column]


def joined(pieces: Mapping[int, Sequence[int]], numbers: Collection[int]) -> set[tuple[int, int]]:
    """Pairs of pieces of one wall among the given regions."""
    return {(min(one, two), max(one, two)) for one in numbers for two in pieces.get(one, ()) if two in numbers}
