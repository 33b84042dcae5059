"""Programs that are imported without a search for garbage."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from fettle.startup import command

PROGRAM = """
import gc, sys
meanwhile = gc.isenabled()
def main():
    print(meanwhile, gc.isenabled(), gc.get_freeze_count() > 0, *sys.argv)
"""
FAULTY = "raise RuntimeError('no such luck')"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    return subprocess.run(
        command(*arguments), env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )


def test_a_program_is_imported_without_collections_and_finds_its_arguments(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert run(tmp_path, "program", "one", "two").stdout.split() == ["False", "True", "True", "program", "one", "two"]


def test_a_program_that_cannot_be_imported_says_why(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    ended = run(tmp_path, "faulty")
    assert (ended.returncode, "no such luck" in ended.stderr) == (1, True)
