"""Normals of a face's surface at points in space, asked of the kernel one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.GeomAPI import GeomAPI_ProjectPointOnSurf
from OCP.GeomLProp import GeomLProp_SLProps
from OCP.gp import gp_Pnt
from OCP.TopoDS import TopoDS_Face

Array = NDArray[np.float64]

RESOLUTION_MM = 1e-7


def surface_normal(face: TopoDS_Face, point: Array, outward: bool) -> Array:
    """Shape (3,): unit normal at the point of the face's unbounded surface that is nearest to `point`; nan where there
    is none. `outward`: the surface's own normal (dU x dV) points out of the material, and is turned over otherwise."""
    nothing = np.full(3, np.nan)
    surface = BRep_Tool.Surface_s(face)
    nearest = GeomAPI_ProjectPointOnSurf(gp_Pnt(*point.tolist()), surface)
    if not nearest.NbPoints():
        return nothing
    u, v = nearest.LowerDistanceParameters()
    local = GeomLProp_SLProps(surface, u, v, 1, RESOLUTION_MM)
    if not local.IsNormalDefined():
        return nothing
    normal = np.array(local.Normal().Coord())
    return normal if outward else -normal
