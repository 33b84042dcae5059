"""Boundaries of faces as closed chains of edges."""

from __future__ import annotations

from fettle.geometry.part import Loop
from fettle.geometry.topology import Topology, Use


def read_loops(topology: Topology, numbers: list[int], face: int) -> tuple[Loop, ...]:
    """Loops of one face; `numbers` maps kernel edges to edges of the part, -1 for seams."""
    loops = []
    for wire in topology.wires[face]:
        for chain in _chains([use for use in wire if numbers[use.number] >= 0], topology.edge_vertices):
            edges = tuple(numbers[use.number] for use in chain)
            loops.append(Loop(edges, tuple(use.reversed for use in chain), outer=False))
    return tuple(loops)


def _chains(uses: list[Use], vertices: list[tuple[int, int]]) -> list[list[Use]]:
    """Closed chains, each following the boundary from vertex to vertex; wire order decides where paths cross."""
    left = list(uses)
    chains = []
    while left:
        chain = [left.pop(0)]
        start, end = _ends(chain[0], vertices)
        while end != start:
            found = next((k for k, use in enumerate(left) if _ends(use, vertices)[0] == end), None)
            if found is None:
                break
            chain.append(left.pop(found))
            end = _ends(chain[-1], vertices)[1]
        chains.append(chain)
    return chains


def _ends(use: Use, vertices: list[tuple[int, int]]) -> tuple[int, int]:
    first, last = vertices[use.number]
    return (last, first) if use.reversed else (first, last)
