"""Reliability drills: the tests that kill workers, kernel children and whole services, cut the network, wipe and
restore, and send damaged files, each against a service of real processes; and those that look at many parts.

Each row is a test of the suite, the long ones with higher counts than there (`tests/counts.py`); its name says what
must hold, and `passed` that it did: nothing that was accepted is lost, done twice or metered twice. Seconds are
wall-clock. PostgreSQL and Chromium are needed for some (`tests/system-packages.sh`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from benchmarks.table import Table

ROOT = Path(__file__).parents[1]
DRILLS = (
    "web/test_drills.py",
    "web/test_backup_drill.py",
    "web/test_hostile.py",
    "web/test_unavailable.py",
    "web/test_faults.py",
    "web/test_openapi.py",
    "web/test_part_page.py::test_every_finding_is_seen",
    "app/test_sandbox.py::test_nothing_outlives_a_parent_killed_on_a_busy_machine",
    "app/test_queue.py::test_processes_that_start_together_on_an_empty_database_are_all_ready",
    "cli/test_warm_start.py",
    "fit/test_fit.py::test_turned_moved_mirrored_or_in_inches_the_fits_are_the_same",
    "geometry/test_corpus.py::test_damaged_files_are_all_answered",
    "geometry/test_near_pairs.py::test_random_points",
    "measure/test_thickness.py::test_a_finer_mesh_moves_the_minimum_by_less_than_2_percent",
    "quote/test_formed_prices.py",
    "quote/test_monotone.py",
    "quote/test_positions.py",
    "quote/test_savings.py",
    "rules/test_seeded_faults.py",
    "rules/test_machining.py",
    "rules/test_printing.py",
    "rules/test_shells_and_sheets.py",
    "recognize/test_parts.py::test_mirrored_turned_moved_in_inches_and_re_ordered",
    "recognize/test_turned.py",
    "sheet/test_unfold.py::test_flats_are_those_of_the_formula",
    "test_positions.py",
    "recognize/test_blocks.py::test_cuts_that_meet_leave_no_face_in_two_features_and_no_absurd_size",
    "recognize/test_bought.py::test_no_part_that_was_really_made_is_taken_for_a_bought_one",
    "recognize/test_turned_corpus.py::test_nothing_is_turned_on_prismatic_parts",
)
"""Below tests/."""


def tables() -> Iterator[Table]:
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        asked = [str(ROOT / "tests" / name) for name in DRILLS]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *asked]
        environment = {**os.environ, "FETTLE_FULL_COUNTS": "1"}
        subprocess.run(command, cwd=ROOT, env=environment, check=False, stdout=subprocess.DEVNULL)
        cases = ElementTree.parse(report).getroot().iter("testcase")
        rows = tuple(_row(case) for case in cases)
    passed = sum(row[1] == "passed" for row in rows)
    yield Table(f"{passed} of {len(rows)} passed", ("drill", "outcome", "s"), rows)


def _row(case: ElementTree.Element) -> tuple[str, str, str]:
    name = case.get("name", "").removeprefix("test_").replace("_", " ")
    outcome = next((what for what in ("failure", "error", "skipped") if case.find(what) is not None), "passed")
    return name, outcome, f"{float(case.get('time', 0)):.0f}"
