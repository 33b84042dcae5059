"""Thread candidates: the ambiguous sizes of published tap-drill tables, and the depth that a thread needs."""

from __future__ import annotations

import pytest

from fettle.recognize.threads import (
    boss_threads,
    hole_threads,
    modeled_bolts,
    modeled_threads,
    sized_bolt,
    sized_nut,
    stepped_threads,
    tapped_threads,
    thread_table,
)


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


@pytest.mark.parametrize("diameter", [3.0, 3.2, 3.4, 4.3, 4.5, 5.3, 5.5, 6.4, 6.6, 8.4, 9.0, 10.0, 11.0, 13.5])
def test_clearance_holes_and_screw_sizes_are_no_taps(diameter: float) -> None:
    """ISO 273, fine and medium, and nominal sizes of ISO 261."""
    assert hole_threads(diameter, 100.0, through=True) == ()


@pytest.mark.parametrize(("diameter", "name"), [(2.5, "M3"), (5.0, "M6"), (10.5, "M12x1.5"), (17.5, "M20")])
def test_clearance_holes_that_are_tap_drills_stay(diameter: float, name: str) -> None:
    assert name in hole_threads(diameter, 100.0, through=True)


def test_trapezoidal_threads_are_told_by_their_helix() -> None:
    """ISO 2904: Tr 10 x 2 has a nut of 8.0 by 10.5 and a screw of 10; a plain hole of 8.2 or shaft of 10 is none."""
    assert modeled_bolts(10.0, 2.0) == ("Tr10x2",)
    assert modeled_threads(8.0, 10.5) == ("Tr10x2",)
    assert modeled_bolts(30.0, 6.0) == ("Tr30x6",)
    assert not [name for name in (*hole_threads(8.0, 50.0, True), *boss_threads(10.0)) if name.startswith("Tr")]
    for row in thread_table():
        if row.series == "trapezoidal":
            assert row.minor_mm[0] == pytest.approx(row.nominal_mm - row.pitch_mm), row.name


def test_stepped_holes() -> None:
    assert stepped_threads(2.529, 8.0, through=True) == ("M3",)
    assert stepped_threads(6.8, 12.0, through=True) == ("M8",)
    assert stepped_threads(5.0, 12.0, through=True) == ()  # of a stepped hole, more often a fit
    assert tapped_threads(6.8, 8.0) == ("M8",)
    assert tapped_threads(6.8, 14.0) == ()


@pytest.mark.parametrize("diameter_mm", [3.99, 4.0, 5.49, 9.99, 9.5])
def test_the_seat_of_a_bearing_is_no_thread(diameter_mm: float) -> None:
    """#8-32 has a major diameter from 3.99 mm on (ASME B1.1, class 2A); bearings of 4 mm sit on shafts of 3.99."""
    assert sized_bolt(diameter_mm) is None


def test_the_hole_of_a_pin_is_no_thread() -> None:
    """M3.5 has minor diameters from 2.85 to 3.01 mm (ISO 965-1, 6H); pins of 3 mm go into holes of 3.01."""
    assert sized_nut(3.01) is None
    assert sized_nut(2.93) is not None


def test_a_shaft_at_the_middle_of_its_tolerance_is_drawn_for_its_thread() -> None:
    """M10 6g has major diameters from 9.732 to 9.968 mm (ISO 965-1)."""
    bolt = sized_bolt((9.732 + 9.968) / 2 + 0.003)
    assert bolt is not None
    assert (bolt.nominal_mm, bolt.pitch_mm) == (10.0, 1.5)
