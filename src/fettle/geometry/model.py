"""The part and its base mesh, read from a file; imports no kernel."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.part import Part


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A part and `mesh`, its base tessellation: curvature-controlled, watertight where the part is, edges not bounded.

    `options`: mesh density that was asked for, also for refining.
    """

    part: Part
    mesh: Mesh
    options: MeshOptions = MeshOptions()
