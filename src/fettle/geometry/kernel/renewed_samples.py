"""A shape of which some faces were repaired, numbered and sampled: what the repair left alone is taken over."""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.TopoDS import TopoDS_Shape

from fettle.geometry.kernel.curves import Samples, sample
from fettle.geometry.kernel.frames import WIDTH, SurfaceFrames, read_frames
from fettle.geometry.kernel.sampled_shape import SampledShape, sample_shape
from fettle.geometry.kernel.topology import KeptFaces, Topology, number
from fettle.geometry.kernel.wires import Wires, order_wires

Index = NDArray[np.int64]


def renew(shape: TopoDS_Shape, before: SampledShape, repaired: NDArray[np.bool_]) -> SampledShape:
    """`shape`: what became of the shape `before` by a repair of the faces `repaired` (faces,), which may have changed
    their edges in place, and replaced faces beside them."""
    old = before.topology
    is_touched = _touched(old, repaired)
    known = _kept(old, is_touched)
    topology = number(shape, known)
    surfaces = _reread(topology, before.surfaces, known)
    if is_touched.all():
        return sample_shape(topology, surfaces)
    source = _source_of(topology, old)
    source[is_touched[source]] = -1
    return SampledShape(topology, order_wires(topology), surfaces, _resample(topology, before.samples, source))


def renumber(shape: TopoDS_Shape, old: Topology, repaired: NDArray[np.bool_]) -> tuple[Topology, Wires]:
    """The same without surfaces and samples, for a shape that an assembly puts somewhere else."""
    topology = number(shape, _kept(old, _touched(old, repaired)))
    return topology, order_wires(topology)


def _touched(old: Topology, repaired: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Shape (edges,): edges of the faces `repaired` (faces,)."""
    is_touched = np.zeros(len(old.edges), np.bool_)
    is_touched[_edges_of(old, np.flatnonzero(repaired).tolist())] = True
    return is_touched


def _kept(old: Topology, is_touched: NDArray[np.bool_]) -> KeptFaces:
    """The faces whose edges are all as they were."""
    return KeptFaces(old, [not is_touched[_edges_of(old, [face])].any() for face in range(len(old.faces))])


def _reread(topology: Topology, before: SurfaceFrames, known: KeptFaces) -> SurfaceFrames:
    """Surfaces of the faces, those of faces that were kept taken from before."""
    source = np.array([known.number_of(face) for face in topology.faces], np.int64)
    is_new = source < 0
    kinds, frames = np.empty(len(source), np.int8), np.empty((len(source), WIDTH))
    kinds[~is_new], frames[~is_new] = (table[source[~is_new]] for table in before)
    kinds[is_new], frames[is_new] = read_frames([topology.faces[face] for face in np.flatnonzero(is_new).tolist()])
    return SurfaceFrames(kinds, frames)


def _edges_of(topology: Topology, faces: list[int]) -> list[int]:
    uses = [use.number for face in faces for use in chain.from_iterable(topology.wires[face])]
    return uses + [tip for face in faces for tip, _ in topology.tips[face]]


def _source_of(topology: Topology, old: Topology) -> Index:
    """Shape (edges,): number that each edge had, -1 for a new one."""
    known, numbers = ShapeMap(), []
    for edge_number, edge in enumerate(old.edges):
        if edge is not None:
            known.Add(edge)
            numbers.append(edge_number)
    found = [0 if edge is None else known.FindIndex(edge) for edge in topology.edges]
    return np.array([-1, *numbers], np.int64)[found]


def _resample(topology: Topology, before: Samples, source: Index) -> Samples:
    """Samples of the edges, those of edges with a `source` (edges,) taken from there."""
    is_known = source >= 0
    fresh = sample([None if known else edge for edge, known in zip(topology.edges, is_known.tolist(), strict=True)])
    counts = np.where(is_known, np.diff(before.start)[source], np.diff(fresh.start))
    start = np.concatenate([[0], np.cumsum(counts)])
    begins = np.where(is_known, before.start[source], len(before.points) + fresh.start[:-1])
    rows = np.repeat(begins - start[:-1], counts) + np.arange(start[-1])
    points, steps = (
        np.concatenate([getattr(one, name) for one in (before, fresh)])[rows] for name in ("points", "steps")
    )
    points.setflags(write=False)
    by_edge = {
        name: np.where(
            is_known.reshape(-1, *[1] * (getattr(fresh, name).ndim - 1)),
            getattr(before, name)[source],
            getattr(fresh, name),
        )
        for name in ("length_mm", "bounds", "loose", "conic_kind", "conics")
    }
    curves = [fresh.curves[edge] if old < 0 else before.curves[old] for edge, old in enumerate(source.tolist())]
    return Samples(curves, start, points, steps, **by_edge)
