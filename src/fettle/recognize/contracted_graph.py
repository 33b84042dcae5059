"""The contracted graph: the face graph with blends and chamfers left out, their supports joined as if sharp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fettle.geometry.part import Convexity, Plane
from fettle.recognize.bridge import Bridge, WithBridges
from fettle.recognize.depression import Depression
from fettle.recognize.graph import Border, Graph, Region, rings
from fettle.recognize.outlines import ring_areas

DepressionKey: TypeAlias = tuple[tuple[int, ...], frozenset[tuple[int, int]], frozenset[int]]
"""Members of a depression, the pairs of them that are pieces of one wall, and what they border on that is closed."""


Link: TypeAlias = Border
"""A border followed across a bridge `via`: the region beyond it, and whether the corner is convex or concave."""


@dataclass(frozen=True, slots=True, eq=False)
class ContractedGraph:
    """`links`: the borders of each region, across bridges. `bridges`: blends and chamfers by region number.

    `islands`: for flat regions, the edges of inner rings that are concave all round, where something stands.
    `confidence`: of features found in this graph. `classified` belongs to `depressions.classify_depression`.
    """

    graph: Graph
    bridges: Mapping[int, Bridge]
    links: tuple[tuple[Link, ...], ...]
    islands: Mapping[int, frozenset[int]]
    confidence: float
    classified: dict[DepressionKey, Depression]


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
    islands = {
        region.number: edges
        for region in graph.regions
        if (edges := _island_edges(graph, links[region.number], region))
    }
    return ContractedGraph(graph, bridges, links, islands, confidence, {})


def _link(region: Region, border: Border, bridges: Mapping[int, Bridge]) -> Link:
    bridge = bridges[border.other]
    if region.number in bridge.supports:
        far = next((support for support in bridge.supports if support != region.number), region.number)
        return Link(border.edge, far, bridge.sign, bridge.region)
    return border


def _island_edges(graph: Graph, links: Sequence[Link], region: Region) -> frozenset[int]:
    surface = region.surface
    if not isinstance(surface, Plane):
        return frozenset()
    concave = {edge for edge, _, sign, _ in links if sign is Convexity.CONCAVE}
    if not concave:
        return frozenset()
    around = rings(graph, region.number)
    if len(around) < 2 or not any(concave.issuperset(ring.edges) for ring in around):
        return frozenset()
    return frozenset(
        edge
        for ring, area in zip(around, ring_areas(graph, region.number), strict=True)
        if area < 0 and concave.issuperset(ring.edges)
        for edge in ring.edges
    )
