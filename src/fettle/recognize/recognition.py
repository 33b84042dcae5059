"""Recognition of a part: all recognizers in the order of their dependencies; a face keeps the first role claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pkgutil import resolve_name
from typing import Any

import numpy as np

from fettle.geometry.part import Freeform, Part
from fettle.recognize.declarations import TAKEN, Recognizer
from fettle.recognize.feature import UNCLASSIFIED, Claim, Feature, Recognition, Role, claimed_regions
from fettle.recognize.graph import Graph
from fettle.recognize.graph_building import build_graph
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.order import claims_before, recognition_order
from fettle.recognize.patterns import find_patterns
from fettle.recognize.signs import CONCAVE
from fettle.recognize.turning.live import find_live_features

FITTED_CONFIDENCE = 0.8
"""Confidence of features on surfaces fitted to a mesh."""


def recognize(part: Part) -> Recognition:
    """Every feature of the part, and one role for every face."""
    graph = build_graph(part)
    results: dict[str, Any] = {"graph": graph, "confidence": 1.0 if part.source.exact else FITTED_CONFIDENCE}
    claimed: dict[str, frozenset[int]] = {}
    roles: dict[int, Role] = {}
    features: list[Feature] = []
    for recognizer, function, before in _steps():
        results[TAKEN] = frozenset[int]().union(*(claimed[name] for name in before))
        found = function(**{need: results[need] for need in recognizer.needs})
        results[recognizer.name] = found
        claims: Iterable[Claim[Feature]] = found if recognizer.claims else ()
        claimed[recognizer.name] = claimed_regions(claims)
        for claim in claims:
            features.append(claim.feature)
            for number, role in claim.roles.items():
                roles.setdefault(number, role)
    by_region = [UNCLASSIFIED.code] * len(graph.regions)
    for number, role in roles.items():
        by_region[number] = role.code
    codes = np.array(by_region, dtype=np.int32)[graph.region_of]
    codes.setflags(write=False)
    areas = np.array([face.area_mm2 for face in part.faces])
    named = codes != UNCLASSIFIED.code
    return Recognition(
        roles=codes,
        features=tuple(features),
        sharp_concave_edges=_sharp_concave_edges(graph),
        coverage_faces=float(named.mean()) if len(codes) else 0.0,
        coverage_area=float(areas[named].sum() / areas.sum()) if len(codes) else 0.0,
        thread_faces=_thread_faces(graph, results["helices"]),
        revolutions=results["revolutions"],
        turned=results["turned"],
        live=find_live_features(part, results["turned"], features),
        patterns=find_patterns(part, features),
    )


def _thread_faces(graph: Graph, helices: Iterable[Helix]) -> tuple[int, ...]:
    """Faces of all modeled threads, in order."""
    regions = {number for helix in helices for number in helix.regions}
    return tuple(sorted(face for number in regions for face in graph.regions[number].faces))


@cache
def _steps() -> tuple[tuple[Recognizer, Callable[..., Any], tuple[str, ...]], ...]:
    """Recognizers in order, each with its function and the names of those whose claims come before its own."""
    ordered = recognition_order()
    before = claims_before(ordered)
    return tuple((one, resolve_name(one.function), tuple(sorted(before[one.name]))) for one in ordered)


def _sharp_concave_edges(graph: Graph) -> tuple[int, ...]:
    """Concave edges between two surfaces; within one there is none, whatever angle the apex of a cone gives an edge."""
    return tuple(
        sorted(
            {
                edge
                for region in graph.regions
                for edge, other, sign, _ in region.borders
                if sign is CONCAVE and (other != region.number or isinstance(region.surface, Freeform))
            }
        )
    )
