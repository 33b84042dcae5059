"""The same parts through bare triangles: holes are found again, within one percent, and nothing else is called one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.triangles import holes_of, match
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.recognize import recognize
from fettle.recognize.kinds.hole import Hole
from tests.real_parts import read
from tests.recognize.bare import bare_glb, on_grid, stock_mesh
from tests.recognize.holes import HOLES
from tests.recognize.words import Expected, at, box, cone, cut


@pytest.mark.parametrize("name", HOLES)
def test_holes_survive_tessellation(name: str) -> None:
    recipe, expected = HOLES[name]
    mesh = load(build(recipe), "part.step").mesh
    holes = _compare(bare_glb(mesh.points, mesh.triangles), expected)
    assert all(hole.confidence < 1.0 for hole in holes)


@pytest.mark.parametrize(("chord_mm", "angle_rad", "bits"), [(0.5, 0.5, 0), (0.1, 0.35, 14)], ids=["coarse", "grid"])
@pytest.mark.parametrize("name", ["drill point", "countersink of 90 degrees", "counterbore", "mouth with a round"])
def test_holes_survive_other_exporters(name: str, chord_mm: float, angle_rad: float, bits: int) -> None:
    recipe, expected = HOLES[name]
    points, triangles = stock_mesh(build(recipe), chord_mm, angle_rad)
    _compare(bare_glb(on_grid(points, bits) if bits else points, triangles), expected)


def test_quarter_of_a_cone_is_no_hole() -> None:
    """Its apex, off the axis by rounding, must not make it go all the way round."""
    quarter = {"common": [at(cone(0, 10, 5), 0, 0, 35), box(20, 20, 40)]}
    points, triangles = stock_mesh(build(cut(box(60, 50, 40), quarter)), 0.1, 0.35)
    shaken = points + 1e-5 * np.sin(1000.0 * points)
    assert not _holes(bare_glb(shaken, triangles))


def _holes(data: bytes) -> list[Hole]:
    found = recognize(load(data, "part.glb").part)
    return [feature for feature in found.features if isinstance(feature, Hole)]


def _compare(data: bytes, expected: list[Expected]) -> list[Hole]:
    """The holes of a file, which must be as many as expected, each within one percent."""
    holes = _holes(data)
    wanted = sorted(fields["diameter_mm"] for kind, fields in expected if kind == "HOLE")
    assert np.allclose(sorted(hole.diameter_mm for hole in holes), wanted, rtol=0.01)
    return holes


@pytest.mark.parametrize("name", ["machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp", "machined/featuretype.STEP"])
def test_real_parts_keep_their_holes(corpus: Path, name: str) -> None:
    model = read(corpus / name)
    exact = holes_of(recognize(model.part))
    assert len(exact) >= 9
    lost, false = match(
        exact, holes_of(recognize(load(bare_glb(model.mesh.points, model.mesh.triangles), "part.glb").part))
    )
    assert not lost
    assert not false
