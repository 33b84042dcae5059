"""The boundaries of all faces of a shape as a file lists them, as arrays, and what is odd about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.TopAbs import TopAbs_VERTEX
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.topology import map_of
from fettle.geometry.kernel.wires import Wires

KERNEL_PRECISION_MM = 1e-7
"""Tolerance of a vertex that lies on all of its edges; the transfer widens it where one ends elsewhere."""
WIDEST_MM = 0.01
"""Edges that end further beside a vertex are for the kernel's repair to judge, however inexact the file is."""


@dataclass(frozen=True, slots=True, eq=False)
class FileBoundaries:
    """The wires of all faces, and which faces are usable.

    from_vertex (u,): where each use of an edge begins, -1 for nowhere. usable (faces,): the face has boundaries, each
    of them is a chain of edges that ends where it begins, and no edge is degenerated, as short as the file is inexact,
    or ends further than that beside one of its vertices.
    """

    wires: Wires
    from_vertex: NDArray[np.int64]
    usable: NDArray[np.bool_]


def list_boundaries(solid: TopoDS_Shape, sampled: SampledShape, precision_mm: float) -> FileBoundaries:
    """`precision_mm`: how exact the file is."""
    wires = sampled.wires
    ends = wires.vertices[wires.edge]
    usable = wires.closed & np.array([not tips for tips in sampled.topology.tips], np.bool_)
    is_wide = _is_wide(solid, min(max(precision_mm, KERNEL_PRECISION_MM), WIDEST_MM))
    is_odd = (sampled.samples.length_mm[wires.edge] <= 2.0 * precision_mm) | np.append(is_wide, True)[ends].any(axis=1)
    usable[wires.face_of_use[is_odd]] = False
    return FileBoundaries(wires, np.where(wires.backwards, ends[:, 1], ends[:, 0]), usable)


def _is_wide(solid: TopoDS_Shape, allowed_mm: float) -> NDArray[np.bool_]:
    """Shape (vertices,): edges end further than that from the vertex, as the transfer found it."""
    vertices = map_of(solid, TopAbs_VERTEX)
    if BRep_Tool.MaxTolerance_s(solid, TopAbs_VERTEX) <= allowed_mm:
        return np.zeros(vertices.Extent(), np.bool_)
    tolerance = BRep_Tool.Tolerance_s
    numbers = range(1, vertices.Extent() + 1)
    return np.array([tolerance(TopoDS.Vertex(vertices.FindKey(number))) > allowed_mm for number in numbers])
