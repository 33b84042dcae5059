"""Verdicts of real parts in other positions: turned at random, mirrored, and in inches. Nothing may change. Then the
same parts as bare triangles (GLB): the same process must come first.

A part is read by the kernel, moved as a rigid body and written as STEP again, so that every coordinate, and with it
every rounding, mesh and sample point differs. Compared is what a reader decides by: of every process its rank, fit and
verdict, and of every cause its rule, level and number of places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from OCP.TopoDS import TopoDS_Shape

from benchmarks.floor import corpus, stock_shape
from benchmarks.table import Table
from fettle.analysis import Analysis, analyze
from fettle.app.build_result import build_result
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.kernel import solids
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.results import AnalysisResult

TURNS = 5
"""Random positions of each part."""
SHIFT_MM = 200.0
"""Largest coordinate of a random shift."""
PARTS = (
    *("analysis-situs/rear_camera_mount.stp", "analysis-situs/milled_005.stp"),
    *("e3d/TC-BACK_1.3.step", "e3d/TC-DOCK-PIN-V6_1.1.step", "e3d/TC-DOCK-V6_1.3.step", "e3d/TC-FACE_1.4.step"),
    *("e3d/TC-HE-V6_1.1.step", "e3d/TC-MOTOR-BRACKET_1.0.step", "e3d/TC-PLATE_v1.2.step", "e3d/TC-SHAFT_1.5.step"),
    *("e3d/TC-RECIEVER-V6_1.4.step", "e3d/Hemera_PCF_Bracket.step", "e3d/V6_PCF_Duct.step"),
    *("prusa-mini/MINI-bearing-clip.stp", "prusa-mini/MINI-fan-spacer-clip.stp", "prusa-mini/MINI-fsenzor-cover.stp"),
    *("prusa-mini/MINI-heatsink.stp", "prusa-mini/MINI-rail-spoolholder.stp", "prusa-mini/MINI-y-carriage.stp"),
    "prusa-mini/MINI-filament-spur.stp",
)
"""Parts below made/ of every process."""


@dataclass(frozen=True, slots=True)
class Position:
    """A rigid motion: `mirrored` at the plane x = 0, turned about `axis` by `angle_deg`, moved by `shift_mm`; and the
    unit of the file."""

    name: str
    axis: solids.Point = (0.0, 0.0, 1.0)
    angle_deg: float = 0.0
    shift_mm: solids.Point = (0.0, 0.0, 0.0)
    mirrored: bool = False
    unit: str = "mm"


def positions(part: int, turns: int = TURNS) -> list[Position]:
    """Random positions of the part with this number, then the mirrored part and the part in inches."""
    found = []
    for turn in range(turns):
        random = np.random.default_rng([part, turn])
        x, y, z = random.normal(size=3).tolist()
        dx, dy, dz = random.uniform(-SHIFT_MM, SHIFT_MM, 3).tolist()
        found.append(Position(f"turned {turn + 1}", (x, y, z), float(random.uniform(10.0, 350.0)), (dx, dy, dz)))
    return [*found, Position("mirrored", mirrored=True), Position("in inches", unit="in")]


def in_position(shape: TopoDS_Shape, position: Position) -> bytes:
    """STEP bytes of the shape in a position."""
    if position.mirrored:
        shape = solids.mirror(shape, (1.0, 0.0, 0.0))
    if position.angle_deg:
        shape = solids.rotate(shape, position.axis, position.angle_deg)
    return solids.step_bytes(solids.move(shape, position.shift_mm), position.unit)


def analyzed(data: bytes, name: str) -> Analysis:
    model = load(data, name)
    return analyze(model.part, refine(model.mesh, model.part, model.options))


def decisive(result: AnalysisResult) -> list[str]:
    """Rank, fit, verdict and causes of every process, one line each."""
    lines = []
    for one in result.processes:
        head = f"{one.module_key}:{one.configuration_key} fit {one.fit} {one.severity}"
        lines += [head, *(f"{head}: {cause.rule} {cause.severity} {cause.count}" for cause in one.causes)]
    return lines


def differences(path: Path, number: int, turns: int = TURNS) -> Iterator[tuple[str, list[str]]]:
    """Name of each position of a part, and the lines that it gains (+) and loses (-)."""
    before = decisive(build_result(analyzed(path.read_bytes(), path.name), ""))
    shape = stock_shape(path.read_bytes())
    for position in positions(number, turns):
        after = decisive(build_result(analyzed(in_position(shape, position), path.name), ""))
        changed = [f"- {line}" for line in before if line not in after]
        changed += [f"+ {line}" for line in after if line not in before]
        yield position.name, changed or ([] if before == after else ["the order of the processes"])


def first_process(data: bytes, name: str) -> str:
    """Module that is ranked first."""
    return build_result(analyzed(data, name), "").processes[0].module_key


def as_triangles(path: Path) -> bytes:
    """GLB bytes of a part's mesh, without its surfaces."""
    return write_glb(load(path.read_bytes(), path.name).mesh)


def tables() -> Iterator[Table]:
    made, rows, total, changed = corpus() / "made", [], 0, 0
    for number, name in enumerate(PARTS):
        for position, lines in differences(made / name, number):
            total, changed = total + 1, changed + bool(lines)
            rows += [(name, position, line) for line in lines]
    yield Table(
        f"{len(PARTS)} parts, {total} positions: {changed} with another verdict, fit or cause",
        ("part", "position", "what changes"),
        tuple(rows),
    )
    firsts = [
        (name, first_process((made / name).read_bytes(), name), first_process(as_triangles(made / name), "part.glb"))
        for name in PARTS
    ]
    others = tuple(row for row in firsts if row[1] != row[2])
    yield Table(
        f"As bare triangles: the same process first on {len(firsts) - len(others)} of {len(firsts)}",
        ("part", "first", "first as triangles"),
        others,
    )
