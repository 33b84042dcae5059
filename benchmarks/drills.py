"""Reliability drills: the tests that kill workers, kernel children and whole services, cut the network, wipe and
restore, and send damaged files, each against a service of real processes.

Each row is a test of the suite; its name says what must hold, and `passed` that it did: nothing that was accepted is
lost, done twice or metered twice. Seconds are wall-clock. PostgreSQL is needed for some (`tests/system-packages.sh`).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from benchmarks.table import Table

ROOT = Path(__file__).parents[1]
DRILLS = ("test_drills.py", "test_backup_drill.py", "test_hostile.py", "test_unavailable.py", "test_faults.py")
"""Files of tests/web."""


def tables() -> Iterator[Table]:
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        files = [str(ROOT / "tests" / "web" / name) for name in DRILLS]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *files]
        subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
        cases = ElementTree.parse(report).getroot().iter("testcase")
        rows = tuple(_row(case) for case in cases)
    passed = sum(row[1] == "passed" for row in rows)
    yield Table(f"{passed} of {len(rows)} passed", ("drill", "outcome", "s"), rows)


def _row(case: ElementTree.Element) -> tuple[str, str, str]:
    name = case.get("name", "").removeprefix("test_").replace("_", " ")
    outcome = next((what for what in ("failure", "error", "skipped") if case.find(what) is not None), "passed")
    return name, outcome, f"{float(case.get('time', 0)):.0f}"
