"""Reading parts against the floor: what the stock kernel needs only to read and mesh the same file.

CPU milliseconds of one thread, best of two, all in this process. `quick` is quick-info's whole work: read, heal, mesh,
exact geometry and GLB. With gmsh at hand, its meshing of the same part at the same edge length is set beside ours.
"""

from __future__ import annotations

import resource
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from benchmarks.floor import PARTS, best, corpus, floor
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.kernel.brep import read_part
from fettle.geometry.kernel.step import read_step
from fettle.geometry.mesh import AUTO_CURVATURE, MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.part import Freeform, Source

GMSH_MAX_FACES = 200
"""Larger parts take gmsh half a minute each."""


def main() -> None:
    folder = corpus()
    sys.stdout.write(f"{'part':34} {'faces':>5} {'spline':>6} {'read':>6} {'part':>6} {'glb':>5} {'quick':>6}")
    sys.stdout.write(f" {'floor':>6} {'ratio':>5} {'refine':>6} {'gmsh':>7} {'times':>6}\n")
    for name in PARTS:
        _row(folder / name)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"peak memory of this process {peak:.0f} MB\n")


def _row(path: Path) -> None:
    data = path.read_bytes()
    source = Source("STEP", "", "", exact=True, warnings=())
    read_ms = best(lambda: read_step(data, path.name))[0]
    quick_ms, (part, mesh) = best(lambda: _quick(data, path.name, source))
    glb_ms = best(lambda: write_glb(mesh))[0]
    floor_ms = best(lambda: floor(data))[0]
    refine_ms, fine = best(lambda: refine(mesh, part, MeshOptions()))
    splines = sum(isinstance(face.surface, Freeform) for face in part.faces)
    sys.stdout.write(
        f"{path.name[:34]:34} {len(part.faces):5} {splines:6} {read_ms:6.0f} {quick_ms - read_ms - glb_ms:6.0f} "
        f"{glb_ms:5.1f} {quick_ms:6.0f} {floor_ms:6.0f} {quick_ms / floor_ms:5.2f} {refine_ms:6.0f}"
    )
    if find_spec("gmsh") and len(part.faces) <= GMSH_MAX_FACES:
        gmsh_ms = _gmsh(path, fine.max_edge_mm)
        sys.stdout.write(f" {gmsh_ms:7.0f} {gmsh_ms / (quick_ms - read_ms - glb_ms + refine_ms):6.1f}")
    sys.stdout.write("\n")
    sys.stdout.flush()


def _quick(data: bytes, name: str, source: Source):
    part, mesh = read_part(read_step(data, name).shape, MeshOptions(), source, name)
    write_glb(mesh)
    return part, mesh


def _gmsh(path: Path, max_edge_mm: float) -> float:
    import gmsh

    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.option.setNumber("General.NumThreads", 1)
    gmsh.option.setString("Geometry.OCCTargetUnit", "MM")
    gmsh.option.setNumber("Mesh.MeshSizeMax", max_edge_mm)
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", AUTO_CURVATURE)
    gmsh.open(str(path))
    start = time.process_time()
    gmsh.model.mesh.generate(2)
    spent = time.process_time() - start
    gmsh.finalize()
    return spent * 1e3
