"""What a file becomes: the part and its base mesh, in a module that imports no kernel."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.part import Part


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """`mesh` is the base tessellation: curvature-controlled, watertight where the part is, edges not bounded.

    `options`: how the mesh was asked for, and how it is to be refined.
    """

    part: Part
    mesh: Mesh
    options: MeshOptions = MeshOptions()
