"""CPU time of meshing at automatic density, against gmsh with the same edge length and curvature.

gmsh is no dependency: it runs in the interpreter named by FETTLE_BENCH_PYTHON, or in this one if it is installed;
without it the comparison is left out with a message.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.floor import comparison_python, corpus
from fettle.geometry.kernel.step import read_step
from fettle.geometry.kernel.tessellate import tessellate
from fettle.geometry.kernel.topology import number
from fettle.geometry.load import load
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.meshing.weld import open_edges

PARTS = (
    "machined/featuretype.STEP",
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "printed/odri/foot_structure.STEP",
    "printed/odri/lower_leg_structure_fork.STEP",
    "printed/framework/ExpansionCard_ThreadedInsert.stp",
    "units/twins/base_interface_AP214.STEP",
)
GMSH = """
import sys, time, gmsh
path, edge, curvature = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.occ.importShapes(path)
gmsh.model.occ.synchronize()
gmsh.option.setNumber("Mesh.MeshSizeMax", edge)
gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", curvature)
start = time.process_time()
gmsh.model.mesh.generate(2)
spent = time.process_time() - start
print(spent, sum(len(tags) for tags in gmsh.model.mesh.getElements(2)[1]))
"""


def main() -> None:
    folder = corpus()
    interpreter = comparison_python("gmsh")
    print("CPU ms; L = auto max_edge; q = shape, 1 is equilateral (median / 5 % quantile)")
    ours = f"{'part':32} {'base':>6} {'refine':>6} {'triangles':>9} {'open':>4} {'q':>9}"
    print(f"{ours}  {'gmsh':>7} {'triangles':>9} {'ratio':>6}")
    for name in PARTS:
        _row(folder / name, interpreter)


def _row(path: Path, interpreter: str | None) -> None:
    options = MeshOptions()
    model = load(path.read_bytes(), path.name, options)
    refine(model.mesh, model.part, options)  # compiles, as in a running service
    shape = read_step(path.read_bytes(), path.name).shape
    topology = number(shape)
    start = time.process_time()
    base = tessellate(shape, topology, model.part.diagonal_mm, options).mesh
    middle = time.process_time()
    mesh = refine(base, model.part, options)
    end = time.process_time()
    median, low = np.quantile(_quality(mesh), [0.5, 0.05])
    line = (
        f"{path.stem[:32]:32} {1e3 * (middle - start):6.0f} {1e3 * (end - middle):6.0f} {len(mesh.triangles):9,} "
        f"{len(open_edges(mesh.welded)):4} {median:4.2f}/{low:4.2f}"
    )
    if interpreter is not None:
        arguments = [interpreter, "-c", GMSH, str(path), str(mesh.max_edge_mm), str(mesh.curvature)]
        spent, count = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()[-2:]
        line += f"  {1e3 * float(spent):7.0f} {int(count):9,} {float(spent) / (end - start):5.1f}x"
    print(line, flush=True)


def _quality(mesh: Mesh) -> NDArray[np.float64]:
    """Shape quality (m,) of the triangles: 1 is equilateral, 0 degenerate."""
    corners = mesh.points[mesh.triangles]
    squares = ((corners - np.roll(corners, -1, axis=1)) ** 2).sum(axis=(1, 2))
    quality: NDArray[np.float64] = 4.0 * np.sqrt(3.0) * mesh.triangle_areas_mm2() / squares
    return quality


if __name__ == "__main__":
    main()
