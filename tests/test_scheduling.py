"""Which tests run in one process."""

from __future__ import annotations

from pathlib import Path

from tests.scheduling import REAL_PARTS

HERE = Path(__file__).parent


def test_all_files_that_read_the_same_real_parts_run_together() -> None:
    readers = [path for path in HERE.rglob("test_*.py") if "\nfrom tests.real_parts import " in path.read_text()]
    assert {path.relative_to(HERE.parent).as_posix() for path in readers} == REAL_PARTS
