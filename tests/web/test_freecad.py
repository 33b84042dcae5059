"""The FreeCAD plug-in, headless in a real FreeCAD: a part made there, judged here, its faces colored by verdict."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.web.conftest import Running

PLUGIN = Path(__file__).parents[2] / "plugins" / "freecad"

SCRIPT = """
import json, os, sys, tempfile
sys.path.insert(0, os.environ["PLUGIN"])
import FreeCAD, Part
from fettle_freecad import verdict
from fettle_freecad.service import Service
from fettle_freecad.shapes import step_bytes

hole = Part.makeCylinder(0.5, 60, FreeCAD.Vector(50, 20, -5))
shape = Part.makeBox(60, 40, 30).cut(hole)
lines = []
result = Service(os.environ["URL"], os.environ["KEY"]).analyze("drilled.step", step_bytes(shape), lines.append)
rows = verdict.findings(result, "cnc:3-axis")
colors = verdict.face_colors(result, "cnc:3-axis", len(shape.Faces))
radii = [getattr(face.Surface, "Radius", None) for face in shape.Faces]
deep = next(row for row in rows if row["rule"].startswith("Hole depth") or "diameters deep" in row["message"])
answer = {"lines": len(lines), "faces": len(shape.Faces), "fid": deep["fid"], "radii": radii, "colors": colors}
with open(os.environ["ANSWER"], "w") as written:
    json.dump(answer, written)
"""


def test_the_face_that_fails_is_the_face_of_the_hole(service: Running, tmp_path: Path) -> None:
    program = shutil.which("freecadcmd") or shutil.which("FreeCADCmd")
    if program is None:
        pytest.skip("no FreeCAD here: apt-get install freecad")
    script, answer = tmp_path / "check.py", tmp_path / "answer.json"
    script.write_text(SCRIPT)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "PLUGIN": str(PLUGIN), "URL": service.url, "KEY": service.key(), "ANSWER": str(answer)}
    done = subprocess.run(
        [program, str(script)], env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert answer.is_file(), done.stdout + done.stderr
    told = json.loads(answer.read_text())
    assert told["faces"] == 7
    assert told["lines"] > 0
    assert told["radii"][int(told["fid"]) - 1] == 0.5, "our face numbers are FreeCAD's"
    assert told["colors"][int(told["fid"]) - 1] == [0.84, 0.19, 0.15]
