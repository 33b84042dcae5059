"""Measuring against the floor, against gmsh + trimesh, and how it grows with the mesh.

CPU milliseconds. The floor is what the stock kernel needs only to read and mesh the file; `whole` is ours: read, heal,
mesh, refine and every measurement (recognition has its own benchmark). gmsh and trimesh are no dependencies: they run
in the interpreter named by FETTLE_BENCH_PYTHON, on the same parts at the same edge length, and measure thickness alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.geometry import _floor
from fettle.analysis import Options, _sight, _turn
from fettle.geometry.load import Model, load
from fettle.geometry.mesh import Mesh, MeshOptions
from fettle.geometry.part import Part
from fettle.geometry.refine import refine
from fettle.measure.ball import plant
from fettle.measure.ground import survey
from fettle.measure.thickness import INTO_MATERIAL, OUT_OF_MATERIAL, measure_walls

CORPUS = Path(os.environ.get("FETTLE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
PARTS = (
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_02_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_04_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "printed/odri/foot_structure.STEP",
    "printed/odri/lower_leg_structure_base.STEP",
    "printed/framework/ExpansionCard_SelfTapping.stp",
    "printed/example-bracket.step",
)
COMPARED = ("machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp", "printed/odri/lower_leg_structure_fork.STEP")
GROWING = "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp"
REPEATS = 2
SPHERES = 200

THEIRS = """
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
few = np.linspace(0, len(mesh.vertices) - 1, spheres).astype(int)
def spent(rows, method):
    start = time.process_time()
    trimesh.proximity.thickness(mesh, mesh.vertices[rows], normals=mesh.vertex_normals[rows], method=method)
    return (time.process_time() - start) * len(mesh.vertices) / len(rows)
engine = type(mesh.ray).__module__.rsplit(".", 1)[-1]
rows = np.arange(len(mesh.vertices))
print(meshed, spent(rows, "ray"), spent(few, "max_sphere"), len(mesh.faces), engine)
"""

T = TypeVar("T")


def main() -> None:
    if not CORPUS.is_dir():
        sys.stdout.write(f"no corpus at {CORPUS}; set FETTLE_CORPUS to a folder of part files\n")
        return
    warm = load((CORPUS / "machined/pockets/pockets_3.stp").read_bytes(), "pockets_3.stp")
    _measure(warm.part, refine(warm.mesh, warm.part, MeshOptions()))
    head = f"{'part':34} {'faces':>5} {'triangles':>9} {'points':>7} {'floor':>6} {'load':>6} {'refine':>6}"
    sys.stdout.write(f"{head} {'measure':>7} {'whole':>6} {'ratio':>5} {'turn':>5} {'share':>5}\n")
    for name in PARTS:
        _row(CORPUS / name)
    _grow(CORPUS / GROWING)
    _compare()


def _measure(part: Part, mesh: Mesh) -> None:
    """What `analyze` does, recognition left out."""
    ground = survey(part, mesh)
    tree = plant(mesh)
    measure_walls(ground, tree, INTO_MATERIAL)
    measure_walls(ground, tree, OUT_OF_MATERIAL)
    _turn(ground, _sight(ground, Options()), Options())


def _turned(part: Part, mesh: Mesh) -> None:
    """What `turn` does."""
    ground, options = survey(part, mesh), Options(pull="1,0,0")
    _turn(ground, _sight(ground, options), options)


def _row(path: Path) -> None:
    data = path.read_bytes()
    floor = _best(lambda: _floor(data))[0]
    load_ms, model = _best(lambda: load(data, path.name))
    refine_ms, mesh = _best(lambda: refine(model.mesh, model.part, MeshOptions()))
    measure_ms = _best(lambda: _measure(model.part, mesh))[0]
    turn_ms = _best(lambda: _turned(model.part, mesh))[0]
    whole = load_ms + refine_ms + measure_ms
    sys.stdout.write(
        f"{path.name[:34]:34} {len(model.part.faces):5} {len(mesh.triangles):9,} {len(mesh.points):7,} {floor:6.0f} "
        f"{load_ms:6.0f} {refine_ms:6.0f} {measure_ms:7.0f} {whole:6.0f} {whole / floor:5.2f} {turn_ms:5.0f} "
        f"{turn_ms / measure_ms:5.2f}\n"
    )
    sys.stdout.flush()


def _grow(path: Path) -> None:
    """Time per triangle as the mesh is refined: n log n means it hardly moves."""
    sys.stdout.write(f"\ngrowth on {path.name}\n{'triangles':>10} {'ms':>7} {'us/triangle':>11}\n")
    model = load(path.read_bytes(), path.name)
    for parts in (20, 40, 80, 160):
        mesh = _refined(model, parts)
        spent = _best(lambda mesh=mesh: _measure(model.part, mesh))[0]
        sys.stdout.write(f"{len(mesh.triangles):10,} {spent:7.0f} {1e3 * spent / len(mesh.triangles):11.1f}\n")


def _refined(model: Model, edges_per_diagonal: int) -> Mesh:
    return refine(model.mesh, model.part, MeshOptions(model.part.diagonal_mm / edges_per_diagonal))


def _compare() -> None:
    interpreter = os.environ.get("FETTLE_BENCH_PYTHON", sys.executable)
    probe = [interpreter, "-c", "import gmsh, trimesh, embreex, rtree"]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        sys.stdout.write(
            f"\ngmsh, trimesh, embreex and rtree are not all importable by {interpreter}; set FETTLE_BENCH_PYTHON\n"
        )
        return
    head = f"{'part':34} {'ours':>6} {'theirs, ray':>11} {'times':>6} {'theirs, ball':>12} {'times':>6}"
    sys.stdout.write(
        f"\nread, mesh and measure; theirs thickness only, balls scaled up from {SPHERES} points\n{head}\n"
    )
    for name in COMPARED:
        path = CORPUS / name
        load_ms, model = _best(lambda path=path: load(path.read_bytes(), path.name))
        refine_ms, mesh = _best(lambda model=model: refine(model.mesh, model.part, MeshOptions()))
        ours = load_ms + refine_ms + _best(lambda model=model, mesh=mesh: _measure(model.part, mesh))[0]
        arguments = [interpreter, "-c", THEIRS, str(path), str(mesh.max_edge_mm), str(mesh.curvature), str(SPHERES)]
        answer = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()[-5:]
        meshed, ray, ball = (1e3 * float(value) for value in answer[:3])
        sys.stdout.write(
            f"{path.name[:34]:34} {ours:6.0f} {meshed + ray:11.0f} {(meshed + ray) / ours:5.1f}x {meshed + ball:12.0f} "
            f"{(meshed + ball) / ours:5.1f}x  ({int(answer[3]):,} triangles, rays by {answer[4]})\n"
        )


def _best(work: Callable[[], T]) -> tuple[float, T]:
    """Least CPU milliseconds of a few runs, and the answer."""
    least, answer = float("inf"), None
    for _ in range(REPEATS):
        start = time.process_time()
        answer = work()
        least = min(least, 1e3 * (time.process_time() - start))
    assert answer is not None or least < float("inf")
    return least, answer  # type: ignore[return-value]


if __name__ == "__main__":
    main()
