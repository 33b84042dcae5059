"""Accuracy of recognition on parts of which only the triangles are left: bare GLB against exact geometry.

Holes one by one: a hole is found again when a hole of the mesh part has the same axis line, within a tenth of the
radius, a smallest diameter within one percent and at least half its length in common. What is left over on the mesh
side is false. All other kinds by area: recall is the fraction of a kind's area that has the same kind on the mesh part,
precision the fraction of the mesh part's that has it on the exact one. Then the holes again through meshes as other
exporters make them: coarse, fine, and with positions on a grid.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from benchmarks.floor import corpus
from benchmarks.table import Table
from fettle.errors import FettleError
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.recognize import recognize
from fettle.recognize.feature import Recognition, Role
from fettle.recognize.kinds import role_table
from fettle.recognize.kinds.hole import Hole
from tests.recognize.bare import bare_glb, on_grid, stock_mesh

PARTS = (
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_02_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_04_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "machined/featuretype.STEP",
    "printed/odri/foot_structure.STEP",
    "printed/odri/lower_leg_structure_base.STEP",
    "printed/odri/lower_leg_structure_fork.STEP",
    "printed/odri/transmission_pulley_at3_t10_motor.STEP",
    "printed/odri/transmission_pulley_at3_t10_center.STEP",
    "printed/odri/motor_antigravity_4004_custom_shaft.STEP",
    "printed/framework/ExpansionCard_SelfTapping.stp",
    "printed/framework/ExpansionCard_ThreadedInsert.stp",
    "printed/example-bracket.step",
)
EXPORTERS = {"chord 0.5 mm": (0.5, 0.5, 0), "chord 0.1 mm": (0.1, 0.35, 0), "14-bit grid": (0.1, 0.35, 14)}
"""Chord in mm, angle in radians, and bits of the grid or 0."""
DIAMETER_SLACK = 0.01


def tables() -> Iterator[Table]:
    folder = corpus()
    rows, notes = [], []
    total = right = wrong = 0
    shared = np.zeros((len(role_table()), len(role_table())))
    for name in PARTS:
        path = folder / name
        model = load(path.read_bytes(), path.name)
        known = recognize(model.part)
        exact = holes_of(known)
        data = bare_glb(model.mesh.points, model.mesh.triangles)
        start = time.process_time()
        try:
            bare = load(data, "part.glb")
        except FettleError as refusal:
            notes.append(f"{path.name}, refused: {refusal}")
            continue
        spent = time.process_time() - start
        part, seen = bare.part, recognize(bare.part)
        missing, false = match(exact, holes_of(seen))
        shared += role_areas((model, known), (bare, seen))
        found = len(exact) - len(missing)
        counts = (len(model.mesh.triangles), len(part.faces), len(exact), found, len(false))
        rows.append((path.name, *map(str, counts), f"{spent:.1f}"))
        for words, holes in (("lost", missing), ("false", false)):
            notes += [f"{path.name}, {words}: {_said(hole)}" for hole in holes]
        total, right, wrong = total + len(exact), right + found, wrong + len(false)
    yield Table(
        f"Holes: recall {right} of {total} = {right / max(total, 1):.3f}, {wrong} false",
        ("part", "triangles", "patches", "holes", "found", "false", "read, CPU s"),
        tuple(rows),
        tuple(notes),
    )
    kinds = sorted({_kind(role) for role in role_table().values()})
    yield Table(
        "All kinds, by area", ("kind", "area mm2", "recall", "precision"), tuple(_area(shared, kind) for kind in kinds)
    )
    yield Table(
        "Holes through meshes as other exporters make them",
        ("mesh", "recall", "found", "false", "parts whose mesh is not closed"),
        tuple(_through_exporter(words, way) for words, way in EXPORTERS.items()),
    )


def _area(shared: NDArray[np.float64], kind: str) -> tuple[str, str, str, str]:
    own = [code for code, role in role_table().items() if _kind(role) == kind]
    both, truth, claimed = shared[np.ix_(own, own)].sum(), shared[own].sum(), shared[:, own].sum()
    recall, precision = (f"{both / of:.1%}" if of else "-" for of in (truth, claimed))
    return kind, f"{truth:.0f}", recall, precision


def _through_exporter(words: str, way: tuple[float, float, int]) -> tuple[str, ...]:
    """Holes of all parts after the stock kernel has meshed them; its meshes are not always closed."""
    chord_mm, angle_rad, bits = way
    total = right = wrong = refused = 0
    for name in PARTS:
        path = corpus() / name
        exact = holes_of(recognize(load(path.read_bytes(), path.name).part))
        points, triangles = stock_mesh(path.read_bytes(), chord_mm, angle_rad)
        try:
            bare = load(bare_glb(on_grid(points, bits) if bits else points, triangles), "part.glb")
        except FettleError:
            refused += 1
            continue
        missing, false = match(exact, holes_of(recognize(bare.part)))
        total, right, wrong = total + len(exact), right + len(exact) - len(missing), wrong + len(false)
    return words, f"{right / max(total, 1):.3f}", f"{right} of {total}", str(wrong), str(refused)


def role_areas(exact: tuple[Model, Recognition], fitted: tuple[Model, Recognition]) -> NDArray[np.float64]:
    """Area (roles, roles) in mm2 that has one role on the exact part and another on the one of its bare triangles."""
    (model, known), (bare, seen) = exact, fitted
    centers, again = (one.mesh.points[one.mesh.triangles].mean(axis=1) for one in (model, bare))
    _, twin = cKDTree(again).query(centers)
    pairs = known.roles[model.mesh.triangle_face] * len(role_table()) + seen.roles[bare.mesh.triangle_face[twin]]
    areas = np.bincount(pairs, weights=model.mesh.triangle_areas_mm2(), minlength=len(role_table()) ** 2)
    return areas.astype(np.float64, copy=False).reshape(len(role_table()), len(role_table()))


def _kind(role: Role) -> str:
    """What a role is part of: hole walls, bottoms and countersinks are all of a hole."""
    if role.title == "Countersink":
        return "hole"
    return "wall" if role.title.startswith(("Outer", "Inner", "Slab")) else role.title.lower().split()[0]


def match(exact: list[Hole], fitted: list[Hole]) -> tuple[list[Hole], list[Hole]]:
    """Exact holes without a fitted one, and fitted ones without an exact one."""
    left = list(fitted)
    missing = []
    for hole in exact:
        twin = next((other for other in left if _same(hole, other)), None)
        if twin is None:
            missing.append(hole)
        else:
            left.remove(twin)
    return missing, left


def holes_of(found: Recognition) -> list[Hole]:
    """The holes among all features."""
    return [feature for feature in found.features if isinstance(feature, Hole)]


def _same(one: Hole, two: Hole) -> bool:
    if abs(one.diameter_mm - two.diameter_mm) > DIAMETER_SLACK * one.diameter_mm:
        return False
    axis, other = np.array(one.axis), np.array(two.axis)
    if abs(float(axis @ other)) < 0.99:
        return False
    offset = np.array(two.position_mm) - np.array(one.position_mm)
    start = float(offset @ axis)
    if float(np.linalg.norm(offset - start * axis)) > 0.05 * one.diameter_mm:
        return False
    end = start + two.total_depth_mm * float(other @ axis)
    common = min(one.total_depth_mm, max(start, end)) - max(0.0, min(start, end))
    return common > 0.5 * one.total_depth_mm


def _said(hole: Hole) -> str:
    place = ", ".join(f"{value:.2f}" for value in hole.position_mm)
    kind = "through" if hole.through else "blind"
    part = " partial" if hole.partial else ""
    return f"d {hole.diameter_mm:.3f} depth {hole.depth_mm:.3f} {kind}{part} at {place}"
