"""The outline of the flat: cut edges of all walls and bends, one after the other, as lines and arcs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from fettle.errors import CannotUnfold
from fettle.geometry.part import OtherCurve
from fettle.recognize.graph import Ring, rings
from fettle.sheet.development import Development
from fettle.sheet.plane_curves import LinePiece, Outline, Piece, merge, reverse
from fettle.sheet.skin import SAME_PLACE_MM, Skin

Place = tuple[int, int, int]
"""A step of a boundary: region, number of its ring, number of the step in it."""


def cut_loops(skin: Skin, skipped: Iterable[Ring]) -> list[Outline]:
    """Closed outlines of the flat, the material to their left; the skipped rings are no cuts."""
    leave = {id(ring) for ring in skipped}
    places = _places(skin)
    done: set[Place] = set()
    loops = []
    for region in skin.zone_of:
        for number, ring in enumerate(rings(skin.graph, region)):
            if id(ring) in leave:
                continue
            for step, edge in enumerate(ring.edges):
                start = (region, number, step)
                if start not in done and edge not in skin.joints and edge not in skin.sharp:
                    loops.append(_walk(skin, places, start, done))
    return [merge(loop) for loop in loops]


def ring_outline(skin: Skin, region: int, ring: Ring) -> Outline:
    """A closed boundary of one wall or bend in the plane, its joints included, by the map of a region; worked
    out once."""
    known = skin.outlines.get((region, id(ring)))
    if known is None:
        pieces = [piece for step in range(len(ring.edges)) for piece in _pieces(skin, region, ring, step)]
        known = skin.outlines[region, id(ring)] = merge(pieces)
    return known


def _places(skin: Skin) -> dict[tuple[int, int], Place]:
    """Of a region and an edge where the edge stands in its rings."""
    return {
        (region, edge): (region, number, step)
        for region in skin.zone_of
        for number, ring in enumerate(rings(skin.graph, region))
        for step, edge in enumerate(ring.edges)
    }


def _walk(skin: Skin, places: dict[tuple[int, int], Place], start: Place, done: set[Place]) -> list[Piece]:
    pieces: list[Piece] = []
    here = start
    while here not in done:
        done.add(here)
        region, number, step = here
        for piece in _pieces(skin, region, rings(skin.graph, region)[number], step):
            _append(pieces, piece, region, skin)
        here = _following(skin, places, here)
    if here != start:
        raise CannotUnfold("the outline of the sheet meets itself there", skin.graph.regions[here[0]].faces)
    gap = math.dist(pieces[-1].end, pieces[0].start)
    if gap > SAME_PLACE_MM:
        pieces.append(LinePiece(pieces[-1].end, pieces[0].start))
    else:
        pieces[0] = replace(pieces[0], start=pieces[-1].end)
    return pieces


def _append(pieces: list[Piece], piece: Piece, region: int, skin: Skin) -> None:
    """Add a piece; across a bend that is sharp inside its end is a line of its own."""
    if pieces:
        gap = math.dist(pieces[-1].end, piece.start)
        if gap > SAME_PLACE_MM:
            if not skin.sharp:
                raise CannotUnfold("the outline of the sheet has a gap there", skin.graph.regions[region].faces)
            pieces.append(LinePiece(pieces[-1].end, piece.start))
        piece = replace(piece, start=pieces[-1].end)
    pieces.append(piece)


def _following(skin: Skin, places: dict[tuple[int, int], Place], here: Place) -> Place:
    """The next cut edge along the boundary, over joints into the next wall."""
    while True:
        region, number, step = here
        ring = rings(skin.graph, region)[number]
        step = (step + 1) % len(ring.edges)
        edge = ring.edges[step]
        here = (region, number, step)
        if edge not in skin.joints and edge not in skin.sharp:
            return here
        faces = skin.graph.part.edges[edge].faces
        other = next(one for one in (int(skin.graph.region_of[face]) for face in faces) if one != region)
        here = places[other, edge]


def _pieces(skin: Skin, region: int, ring: Ring, step: int) -> Outline:
    """A step of a ring in the plane, by the map of a region; worked out once."""
    key = (region, id(ring), step)
    if key not in skin.pieces:
        skin.pieces[key] = _developed(skin, skin.map_of(region), ring, step)
    return skin.pieces[key]


def _developed(skin: Skin, development: Development, ring: Ring, step: int) -> Outline:
    edge = skin.graph.part.edges[ring.edges[step]]
    points = edge.points
    if isinstance(edge.curve, OtherCurve) and len(edge.curve.samples):
        points = np.concatenate([points[:1], edge.curve.samples, points[-1:]])
    pieces = tuple(development.pieces(edge.curve, points))
    return reverse(pieces) if ring.backward[step] else pieces
