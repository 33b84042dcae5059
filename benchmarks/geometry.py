"""CPU time of reading parts, against the stock kernel that only reads and meshes the same file (`floor`).

Smallest CPU time in ms of several rounds on one thread; both alternate, so that a busy machine slows both. `quick` is
all the work of quick-info: read, heal, mesh, exact geometry and GLB. `child MB` is the peak memory of a sandboxed child
process that does the same work, libraries included.
"""

from __future__ import annotations

import gc
import resource
from collections.abc import Iterator
from pathlib import Path

from benchmarks.floor import PARTS, Clock, corpus, floor
from benchmarks.table import Table
from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.geometry import warmup
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.kernel.curves import sample
from fettle.geometry.kernel.shape_to_part import read_part
from fettle.geometry.kernel.step import read_step
from fettle.geometry.kernel.tessellate import tessellate
from fettle.geometry.kernel.topology import number
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.part import Freeform, Part, Source

LEAST_ROUNDS = 3
LEAST_MS = 2000.0
"""Smallest number of rounds, and CPU time in ms until which rounds are added: small parts are noisier."""

SOURCE = Source("STEP", "", "", exact=True, warnings=())


def warm_up() -> None:
    """Warm up the kernel, once in the fork server."""
    warmup.warm_up()


def tables() -> Iterator[Table]:
    folder = corpus()
    warm_up()
    # as the fork server does: a collection would look at a quarter of a million objects of the bindings
    gc.freeze()
    columns = ("part", "faces", "splines", "read", "mesh", "exact", "GLB", "quick", "floor", "ratio", "child MB")
    yield Table("", columns, tuple(_row(folder / name) for name in PARTS))


def _row(path: Path) -> tuple[str, ...]:
    data = path.read_bytes()
    part = _quick(data)[0]
    clock = Clock()
    rounds, spent = 0, 0.0
    while rounds < LEAST_ROUNDS or spent < LEAST_MS:
        clock.time("floor", floor, data)
        shape = clock.time("read", read_step, data, path.name).shape
        topology = number(shape)
        clock.time("mesh", tessellate, shape, topology, sample(topology.edges), part.diagonal_mm, MeshOptions())
        _, mesh = clock.time("quick", _quick, data)
        clock.time("glb", write_glb, mesh)
        rounds += 1
        spent += clock.best_ms["quick"] + clock.best_ms["floor"]
    best = clock.best_ms
    splines = sum(isinstance(face.surface, Freeform) for face in part.faces)
    exact_ms = best["quick"] - best["read"] - best["mesh"] - best["glb"]
    child_mb = sandbox.run(child_peak_mb, (data,), Limits())
    spent_ms = (best["read"], best["mesh"], exact_ms, best["glb"], best["quick"], best["floor"])
    times = (f"{one:.0f}" for one in spent_ms)
    counts = (str(len(part.faces)), str(splines))
    return path.name, *counts, *times, f"{best['quick'] / best['floor']:.2f}", f"{child_mb:.0f}"


def _quick(data: bytes) -> tuple[Part, Mesh]:
    part, mesh = read_part(read_step(data, "part.step").shape, MeshOptions(), SOURCE, "part.step")
    write_glb(mesh)
    return part, mesh


def child_peak_mb(data: bytes) -> float:
    """Peak memory of this process after quick-info's work."""
    _quick(data)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
