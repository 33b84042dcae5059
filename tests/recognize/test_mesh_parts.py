"""The same parts through bare triangles: holes are found again, within one percent, and nothing else is called one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.triangles import holes_of, match
from fettle.geometry.load import load
from fettle.geometry.recipe import build
from fettle.recognize import recognize
from fettle.recognize.feature import Hole
from tests.recognize.bare import bare_glb
from tests.recognize.cavities import CAVITIES
from tests.recognize.holes import HOLES
from tests.recognize.parts import PARTS as OTHERS

PARTS = {**HOLES, **CAVITIES, **OTHERS}
DRILLED = [name for name, (_, expected) in PARTS.items() if any(kind == "HOLE" for kind, _ in expected)]


@pytest.mark.parametrize("name", DRILLED)
def test_holes_survive_tessellation(name: str) -> None:
    recipe, expected = PARTS[name]
    mesh = load(build(recipe), "part.step").mesh
    found = recognize(load(bare_glb(mesh), "part.glb").part)
    holes = [feature for feature in found.features if isinstance(feature, Hole)]
    wanted = sorted(fields["diameter_mm"] for kind, fields in expected if kind == "HOLE")
    assert np.allclose(sorted(hole.diameter_mm for hole in holes), wanted, rtol=0.01)
    assert all(hole.confidence < 1.0 for hole in holes)


@pytest.mark.parametrize("name", ["machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp", "machined/featuretype.STEP"])
def test_real_parts_keep_their_holes(corpus: Path, name: str) -> None:
    path = corpus / name
    model = load(path.read_bytes(), path.name)
    exact = holes_of(recognize(model.part))
    assert len(exact) >= 9
    lost, false = match(exact, holes_of(recognize(load(bare_glb(model.mesh), "part.glb").part)))
    assert not lost
    assert not false
