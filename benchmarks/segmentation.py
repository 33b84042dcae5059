"""Accuracy and CPU time of the segmentation that recovers the faces of a part from its triangles alone.

Each STEP part is tessellated, written as a bare GLB and read back. A triangle counts as right when its patch is of the
same kind as the face it came from, with radii (and a cone's angle) within 1 %. Freeform faces are left out of the
fraction: there is no right kind for them. The last rows show one part at several densities, for the growth of the time,
and with its positions rounded to a grid as quantized files have them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.floor import corpus
from benchmarks.table import Table
from fettle.errors import FettleError
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.model import Model
from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus

PARTS = (
    "machined/nist-ctc/*",
    "machined/featuretype.STEP",
    "machined/pockets/*",
    "machined/chamfers/*",
    "labelled/cadnet/*",
)
PER_FOLDER = 6
VARIED = "machined/nist-ctc/nist_ctc_02_asme1_ap242-e2.stp"
ELEMENTS_PER_TURN = (12.0, 24.0, 48.0, 96.0)
GRID_BITS = (16, 14, 12)


@dataclass(frozen=True, slots=True)
class Score:
    """Fractions of the area of analytic faces; `seconds`: CPU time from GLB bytes to `Part`."""

    right: float
    right_kind: float
    analytic: float
    triangles: int
    faces: int
    patches: int
    seconds: float


def compare(model: Model) -> Score:
    """Read the model's mesh back as a bare GLB and compare face by face."""
    glb = write_glb(model.mesh)
    started = time.process_time()
    bare = load(glb, "bare.glb")
    part, mesh = bare.part, bare.mesh
    seconds = time.process_time() - started
    # the preview stands upright: (x, y, z) of the part is at (x, z, -y)
    centers = model.mesh.points[model.mesh.triangles].mean(axis=1)[:, [0, 2, 1]] * [1.0, 1.0, -1.0]
    _, found = cKDTree(mesh.points[mesh.triangles].mean(axis=1)).query(centers)
    areas = model.mesh.triangle_areas_mm2()
    pairs = np.column_stack([model.mesh.triangle_face, mesh.triangle_face[found]])
    unique, which = np.unique(pairs, axis=0, return_inverse=True)
    weights = np.bincount(which, weights=areas)
    analytic, kind, right = 0.0, 0.0, 0.0
    for (face, patch), weight in zip(unique.tolist(), weights.tolist(), strict=True):
        truth, fitted = model.part.faces[face].surface, part.faces[patch].surface
        if isinstance(truth, Freeform):
            continue
        analytic += weight
        if type(truth) is type(fitted):
            kind += weight
            right += weight if _close(truth, fitted) else 0.0
    total = float(areas.sum())
    return Score(
        right / max(analytic, 1e-300),
        kind / max(analytic, 1e-300),
        analytic / total,
        len(mesh.triangles),
        len(model.part.faces),
        len(part.faces),
        seconds,
    )


def _close(truth: Surface, fitted: Surface) -> bool:
    match truth, fitted:
        case Plane(), Plane():
            return True
        case Cylinder(), Cylinder():
            sizes = [(truth.radius_mm, fitted.radius_mm)]
        case Cone(), Cone():
            sizes = [(truth.half_angle_deg, fitted.half_angle_deg)]
        case Sphere(), Sphere():
            sizes = [(truth.radius_mm, fitted.radius_mm)]
        case Torus(), Torus():
            sizes = [
                (truth.major_radius_mm, fitted.major_radius_mm),
                (truth.minor_radius_mm, fitted.minor_radius_mm),
            ]
        case _:
            return False
    return all(abs(a - b) <= 0.01 * a for a, b in sizes)


def rounded(model: Model, bits: int) -> Model:
    """The model with its mesh on a grid of 2 ** bits steps along the longest side of its box."""
    low, high = model.part.box
    step = float((high - low).max()) / (2**bits - 1)
    points = np.round((model.mesh.points - low) / step) * step + low
    return replace(model, mesh=replace(model.mesh, points=points))


def tables() -> Iterator[Table]:
    folder = corpus()
    rows, refused = [], []
    for pattern in PARTS:
        for path in sorted(p for p in folder.glob(pattern) if p.suffix.lower() in {".step", ".stp"})[:PER_FOLDER]:
            try:
                rows.append(_row(path.name, compare(load(path.read_bytes(), path.name))))
            except FettleError as fault:
                refused.append(f"{path.name}: {type(fault).__name__}: {fault}")
    columns = ("part", "triangles", "faces", "patches", "analytic", "right kind", "right", "CPU s")
    yield Table("", columns, tuple(rows), tuple(refused))
    data = (folder / VARIED).read_bytes()
    model = load(data, VARIED)
    rows = [
        _row(f"{turn:g} elements per turn", compare(load(data, VARIED, MeshOptions(curvature=turn))))
        for turn in ELEMENTS_PER_TURN
    ]
    rows += [_row(f"positions of {bits} bits", compare(rounded(model, bits))) for bits in GRID_BITS]
    yield Table(Path(VARIED).name, columns, tuple(rows))


def _row(name: str, score: Score) -> tuple[str, ...]:
    fractions = (f"{score.analytic:.1%}", f"{score.right_kind:.2%}", f"{score.right:.2%}", f"{score.seconds:.2f}")
    return name, str(score.triangles), str(score.faces), str(score.patches), *fractions
