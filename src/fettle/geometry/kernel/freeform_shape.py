"""Shape and curvature of a freeform face, sampled inside its trim."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.Geom import Geom_BSplineSurface
from OCP.gp import gp_Pnt, gp_Vec
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.exact.splines import surface_samples
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.freeform import surface_arrays

Array = NDArray[np.float64]

MAX_SAMPLES = 160
MAX_KERNEL_SAMPLES = 48
"""Other surfaces than B-splines are asked of the kernel, point by point."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """points, normals (n, 3), curvatures (n, 2) positive where the surface bends away from the outward normal.

    The first row belongs to the middle of the largest triangle: a point well inside the face.
    """

    points: Array
    normals: Array
    curvatures: Array


def sample_shape(face: TopoDS_Face, outward: bool) -> Shape | None:
    """`outward`: the surface's own normal points out of the material. None where nothing regular could be sampled."""
    location = TopLoc_Location()
    triangulation = BRep_Tool.Triangulation_s(face, location)
    if triangulation is None:
        return None
    surface = BRep_Tool.Surface_s(face)
    spline = isinstance(surface, Geom_BSplineSurface)
    uv = _places(triangulation, MAX_SAMPLES if spline else MAX_KERNEL_SAMPLES)
    derivatives = np.empty((len(uv), 6, 3))
    if spline:
        u_knots, v_knots, poles, u_degree, v_degree = surface_arrays(surface)
        surface_samples(u_knots, v_knots, poles, u_degree, v_degree, uv, derivatives)
    else:
        _ask_kernel(face, uv, derivatives)
    return _shape(derivatives, 1.0 if outward else -1.0)


def _places(triangulation: object, limit: int) -> Array:
    """Parameters (n, 2): middles of triangles, the largest first, then nodes, thinned evenly to the limit."""
    nodes, corners = kernel_arrays.nodes(triangulation), kernel_arrays.triangles(triangulation)
    uv = kernel_arrays.parameters(triangulation)
    a, b, c = (nodes[corners[:, k]] for k in range(3))
    largest = int(np.argmax(np.linalg.norm(np.cross(b - a, c - a), axis=1)))
    middles = uv[corners].mean(axis=1)
    places = np.concatenate([middles[largest : largest + 1], middles, uv])
    if len(places) <= limit:
        return places
    chosen = np.concatenate(([0], np.linspace(1, len(places) - 1, limit - 1).astype(np.int64)))
    thinned: Array = places[chosen]
    return thinned


def _ask_kernel(face: TopoDS_Face, uv: Array, out: Array) -> None:
    adaptor = BRepAdaptor_Surface(face, False)
    point = gp_Pnt()
    vectors = [gp_Vec() for _ in range(5)]
    du, dv, duu, dvv, duv = vectors
    for row, (u, v) in enumerate(uv.tolist()):
        adaptor.D2(u, v, point, du, dv, duu, dvv, duv)
        out[row] = [point.Coord(), du.Coord(), dv.Coord(), duu.Coord(), duv.Coord(), dvv.Coord()]


def _shape(derivatives: Array, sign: float) -> Shape | None:
    s, su, sv, suu, suv, svv = (derivatives[:, k] for k in range(6))
    normal = np.cross(su, sv)
    e, f, g = (np.einsum("ij,ij->i", *pair) for pair in ((su, su), (su, sv), (sv, sv)))
    # poles and collapsed borders have no normal; they are left out
    regular = e * g - f * f > 1e-12 * (e + g) ** 2
    if not regular.any():
        return None
    first, second = ((k[regular] for k in (e, f, g)), (suu[regular], suv[regular], svv[regular]))
    e, f, g = first
    normal = normal[regular] / np.linalg.norm(normal[regular], axis=1)[:, None]
    along, mixed, across = (np.einsum("ij,ij->i", d, normal) for d in second)
    det = e * g - f * f
    mean = (e * across - 2.0 * f * mixed + g * along) / (2.0 * det)
    root = np.sqrt(np.maximum(mean**2 - (along * across - mixed * mixed) / det, 0.0))
    curvatures = -sign * np.stack([mean + root, mean - root], axis=1)
    return Shape(s[regular], sign * normal, curvatures)
