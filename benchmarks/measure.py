"""CPU time of all measurements, against the stock kernel, against gmsh + trimesh, and over the size of the mesh.

Smallest CPU time in ms of several rounds. `floor`: the stock kernel only reads and meshes the file. `whole`: ours, that
is read, heal, mesh, refine and measure (`analyze` less recognition, which has its own benchmark). `ratio`: median over
the rounds of whole over floor, because a slow spell of the machine falls on both. `pull`: measure again along another,
oblique pull direction; `share` is its fraction of `analyze`, `apart` the same with an analysis that was pickled.

gmsh and trimesh are no dependencies: they run in another interpreter, on the same parts at the same edge length, and
measure thickness only. To compare with them:

    python -m venv bench && bench/bin/pip install -r benchmarks/requirements.txt
    FETTLE_BENCH_PYTHON=bench/bin/python python -m benchmarks measure
"""

from __future__ import annotations

import gc
import pickle
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.floor import NO_COMPARISON, PARTS, Clock, best, comparison_python, corpus, floor
from benchmarks.table import Table
from fettle.analysis import analyze, with_pull
from fettle.geometry.load import load
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.model import Model
from fettle.recognize import recognize

GROWING = "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp"
SPHERES = 200
LIMIT_S = 120
"""Time limit for gmsh and trimesh on one part."""
QUICK_S = 5
"""gmsh and trimesh run again, up to half as often as ours, while a run takes less than this."""
OBLIQUE = "1,2,3"
ROUNDS = 6
COLUMNS: tuple[str, ...] = ("part", "faces", "triangles", "floor", "load", "refine", "measure", "whole", "ratio")
COLUMNS += ("pull", "share", "apart")

GMSH_TRIMESH = """
import sys, time, numpy as np, gmsh, trimesh
path, edge, curvature, spheres = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
start = time.process_time()
gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.occ.importShapes(path)
gmsh.model.occ.synchronize()
gmsh.option.setNumber("Mesh.MeshSizeMax", edge)
gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", curvature)
gmsh.model.mesh.generate(2)
tags, points, _ = gmsh.model.mesh.getNodes()
index = np.zeros(int(tags.max()) + 1, int); index[tags.astype(int)] = np.arange(len(tags))
_, corners = gmsh.model.mesh.getElementsByType(2)
mesh = trimesh.Trimesh(points.reshape(-1, 3), index[corners.astype(int)].reshape(-1, 3), process=True)
meshed = time.process_time() - start
sampled = np.linspace(0, len(mesh.vertices) - 1, spheres).astype(int)
def spent(rows, method):
    start = time.process_time()
    trimesh.proximity.thickness(mesh, mesh.vertices[rows], normals=mesh.vertex_normals[rows], method=method)
    return (time.process_time() - start) * len(mesh.vertices) / len(rows)
engine = type(mesh.ray).__module__.rsplit(".", 1)[-1]
rows = np.arange(len(mesh.vertices))
print(meshed, spent(rows, "ray"), spent(sampled, "max_sphere"), len(mesh.faces), engine)
"""


def tables() -> Iterator[Table]:
    folder = corpus()
    warm = load((folder / "machined/pockets/pockets_3.stp").read_bytes(), "pockets_3.stp")
    with_pull(analyze(warm.part, refine(warm.mesh, warm.part, MeshOptions())), OBLIQUE)
    # As the fork server does: a garbage collection would visit a quarter of a million objects of the kernel bindings.
    gc.freeze()
    interpreter = comparison_python("gmsh, trimesh, embreex, rtree")
    columns = COLUMNS
    if interpreter is not None:
        columns += ("rays", "rays over ours", "balls", "balls over ours")
    note = f"rays, balls: gmsh + trimesh, read + mesh + thickness; balls scaled up from {SPHERES} points."
    rows = tuple(_row(folder / name, interpreter) for name in PARTS)
    yield Table("", columns, rows, (note if interpreter else NO_COMPARISON,))
    yield _grow(folder / GROWING)


def _row(path: Path, interpreter: str | None) -> tuple[str, ...]:
    data = path.read_bytes()
    model = load(data, path.name)
    mesh = refine(model.mesh, model.part, MeshOptions())
    clock = Clock()
    for _ in range(ROUNDS):
        clock.time("floor", floor, data)
        clock.time("load", load, data, path.name)
        clock.time("refine", refine, model.mesh, model.part, MeshOptions())
        clock.time("recognize", recognize, model.part)
        found = clock.time("analyze", analyze, model.part, mesh)
        clock.time("pull", with_pull, found, OBLIQUE)
        clock.time("apart", with_pull, pickle.loads(pickle.dumps(found)), OBLIQUE)
    best = clock.best_ms
    measure_ms = best["analyze"] - best["recognize"]
    whole = best["load"] + best["refine"] + measure_ms
    ratio = clock.median_ratio({"load": 1, "refine": 1, "analyze": 1, "recognize": -1}, to="floor")
    spent_ms = (best["floor"], best["load"], best["refine"], measure_ms, whole)
    shares = (best["pull"] / best["analyze"], best["apart"] / best["analyze"])
    row = (
        *(path.name, str(len(model.part.faces)), str(len(mesh.triangles)), *(f"{one:.0f}" for one in spent_ms)),
        *(f"{ratio:.2f}", f"{best['pull']:.0f}", *(f"{share:.2f}" for share in shares)),
    )
    if interpreter is None:
        return row
    times = _gmsh_trimesh(interpreter, path, mesh)
    if isinstance(times, str):
        return (*row, times, "-", "-", "-")
    rays, balls = times
    return (*row, f"{rays:.0f}", f"{rays / whole:.1f}", f"{balls:.0f}", f"{balls / whole:.0f}")


def _gmsh_trimesh(interpreter: str, path: Path, mesh: Mesh) -> tuple[float, float] | str:
    """Smallest CPU times in ms of gmsh and trimesh to read, mesh and measure thickness by rays, and by balls; or a text
    that says why there is none."""
    arguments = [interpreter, "-c", GMSH_TRIMESH, str(path), str(mesh.max_edge_mm), str(mesh.curvature), str(SPHERES)]
    rays, balls = [], []
    for _ in range(ROUNDS // 2):
        start = time.monotonic()
        try:
            done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return f"gmsh and trimesh were not done after {LIMIT_S} s"
        if done.returncode != 0:
            return "gmsh or trimesh died on this part"
        meshed, ray, ball = (1e3 * float(value) for value in done.stdout.split()[-5:-2])
        rays.append(meshed + ray)
        balls.append(meshed + ball)
        if time.monotonic() - start > QUICK_S:
            break
    return min(rays), min(balls)


def _grow(path: Path) -> Table:
    """Time per triangle as the mesh is refined: nearly constant if the time grows with n log n."""
    model = load(path.read_bytes(), path.name)
    rows = []
    for parts in (20, 40, 80, 160):
        mesh = _refined(model, parts)
        spent = best(partial(analyze, model.part, mesh))[0]
        rows.append((str(len(mesh.triangles)), f"{spent:.0f}", f"{1e3 * spent / len(mesh.triangles):.1f}"))
    return Table(f"Growth on {path.name}", ("triangles", "ms", "us a triangle"), tuple(rows))


def _refined(model: Model, edges_per_diagonal: int) -> Mesh:
    return refine(model.mesh, model.part, MeshOptions(model.part.diagonal_mm / edges_per_diagonal))
