"""A file whose tolerances end the kernel still has its geometry."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from fettle.app.isolation.limits import Limits
from fettle.app.isolation.part_files import run_on_file
from fettle.app.isolation.task import KernelTask
from fettle.errors import KernelCrashed
from tests.app.deaths import describe_without_tolerances, leave_a_trace_and_die
from tests.geometry.pmi_files import plate

DYING: KernelTask[tuple[float, bool, tuple[str, ...]], bytes, str] = KernelTask(
    f"{describe_without_tolerances.__module__}:describe_without_tolerances"
)

CRASHING: KernelTask[None, bytes, str] = KernelTask(f"{leave_a_trace_and_die.__module__}:leave_a_trace_and_die")


def test_geometry_is_answered_without_the_tolerances_that_kill_the_kernel() -> None:
    volume, toleranced, warnings = run_on_file(DYING, (plate().toleranced(), "plate.step"), Limits())
    assert volume == pytest.approx(40 * 30 * 10 - math.pi * 16 * 10, rel=1e-9)
    assert not toleranced
    assert len(warnings) == 1
    assert "left out" in warnings[0]


def test_a_file_without_tolerances_is_not_tried_twice(tmp_path: Path) -> None:
    trace = tmp_path / "tries"
    with pytest.raises(KernelCrashed):
        run_on_file(CRASHING, (plate().text.encode(), str(trace)), Limits())
    assert len(trace.read_text(encoding="utf-8").splitlines()) == 1


def test_what_crashes_for_another_reason_is_refused_with_it(tmp_path: Path) -> None:
    trace = tmp_path / "tries"
    with pytest.raises(KernelCrashed, match="SIGABRT"):
        run_on_file(CRASHING, (plate().toleranced(), str(trace)), Limits())
    assert len(trace.read_text(encoding="utf-8").splitlines()) == 2
