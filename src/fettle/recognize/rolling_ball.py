"""The ball that rolls along a freeform blend: its radius from the two supports it touches, not from the spline's noise.

A ball that touches one support at P, where its outward normal is n, has its center at P + r n; r is what makes it touch
the other support as well: positive in a fillet, where the ball lies outside the material, negative in a round.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, CylinderOrCone, Plane
from fettle.recognize.graph import Graph, Region
from fettle.recognize.tolerances import SAME_LENGTH_MM, ZERO
from fettle.recognize.wall_directions import outward_at

CONSTANT = 0.01
"""A radius that varies by no more than this share is one radius."""
LEAST_TURN = 1.0 - math.cos(math.radians(1.0))
"""Supports that run on smoothly into one another, within this, hold no ball between them."""

Points = NDArray[np.float64]
"""Shape (k, 3)."""


def ball_radii(graph: Graph, blend: int, supports: tuple[int, int]) -> tuple[float, float] | None:
    """Smallest and largest radius of the ball, equal for a constant one; None without two supports of exact normals."""
    one, two = (graph.regions[support] for support in supports)
    if not all(isinstance(region.surface, Plane | Cylinder | Cone) for region in (one, two)):
        return None
    along = [
        np.abs(_radii(points, touched, other))
        for touched, other in ((one, two), (two, one))
        for points in _edges(graph, blend, touched)
    ]
    # A ball larger than the part touches supports that run on into one another, one of no size the point where a
    # blend ends in their common corner: neither is the blend's.
    radii = np.concatenate(along)
    radii = radii[(radii > SAME_LENGTH_MM) & (radii < graph.part.diagonal_mm)]
    if len(radii) < 2:
        return None
    low, high = float(radii.min()), float(radii.max())
    if high - low > CONSTANT * high:
        return low, high
    # Exact where edges end; between, kernels draw the edges of a blend as splines of their own tolerance.
    ends = np.concatenate([values[[0, -1]] for values in along])
    ends = ends[(ends >= low) & (ends <= high)]
    middle = float(np.median(ends if len(ends) else radii))
    return middle, middle


def _edges(graph: Graph, blend: int, touched: Region) -> list[Points]:
    """Points of each edge at which the blend meets one of its supports."""
    return [
        graph.part.edges[border.edge].points
        for border in graph.regions[blend].borders
        if border.other == touched.number
    ]


def _radii(points: Points, touched: Region, other: Region) -> NDArray[np.float64]:
    """Radius of the ball that touches one support at the points, nan where there is none."""
    normals = outward_at(touched, points)
    surface = other.surface
    if isinstance(surface, Plane):
        away = (points - surface.origin) @ surface.normal
        radii = _divided(away, 1.0 - normals @ surface.normal)
    elif isinstance(surface, CylinderOrCone):
        radii = _to_round(points, normals, surface, convex=other.convex is True)
    else:
        raise TypeError(f"region {other.number} is a {type(surface).__name__}; a ball needs an exact normal")
    turn = 1.0 - (normals * outward_at(other, points)).sum(axis=1)
    return np.where(turn > LEAST_TURN, radii, math.nan)


def _to_round(points: Points, normals: Points, surface: Cylinder | Cone, convex: bool) -> NDArray[np.float64]:
    """The same for a support round an axis: distance from the axis = its radius there, plus or minus the ball's."""
    lean = math.radians(surface.half_angle_deg) if isinstance(surface, Cone) else 0.0
    offset = points - surface.origin
    along, climb = offset @ surface.axis, normals @ surface.axis
    across = offset - np.multiply.outer(along, surface.axis)
    way = normals - np.multiply.outer(climb, surface.axis)
    start = surface.radius_mm + along * math.tan(lean)
    growth = climb * math.tan(lean) + (1.0 if convex else -1.0) / math.cos(lean)
    # |across + r way| = start + r growth, squared.
    a = (way * way).sum(axis=1) - growth**2
    b = (across * way).sum(axis=1) - start * growth
    c = (across * across).sum(axis=1) - start**2
    root = np.sqrt(np.maximum(b * b - a * c, 0.0))
    # Of the two balls the smaller one is the blend's.
    return _divided(-c, b + np.where(b < 0, -root, root))


def _divided(one: NDArray[np.float64], two: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.full(len(one), math.nan)
    np.divide(one, two, out=result, where=np.abs(two) > ZERO)
    return result
