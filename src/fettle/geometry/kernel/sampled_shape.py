"""A shape as tables: who bounds whom, the surfaces of its faces, and points along its edges."""

from __future__ import annotations

from typing import NamedTuple

from fettle.geometry.kernel.curves import Samples, sample
from fettle.geometry.kernel.frames import SurfaceFrames, read_frames
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.kernel.wires import Wires, order_wires


class SampledShape(NamedTuple):
    """The numbering of a shape, the wires and the surfaces of its faces, and samples of its edges."""

    topology: Topology
    wires: Wires
    surfaces: SurfaceFrames
    samples: Samples


def sample_shape(topology: Topology, surfaces: SurfaceFrames | None = None) -> SampledShape:
    """`surfaces`: of the faces, where they were read before."""
    surfaces = surfaces or read_frames(topology.faces)
    return SampledShape(topology, order_wires(topology), surfaces, sample(topology.edges))
