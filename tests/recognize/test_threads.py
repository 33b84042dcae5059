"""Thread candidates: the ambiguous sizes of published tap-drill tables, and the depth that a thread needs."""

from __future__ import annotations

import pytest

from fettle.recognize.threads import boss_threads, hole_threads, thread_table


@pytest.mark.parametrize(
    ("diameter", "names"),
    [
        (2.55, {"M3", "#5-40"}),
        (3.3, {"M4", "#8-32"}),
        (4.2, {"M5"}),
        (5.11, {"M6", "1/4-20"}),
        (6.8, {"M8"}),
        (6.9, {"M8", "5/16-24"}),
        (7.0, {"M8x1"}),
        (8.5, {"M10", "3/8-24"}),
        (10.2, {"M12"}),
        (17.5, {"M20", "3/4-16"}),
        (19.5, {"M22", "7/8-9"}),
        (21.0, {"M24"}),
    ],
)
def test_ambiguous_drills(diameter: float, names: set[str]) -> None:
    assert names <= set(hole_threads(diameter, 100.0, through=True))


def test_coarse_metric_comes_first() -> None:
    assert hole_threads(5.11, 100.0, through=True)[0] == "M6"


def test_depth_guard() -> None:
    # a blind thread is at least as deep as it is wide, a through one 0.8 of it
    assert "M6" in hole_threads(5.0, 6.0, through=False)
    assert "M6" not in hole_threads(5.0, 5.9, through=False)
    assert "M6" in hole_threads(5.0, 4.8, through=True)
    assert "M6" not in hole_threads(5.0, 4.7, through=True)


def test_plain_sizes_are_no_threads() -> None:
    assert hole_threads(30.0, 100.0, through=True) == ()
    assert boss_threads(13.0) == ()


def test_bolts_between_metric_and_inch() -> None:
    assert set(boss_threads(7.938)) >= {"M8", "M8x1", "5/16-18", "5/16-24"}
    assert set(boss_threads(15.875)) >= {"M16", "5/8-11"}


def test_metric_rows_follow_the_thread_form() -> None:
    # basic minor diameter D1 = D - 1.0825 P, tap drill about D - P
    for row in thread_table():
        if row.series in ("coarse", "fine"):
            pitch = (row.nominal_mm - row.minor_mm[0]) / 1.0825
            assert abs(row.nominal_mm - pitch - row.drill_mm) < 0.1, row.name
