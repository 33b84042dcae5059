"""The CI example on a folder of parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.geometry.csg import build
from tests.parts import DRILLED

SCRIPT = Path(__file__).parents[2] / "examples" / "ci" / "check-parts.sh"


def test_a_folder_of_parts_is_checked(tmp_path: Path) -> None:
    """A hole 30 diameters deep fails the build, and both files for the pipeline say so. The commands' fork servers are
    forked from ours."""
    program = tmp_path / "bin" / "fettle"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fettle "$@"\n')
    program.chmod(0o755)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "drilled.step").write_bytes(build(DRILLED))
    fork_server, shared = sandbox.share(CHILD_MODULE)
    done = subprocess.run(
        ["sh", str(SCRIPT), "parts"],
        cwd=tmp_path,
        env={**os.environ, **shared, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"},
        pass_fds=[fork_server],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "parts/drilled.step: " in done.stdout
    assert "\n  face " in done.stdout
    (run,) = json.loads((tmp_path / "fettle.sarif").read_text())["runs"]
    assert "cnc/hole_depth_to_diameter" in {result["ruleId"] for result in run["results"]}
    assert int(Xml.parse(tmp_path / "fettle.xml").getroot().get("failures", "0")) > 0
