"""Real parts in random positions, and in inches: no verdict, fit or cause changes. The benchmark has more of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.floor import stock_shape
from benchmarks.positions import decisive, in_position, positions
from fettle.analysis import analyze
from fettle.app.build_result import build_result
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from tests.counts import some

PARTS = (
    "analysis-situs/rear_camera_mount.stp",
    "e3d/TC-DOCK-V6_1.3.step",
    "e3d/TC-MOTOR-BRACKET_1.0.step",
    "e3d/TC-PLATE_v1.2.step",
    "e3d/TC-SHAFT_1.5.step",
    "prusa-mini/MINI-bearing-clip.stp",
    "prusa-mini/MINI-rail-spoolholder.stp",
)
TURNS = 1


def judged(data: bytes, name: str) -> list[str]:
    model = load(data, name)
    return decisive(build_result(analyze(model.part, refine(model.mesh, model.part, model.options)), ""))


@pytest.mark.parametrize("number", some(range(len(PARTS)), every=2), ids=PARTS.__getitem__)
def test_no_position_changes_a_verdict(corpus: Path, number: int) -> None:
    path = corpus / "made" / PARTS[number]
    straight, shape = judged(path.read_bytes(), path.name), stock_shape(path.read_bytes())
    for position in positions(number, TURNS):
        if not position.mirrored:
            assert judged(in_position(shape, position), path.name) == straight, position.name
