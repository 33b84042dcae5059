"""The contracted graph: the face graph with blends and chamfers left out, their supports joined as if sharp."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fettle.recognize.bridge import Bridge, WithBridges
from fettle.recognize.depression import Depression
from fettle.recognize.graph import Border, Graph, Region, rings
from fettle.recognize.outlines import ring_areas
from fettle.recognize.signs import CONCAVE

DepressionKey: TypeAlias = tuple[tuple[int, ...], frozenset[tuple[int, int]], frozenset[int]]
"""Members of a depression, the pairs of them that are pieces of one wall, and what they border on that is closed."""


Link: TypeAlias = Border
"""A border followed across a bridge `via`: the region beyond it, and whether the corner is convex or concave."""


@dataclass(frozen=True, slots=True, eq=False)
class ContractedGraph:
    """`links`: the borders of each region, across bridges. `bridges`: blends and chamfers by region number.

    `concave`: for flat regions with concave links, the edges of those. `islands`: for flat regions, the edges of inner
    rings that are concave all round, where something stands. `confidence`: of features found in this graph.
    `classified` belongs to `depressions.classify_depression`, `walled_floors` to `floors.closed_floor`.
    """

    graph: Graph
    bridges: Mapping[int, Bridge]
    links: tuple[tuple[Link, ...], ...]
    concave: Mapping[int, set[int]]
    islands: Mapping[int, frozenset[int]]
    confidence: float
    classified: dict[DepressionKey, Depression]
    walled_floors: dict[int, bool]


def contract(
    graph: Graph, blends: Mapping[int, Bridge], chamfer_strips: WithBridges, confidence: float
) -> ContractedGraph:
    """The graph with every border followed across blends and chamfers to the region beyond them."""
    bridges = {**blends, **chamfer_strips.bridges}
    links = tuple(
        region.borders
        if bridges.keys().isdisjoint([border.other for border in region.borders])
        else tuple(_link(region, border, bridges) if border.other in bridges else border for border in region.borders)
        for region in graph.regions
    )
    concave = {
        number: edges
        for number, plane in enumerate(graph.planes)
        if plane is not None and (edges := {edge for edge, _, sign, _ in links[number] if sign is CONCAVE})
    }
    islands = {number: feet for number in concave if (feet := _island_edges(graph, number, concave[number]))}
    return ContractedGraph(graph, bridges, links, concave, islands, confidence, {}, {})


def _link(region: Region, border: Border, bridges: Mapping[int, Bridge]) -> Link:
    bridge = bridges[border.other]
    if region.number in bridge.supports:
        far = next((support for support in bridge.supports if support != region.number), region.number)
        return Link(border.edge, far, bridge.sign, bridge.region)
    return border


def _island_edges(graph: Graph, number: int, concave: set[int]) -> frozenset[int]:
    """`concave`: edges of the concave links of a flat region."""
    around = rings(graph, number)
    if len(around) < 2 or not any(concave.issuperset(ring.edges) for ring in around):
        return frozenset()
    return frozenset(
        edge
        for ring, area in zip(around, ring_areas(graph, number), strict=True)
        if area < 0 and concave.issuperset(ring.edges)
        for edge in ring.edges
    )
