"""Parts made by CadQuery and build123d, each in an environment of its own because their kernels replace ours.

Name the interpreters to have them tried: FETTLE_CADQUERY_PYTHON, FETTLE_BUILD123D_PYTHON.
"""

from __future__ import annotations

import math
import os
import subprocess
from pathlib import Path

import pytest

import fettle
from tests.patience import PATIENCE_S

# The same plate by both: 60 x 40 x 10 mm, a bore of 8 mm through it and a blind hole of 5 mm, 6 mm deep.
SCRIPTS = {
    "cadquery": """
import sys, cadquery as cq
plate = cq.Workplane("XY").box(60, 40, 10).faces(">Z").workplane()
plate = plate.center(-15, 0).hole(8).center(30, 0).hole(5, 6)
solid = plate.val()
cq.exporters.export(plate, sys.argv[1] + "/part.step")
solid.exportBrep(sys.argv[1] + "/part.brep")
""",
    "build123d": """
import sys
from build123d import Box, Cylinder, Pos, export_brep, export_step
plate = Box(60, 40, 10) - Pos(-15, 0, 0) * Cylinder(4, 10) - Pos(15, 0, 2) * Cylinder(2.5, 6)
export_step(plate, sys.argv[1] + "/part.step")
export_brep(plate, sys.argv[1] + "/part.brep")
""",
}
VOLUME_MM3 = 60 * 40 * 10 - math.pi * 4**2 * 10 - math.pi * 2.5**2 * 6


@pytest.fixture(scope="module", params=sorted(SCRIPTS))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    variable = f"FETTLE_{request.param.upper()}_PYTHON"
    python = os.environ.get(variable)
    if not python:
        pytest.skip(f"set {variable} to a Python that has {request.param}")
    made = tmp_path_factory.mktemp(request.param)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([python, "-c", SCRIPTS[request.param], str(made)], check=True, env=own, timeout=PATIENCE_S)
    return made


@pytest.mark.parametrize("name", ["part.step", "part.brep"])
def test_what_they_made_comes_in_whole(folder: Path, name: str) -> None:
    model = fettle.read((folder / name).read_bytes(), name=name)
    analysis = fettle.analyze(model)
    result = fettle.result(analysis)
    assert result["geometry"]["volume_cm3"] == pytest.approx(VOLUME_MM3 / 1000, rel=1e-6)
    assert result["geometry"]["bounding_box_mm"] == pytest.approx({"x": 60, "y": 40, "z": 10}, abs=1e-4)
    holes = [feature for feature in result["features"]["features"] if feature["kind"] == "HOLE"]
    sizes = sorted((hole["diameter_mm"], hole["depth_mm"], hole["through"]) for hole in holes)
    assert sizes == [(5, pytest.approx(6), False), (8, pytest.approx(10), True)]
