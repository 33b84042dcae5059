"""What the analysis of a plain part loads: a command that analyzes one file waits for every library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fettle.geometry.csg import build
from tests.parts import DRILLED

ANALYSIS = """
import sys
from pathlib import Path
import numba
with_numba = set(sys.modules)
from fettle.app.kernel_tasks.job_analysis import analyze_upload
from fettle.app.options import Bounds, JobOptions
data = Path(sys.argv[1]).read_bytes()
analyze_upload(data, "part.step", JobOptions(), Bounds(), "", (), say=lambda line: None)
print(*sorted(name for name in set(sys.modules) - with_numba if name.partition(".")[0] in ("scipy", "ezdxf", "typst")))
"""
"""numba imports the topmost package of scipy, to see its version: that takes no time."""


def test_a_part_of_one_body_is_analyzed_without_scipy(tmp_path: Path) -> None:
    part = tmp_path / "part.step"
    part.write_bytes(build(DRILLED))
    command = [sys.executable, "-c", ANALYSIS, str(part)]

    def loaded() -> list[str]:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    # the first analysis may have to compile, and a compiler needs scipy
    assert not loaded() or loaded() == []
