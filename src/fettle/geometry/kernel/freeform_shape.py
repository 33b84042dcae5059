"""Shape and curvature of a freeform face, sampled inside its trim."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.gp import gp_Pnt, gp_Vec
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.exact.curvature import inner_places, principal
from fettle.geometry.exact.splines import surface_samples
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.freeform import Spline

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


def sample_shape(face: TopoDS_Face, spline: Spline | None, outward: bool) -> Shape | None:
    """`spline`: the face as such where it is one; `outward`: the surface's own normal points out of the material. None
    where nothing regular could be sampled."""
    location = TopLoc_Location()
    triangulation = BRep_Tool.Triangulation_s(face, location)
    if triangulation is None or not triangulation.HasUVNodes():
        return None
    uv = inner_places(
        kernel_arrays.nodes([triangulation], [triangulation.NbNodes()]),
        kernel_arrays.triangles([triangulation], [triangulation.NbTriangles()]),
        kernel_arrays.parameters(triangulation),
        MAX_KERNEL_SAMPLES if spline is None else MAX_SAMPLES,
    )
    derivatives = np.empty((len(uv), 6, 3))
    if spline is None:
        _ask_kernel(face, uv, derivatives)
    else:
        surface_samples(*spline.surface, uv, derivatives)
    points, normals, curvatures = principal(derivatives, 1.0 if outward else -1.0)
    return Shape(points, normals, curvatures) if len(points) else None


def _ask_kernel(face: TopoDS_Face, uv: Array, out: Array) -> None:
    adaptor = BRepAdaptor_Surface(face, False)
    point = gp_Pnt()
    vectors = [gp_Vec() for _ in range(5)]
    du, dv, duu, dvv, duv = vectors
    for row, (u, v) in enumerate(uv.tolist()):
        adaptor.D2(u, v, point, du, dv, duu, dvv, duv)
        out[row] = [point.Coord(), du.Coord(), dv.Coord(), duu.Coord(), duv.Coord(), dvv.Coord()]
