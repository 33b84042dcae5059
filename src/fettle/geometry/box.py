"""Axis-aligned boxes of kernel shapes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.TopoDS import TopoDS_Shape

from fettle.geometry.mesh import Mesh
from fettle.geometry.topology import Topology

Array = NDArray[np.float64]

KERNEL_GAP_MM = 1e-6
"""The kernel widens exact boxes by about its confusion distance; within this the mesh point is the better answer."""


def loose_box(shape: TopoDS_Shape) -> Array:
    """Shape (2, 3): encloses the shape, cheap, and far too large around splines."""
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box, False)
    return _corners(box)


def exact_box(topology: Topology, mesh: Mesh, deflection_mm: float) -> Array:
    """Shape (2, 3). Only faces that the mesh shows within its deflection of an extreme are asked of the kernel."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    start = np.searchsorted(mesh.point_face, np.arange(len(topology.faces)))
    face_low = np.minimum.reduceat(mesh.points, start, axis=0)
    face_high = np.maximum.reduceat(mesh.points, start, axis=0)
    near = ((face_low - low < 2 * deflection_mm) | (high - face_high < 2 * deflection_mm)).any(axis=1)
    box = Bnd_Box()
    for face in np.flatnonzero(near).tolist():
        BRepBndLib.AddOptimal_s(topology.faces[face], box, False, False)
    kernel = _corners(box)
    return np.stack(
        [
            np.where(low - kernel[0] < KERNEL_GAP_MM, low, kernel[0]),
            np.where(kernel[1] - high < KERNEL_GAP_MM, high, kernel[1]),
        ]
    )


def _corners(box: Bnd_Box) -> Array:
    if box.IsVoid():
        return np.full((2, 3), np.nan)
    return np.array([box.CornerMin().Coord(), box.CornerMax().Coord()])
