"""Split walls: pieces of one surface that a later cut has parted, with nothing but void between them.

Where a hole runs through the wall of a pocket, or one slot across another, the wall is left in pieces. The pieces lie
on one surface, border on the same cut, and the line from one to the other, just behind the surface, meets nothing.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from fettle.geometry.part import Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.graph import by_surface
from fettle.recognize.outlines import segment_hits_flat
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import ZERO

Point: TypeAlias = tuple[float, ...]
"""x, y, z in mm: numpy takes ten times as long over three numbers."""

BEHIND = 1e-4
"""How far behind the surface the line runs, as a share of the part's diagonal."""


def find_split_walls(
    contracted: ContractedGraph, cuts: Iterable[Collection[int]], among: Collection[int]
) -> dict[int, list[int]]:
    """For flat regions `among` these, the other pieces of the same wall. `cuts`: what may have parted it."""
    pieces: dict[int, list[int]] = {}
    middles: dict[int, Point] = {}
    for cut in cuts:
        beside = _severable(contracted, cut, among)
        for group in by_surface(contracted.graph, beside):
            if len(group) < 2:
                continue
            breaks = {number: _break_points(contracted, number, cut, middles) for number in group}
            for index, one in enumerate(group):
                for two in group[index + 1 :]:
                    if two in pieces.get(one, ()):
                        continue
                    if _void_between(contracted, contracted.graph.regions[one].normal, breaks[one], breaks[two]):
                        pieces.setdefault(one, []).append(two)
                        pieces.setdefault(two, []).append(one)
    return pieces


def _severable(contracted: ContractedGraph, cut: Collection[int], among: Collection[int]) -> list[int]:
    """Flat regions `among` these that break off at the cut."""
    planes = contracted.graph.planes
    return sorted(
        {
            other
            for number in cut
            for _, other, sign, _ in contracted.links[number]
            if sign is CONVEX and other in among and other not in cut and planes[other] is not None
        }
    )


def _void_between(contracted: ContractedGraph, normal: Vector, first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Whether a line between two pieces, a hair behind their surface, stays in the void that the cut has left.

    `first`, `second`: points at which they break off.
    """
    start, end = min(product(first, second), key=_apart_mm)
    length = math.dist(start, end)
    behind = BEHIND * contracted.graph.part.diagonal_mm
    if length < ZERO or 4 * behind >= length:
        return True
    share, (x, y, z) = 2 * behind / length, normal.tolist()
    (ax, ay, az), (bx, by, bz) = start, end
    ahead = ((bx - ax) * share, (by - ay) * share, (bz - az) * share)
    back = (-x * behind, -y * behind, -z * behind)
    return not segment_hits_flat(
        contracted.graph,
        np.array([ax + back[0] + ahead[0], ay + back[1] + ahead[1], az + back[2] + ahead[2]]),
        np.array([bx + back[0] - ahead[0], by + back[1] - ahead[1], bz + back[2] - ahead[2]]),
    )


def _apart_mm(pair: tuple[Point, Point]) -> float:
    return math.dist(*pair)


def _break_points(
    contracted: ContractedGraph, number: int, cut: Collection[int], middles: dict[int, Point]
) -> list[Point]:
    """Middles of the edges at which a region breaks off at the cut; `middles` keeps them by edge."""
    edges = [link.edge for link in contracted.links[number] if link.other in cut]
    for edge in edges:
        if edge not in middles:
            points = contracted.graph.part.edges[edge].points
            middle = (points[0] + points[1]) / 2 if len(points) == 2 else points.mean(axis=0)
            middles[edge] = tuple(middle.tolist())
    return [middles[edge] for edge in edges]


def joined(pieces: Mapping[int, Sequence[int]], numbers: Collection[int]) -> set[tuple[int, int]]:
    """Pairs of pieces of one wall among the given regions."""
    return {(min(one, two), max(one, two)) for one in numbers for two in pieces.get(one, ()) if two in numbers}
