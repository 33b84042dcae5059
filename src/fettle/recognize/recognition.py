"""The order in which recognizers see a part; a face keeps the first role that it is given."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fettle.geometry.part import Convexity, Freeform, Part
from fettle.recognize.bends import find_bends
from fettle.recognize.blends import blend_features, find_blends
from fettle.recognize.bosses import find_bosses
from fettle.recognize.chamfers import find_chamfers
from fettle.recognize.contracted_graph import ContractedGraph, contract
from fettle.recognize.depression import Depression
from fettle.recognize.depressions import find_depressions
from fettle.recognize.feature import Feature, Recognition, Role, Slot
from fettle.recognize.graph import Graph, build_graph, edge_sign
from fettle.recognize.grooves import find_ring_grooves
from fettle.recognize.holes import find_holes
from fettle.recognize.modeled_threads import find_helices
from fettle.recognize.pockets import hollow_out
from fettle.recognize.protrusions import find_fins, find_protrusions
from fettle.recognize.slots import slot_of
from fettle.recognize.walls import find_slabs, find_walls

FITTED_CONFIDENCE = 0.8
"""Confidence of features on surfaces fitted to a mesh."""


def recognize(part: Part) -> Recognition:
    """Every feature of the part, and one role for every face."""
    confidence = 1.0 if part.source.exact else FITTED_CONFIDENCE
    graph = build_graph(part)
    roles: dict[int, Role] = {}
    features: list[Feature] = []

    for folded in find_bends(graph, confidence):
        features.append(folded.bend)
        _give(roles, dict.fromkeys(folded.regions, Role.BEND))
    helices = find_helices(graph)
    wound = frozenset[int]().union(*(helix.regions for helix in helices))
    blends = {
        number: blend for number, blend in find_blends(graph).items() if number not in roles and number not in wound
    }
    holes = find_holes(graph, blends, helices, confidence)
    for drilled in holes:
        features.append(drilled.hole)
        _give(roles, drilled.roles)
    in_holes = frozenset(number for drilled in holes for number in drilled.roles)
    chamfer_bridges, chamfers = find_chamfers(graph, {*blends, *roles}, confidence)
    bridges = {**blends, **chamfer_bridges}
    contracted = contract(graph, bridges, confidence)
    for groove in find_ring_grooves(contracted, {*roles, *bridges}):
        features.append(groove.slot)
        _give(roles, groove.roles)
    for raised in find_bosses(contracted, [drilled.hole for drilled in holes], helices, {*roles, *bridges}):
        features.append(raised.boss)
        _give(roles, raised.roles)
    for number, bridge in bridges.items():
        _give(roles, {number: _bridge_role(number in blends, bridge.sign)})
    features.extend(blend_features(graph, blends, confidence))
    features.extend(chamfers)
    whole = frozenset(number for drilled in holes if not drilled.hole.partial for number in drilled.roles)
    bores = [frozenset(drilled.roles) for drilled in holes]
    depressions = _with_slots(contracted, find_depressions(contracted, frozenset(roles), bores, whole))
    in_slots = (depression.regions for depression, slot in depressions if slot is not None)
    fins = find_fins(contracted, frozenset(roles).union(*in_slots))
    if fins:
        # A rib stands in a pocket: what is left without it is the pocket.
        for standing in fins:
            features.append(standing.feature)
            _give(roles, standing.roles)
        depressions = _with_slots(contracted, find_depressions(contracted, frozenset(roles), bores, whole))
    for depression, slot in depressions:
        hollow = hollow_out(contracted, depression, slot, in_holes)
        if hollow is not None:
            features.append(hollow.feature)
            _give(roles, hollow.roles)
    for standing in find_protrusions(contracted, frozenset(roles), in_holes):
        features.append(standing.feature)
        _give(roles, standing.roles)
    for plate in find_slabs(graph, frozenset(roles), confidence):
        features.append(plate.slab)
        _give(roles, dict.fromkeys(plate.regions, Role.SLAB_FACE))
    for number, wall in find_walls(graph, frozenset(roles), confidence):
        features.append(wall)
        _give(roles, {number: Role.OUTER_WALL if wall.outer else Role.INNER_WALL})

    codes = np.zeros(len(part.faces), dtype=np.int32)
    for number, role in roles.items():
        codes[list(graph.regions[number].faces)] = role
    codes.setflags(write=False)
    areas = np.array([face.area_mm2 for face in part.faces])
    named = codes != Role.UNCLASSIFIED
    return Recognition(
        roles=codes,
        features=tuple(features),
        sharp_concave_edges=_sharp_concave_edges(graph),
        coverage_faces=float(named.mean()) if len(codes) else 0.0,
        coverage_area=float(areas[named].sum() / areas.sum()) if len(codes) else 0.0,
    )


def _with_slots(contracted: ContractedGraph, depressions: list[Depression]) -> list[tuple[Depression, Slot | None]]:
    """Each depression with the slot that it is, if it is one."""
    return [(depression, slot_of(contracted, depression)) for depression in depressions]


def _give(roles: dict[int, Role], new: Mapping[int, Role]) -> None:
    for number, role in new.items():
        roles.setdefault(number, role)


def _sharp_concave_edges(graph: Graph) -> tuple[int, ...]:
    """Concave edges between two surfaces; within one there is none, whatever angle the apex of a cone gives an edge."""
    part = graph.part
    found = []
    for number, edge in enumerate(part.edges):
        one, two = edge.faces
        if edge_sign(part, edge) is not Convexity.CONCAVE:
            continue
        if graph.region_of[one] != graph.region_of[two] or isinstance(part.faces[one].surface, Freeform):
            found.append(number)
    return tuple(found)


def _bridge_role(blend: bool, sign: Convexity) -> Role:
    if not blend:
        return Role.CHAMFER
    return Role.FILLET if sign is Convexity.CONCAVE else Role.ROUND
