"""Reading parts against the floor: what the stock kernel needs only to read and mesh the same file.

CPU milliseconds of one thread, best of two, all in this process. `quick` is quick-info's whole work: read, heal, mesh,
exact geometry and GLB. With gmsh at hand, its meshing of the same part at the same edge length is set beside ours.
"""

from __future__ import annotations

import io
import math
import os
import resource
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import numpy as np
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.STEPControl import STEPControl_Reader

from fettle.geometry.box import loose_box
from fettle.geometry.brep import read_part
from fettle.geometry.glb import write_glb
from fettle.geometry.mesh import AUTO_CURVATURE, MeshOptions
from fettle.geometry.part import Freeform, Source
from fettle.geometry.refine import refine
from fettle.geometry.step import read_step
from fettle.geometry.tessellate import DEFLECTION_PER_DIAGONAL

CORPUS = Path(os.environ.get("FETTLE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
PARTS = (
    "machined/pockets/pockets_3.stp",
    "machined/featuretype.STEP",
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_02_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_04_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "printed/odri/foot_structure.STEP",
    "printed/odri/lower_leg_structure_base.STEP",
    "printed/framework/ExpansionCard_SelfTapping.stp",
    "printed/example-bracket.step",
    "units/boxed_sphere.step",
)
REPEATS = 2
GMSH_MAX_FACES = 200
"""Larger parts take gmsh half a minute each."""

T = TypeVar("T")


def main() -> None:
    if not CORPUS.is_dir():
        sys.stdout.write(f"no corpus at {CORPUS}; set FETTLE_CORPUS to a folder of part files\n")
        return
    sys.stdout.write(f"{'part':34} {'faces':>5} {'spline':>6} {'read':>6} {'part':>6} {'glb':>5} {'quick':>6}")
    sys.stdout.write(f" {'floor':>6} {'ratio':>5} {'refine':>6} {'gmsh':>7} {'times':>6}\n")
    for name in PARTS:
        _row(CORPUS / name)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"peak memory of this process {peak:.0f} MB\n")


def _row(path: Path) -> None:
    data = path.read_bytes()
    source = Source("STEP", "", "", exact=True, warnings=())
    read_ms = _best(lambda: read_step(data, path.name))[0]
    quick_ms, (part, mesh) = _best(lambda: _quick(data, path.name, source))
    glb_ms = _best(lambda: write_glb(mesh))[0]
    floor_ms = _best(lambda: floor(data))[0]
    refine_ms, fine = _best(lambda: refine(mesh, part, MeshOptions()))
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


def floor(data: bytes) -> None:
    """Read and mesh a file with the stock kernel, and nothing else."""
    reader = STEPControl_Reader()
    reader.ReadStream("floor", io.BytesIO(data))
    reader.TransferRoots()
    shape = reader.OneShape()
    box = loose_box(shape)
    deflection = float(np.linalg.norm(box[1] - box[0])) * DEFLECTION_PER_DIAGONAL
    BRepMesh_IncrementalMesh(shape, deflection, False, 2 * math.pi / AUTO_CURVATURE, False)


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


def _best(work: Callable[[], T]) -> tuple[float, T]:
    """Least CPU milliseconds, and the value; one run before the clock starts, for what is compiled or cached."""
    value = work()
    spent = []
    for _ in range(REPEATS):
        start = time.process_time()
        value = work()
        spent.append(time.process_time() - start)
    return min(spent) * 1e3, value
