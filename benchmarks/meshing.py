"""CPU time of meshing at automatic density, against gmsh with the same edge length and curvature.

gmsh is no dependency: it runs in the interpreter named by FETTLE_BENCH_PYTHON, or in this one if it is installed;
without it the comparison is left out with a message. Ours is `base` and `refine`
together; the shape of a triangle is 1 where it is equilateral. `fails`: gmsh ends with an error on that part.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.floor import NO_COMPARISON, comparison_python, corpus
from benchmarks.table import Table
from fettle.geometry.kernel.sampled_shape import sample_shape
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


def tables() -> Iterator[Table]:
    folder = corpus()
    interpreter = comparison_python("gmsh")
    columns: tuple[str, ...] = (
        "part",
        "base ms",
        "refine ms",
        "triangles",
        "open edges",
        "shape: median",
        "shape: 5 %",
    )
    if interpreter is not None:
        columns += ("gmsh ms", "gmsh triangles", "gmsh over ours")
    rows = tuple(_row(folder / name, interpreter) for name in PARTS)
    yield Table("", columns, rows, () if interpreter else (NO_COMPARISON,))


def _row(path: Path, interpreter: str | None) -> tuple[str, ...]:
    options = MeshOptions()
    model = load(path.read_bytes(), path.name, options)
    refine(model.mesh, model.part, options)  # compiles, as in a running service
    solid = read_step(path.read_bytes(), path.name).shape
    sampled = sample_shape(number(solid))
    start = time.process_time()
    base = tessellate(solid, sampled, model.part.diagonal_mm, options).mesh
    middle = time.process_time()
    mesh = refine(base, model.part, options)
    end = time.process_time()
    median, low = np.quantile(_quality(mesh), [0.5, 0.05])
    times = (f"{1e3 * (middle - start):.0f}", f"{1e3 * (end - middle):.0f}")
    shape = (f"{median:.2f}", f"{low:.2f}")
    row = (path.stem, *times, str(len(mesh.triangles)), str(len(open_edges(mesh.welded))), *shape)
    if interpreter is None:
        return row
    arguments = [interpreter, "-c", GMSH, str(path), str(mesh.max_edge_mm), str(mesh.curvature)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return (*row, "fails", "-", "-")
    spent, count = done.stdout.split()[-2:]
    return (*row, f"{1e3 * float(spent):.0f}", count, f"{float(spent) / (end - start):.1f}")


def _quality(mesh: Mesh) -> NDArray[np.float64]:
    """Shape quality (m,) of the triangles: 1 is equilateral, 0 degenerate."""
    corners = mesh.points[mesh.triangles]
    squares = ((corners - np.roll(corners, -1, axis=1)) ** 2).sum(axis=(1, 2))
    quality: NDArray[np.float64] = 4.0 * np.sqrt(3.0) * mesh.triangle_areas_mm2() / squares
    return quality
