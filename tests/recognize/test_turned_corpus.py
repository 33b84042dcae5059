"""Parts that were really turned, against their drawings, and prismatic parts, on which nothing is turned."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from fettle.geometry.load import load
from fettle.recognize import recognize
from fettle.recognize.feature import Recognition
from fettle.recognize.kinds.gear import Gear
from fettle.recognize.kinds.groove import Groove
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.shaft_step import ShaftStep
from fettle.recognize.kinds.thread import TurnedThread
from tests.counts import some

EVERY = 5
"""Of the labeled parts, those that the suite looks at."""


@cache
def _recognized(path: Path) -> Recognition:
    return recognize(load(path.read_bytes(), path.name).part)


def _made(corpus: Path, stem: str) -> Recognition:
    return _recognized(next((corpus / "made" / "e3d").glob(f"{stem}*.step")))


def test_shaft_of_the_tool_changer(corpus: Path) -> None:
    """85.25 long, diameter 5.0, groove of 0.75 that begins 11.0 from the end, two cross holes."""
    found = _made(corpus, "TC-SHAFT")
    assert found.turned is not None
    assert found.turned.length_mm == pytest.approx(85.25)
    assert found.turned.diameter_mm == pytest.approx(5.0)
    (step,) = [one for one in found.features if isinstance(one, ShaftStep)]
    assert step.diameter_mm == pytest.approx(5.0)
    assert step.interrupted
    (groove,) = [one for one in found.features if isinstance(one, Groove)]
    assert groove.width_mm == pytest.approx(0.75)
    assert found.turned.length_mm - groove.z_mm - groove.width_mm == pytest.approx(11.0)
    cross = [found.features[one.feature] for one in found.live if one.what == "cross_hole"]
    assert sorted(one.diameter_mm for one in cross if isinstance(one, Hole)) == pytest.approx([2.529, 3.0])
    angles = sorted(one.angle_deg for one in found.live if one.what == "cross_hole" and one.angle_deg is not None)
    assert angles[-1] - angles[0] == pytest.approx(45.0, abs=0.01)
    threads = [one for one in found.features if isinstance(one, TurnedThread)]
    assert all(one.internal and one.thread_candidates == ("M3",) for one in threads)
    assert threads


def test_dock_pin_of_the_tool_changer(corpus: Path) -> None:
    """Diameter 4.0, thread M3 over 4.0 with its run-out, cross hole of 1.8."""
    found = _made(corpus, "TC-DOCK-PIN")
    assert found.turned is not None
    steps = [(one.diameter_mm, one.length_mm) for one in found.features if isinstance(one, ShaftStep)]
    assert steps[0] == pytest.approx((2.927, 4.0))
    assert [d for d, _ in steps] == pytest.approx([2.927, 4.0])
    (thread,) = [one for one in found.features if isinstance(one, TurnedThread)]
    assert thread.thread_candidates == ("M3",)
    assert thread.major_diameter_mm == 3.0
    assert thread.length_mm + (thread.runout_mm or 0.0) == pytest.approx(4.0)
    (cross,) = [found.features[one.feature] for one in found.live if one.what == "cross_hole"]
    assert isinstance(cross, Hole)
    assert cross.diameter_mm == pytest.approx(1.8)


@pytest.mark.parametrize(("stem", "teeth", "bore_mm"), [("TC-MOD0.5-20T", 20, 5.0), ("TC-MOD0.5-40T", 40, 5.0)])
def test_gears_of_the_tool_changer(corpus: Path, stem: str, teeth: int, bore_mm: float) -> None:
    found = _made(corpus, stem)
    (gear,) = [one for one in found.features if isinstance(one, Gear)]
    assert (gear.form, gear.teeth) == ("gear", teeth)
    assert gear.module_mm == pytest.approx(0.5, abs=1e-6)
    assert bore_mm in [pytest.approx(one.diameter_mm) for one in found.features if isinstance(one, Hole)]
    assert not [one for one in found.features if one.kind in {"FILLET", "SLOT"}]


@pytest.mark.parametrize(
    ("stem", "name", "count"),
    [
        ("TC-BACK", "M3", 2),
        ("TC-FACE", "M3", 1),
        ("TC-DOCK-V6", "M3", 2),
        ("TC-HE-V6", "M3", 4),
        ("TC-RECIEVER", "M6", 1),
        ("TC-RECIEVER", "M3", 6),
    ],
)
def test_thread_call_outs_of_milled_parts(corpus: Path, stem: str, name: str, count: int) -> None:
    """As the drawings call them out; no other hole of the part is offered a thread."""
    holes = [one for one in _made(corpus, stem).features if isinstance(one, Hole) and one.thread_candidates]
    assert sum(one.thread_candidates[0] == name for one in holes) == count
    assert {one.thread_candidates[0] for one in holes} <= {"M3", "M6"}


@pytest.mark.slow
def test_nothing_is_turned_on_prismatic_parts(corpus: Path) -> None:
    files = sorted((corpus / "labelled").rglob("*.st*p"))
    assert len(files) > 200
    files = some(files, EVERY)
    assert [path.name for path in files if _recognized(path).turned is not None] == []
