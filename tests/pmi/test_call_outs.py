"""Texts of drawings, each with what a shop reads in it."""

from __future__ import annotations

from typing import Any

import pytest

from fettle.pmi.call_outs import call_outs, general_tolerances

READ: dict[str, list[dict[str, Any]]] = {
    "M6x1 THRU": [{"kind": "thread", "diameter_mm": 6, "pitch_mm": 1, "through": True}],
    "Ra 1.6": [{"kind": "finish", "ra_um": 1.6}],
    "Rz 25": [{"kind": "finish", "rz_um": 25}],
    "Ra 63 µin": [{"kind": "finish", "ra_um": 1.6002}],
    "4X Ø5.5 ±0.1": [{"kind": "diameter", "count": 4, "diameter_mm": 5.5, "lower_mm": 5.4, "upper_mm": 5.6}],
    "Ø20 +0.05/-0.10": [{"kind": "diameter", "diameter_mm": 20, "lower_mm": 19.9, "upper_mm": 20.05}],
    "Ø6 H7 THRU": [{"kind": "diameter", "diameter_mm": 6, "fit": "H7", "through": True}],
    "Ø10h6": [{"kind": "diameter", "diameter_mm": 10, "fit": "h6"}],
    "4X M12 x 1.75 - 6H ↧25 ±0.25": [
        {"kind": "thread", "count": 4, "diameter_mm": 12, "pitch_mm": 1.75, "fit": "6H", "depth_mm": 25}
    ],
    "M8": [{"kind": "thread", "diameter_mm": 8, "pitch_mm": 1.25}],
    "2X M3 7 DEEP": [{"kind": "thread", "count": 2, "diameter_mm": 3, "pitch_mm": 0.5, "depth_mm": 7}],
    "1/4-20 UNC-2B THRU": [{"kind": "thread", "diameter_mm": 6.35, "pitch_mm": 1.27, "fit": "2B", "through": True}],
    "4X #10-32 UNF-2B": [{"kind": "thread", "count": 4, "diameter_mm": 4.826, "pitch_mm": 0.79375, "fit": "2B"}],
    "1 1/2-6 UNC": [{"kind": "thread", "diameter_mm": 38.1, "pitch_mm": 25.4 / 6}],
    "Ø5.5 THRU\n⌴Ø10 ↧5": [
        {"kind": "diameter", "diameter_mm": 5.5, "through": True},
        {"kind": "diameter", "diameter_mm": 10, "depth_mm": 5},
    ],
    "4X ⌴∅20 ±0.2 ↧20 ±0.2": [
        {"kind": "diameter", "count": 4, "diameter_mm": 20, "lower_mm": 19.8, "upper_mm": 20.2, "depth_mm": 20}
    ],
    "ASME Y14.41-2003 APPLIES TO DATASET": [],
    "BREAK SHARP EDGES R0.5": [],
    "SEE MODEL M6A": [],
    "": [],
}


@pytest.mark.parametrize("text", READ)
def test_a_text_is_read_as_a_shop_reads_it(text: str) -> None:
    found = call_outs(text)
    assert len(found) == len(READ[text])
    for one, stated in zip(found, READ[text], strict=True):
        assert {key: getattr(one, key) for key in stated} == pytest.approx(stated)
        unsaid = {"count", "pitch_mm", "lower_mm", "upper_mm", "depth_mm", "ra_um", "rz_um"} - set(stated)
        assert {key: getattr(one, key) for key in unsaid} == dict.fromkeys(unsaid)


def test_plain_numbers_of_an_inch_file_are_inches_and_metric_threads_are_not() -> None:
    bore, thread = call_outs("Ø.250 THRU, M6x1", unit_mm=25.4)
    assert bore.diameter_mm == pytest.approx(6.35)
    assert thread.diameter_mm == 6


@pytest.mark.parametrize(
    ("text", "standard", "classes"),
    [
        ("GENERAL TOLERANCES ISO 2768-mK", "ISO 2768", ("m", "K")),
        ("ISO 2768-m", "ISO 2768", ("m", "")),
        ("DIN ISO 2768 - f", "ISO 2768", ("f", "")),
        ("ISO 2768-1 c", "ISO 2768", ("c", "")),
        ("TOLERANCING ISO 8062-3 DCTG 9", "ISO 8062-3", ("DCTG 9", "")),
        ("EN ISO 13920-BF", "ISO 13920", ("B", "F")),
        ("DIN 16742 TG6", "DIN 16742", ("TG6", "")),
    ],
)
def test_general_tolerances_are_told_with_their_class(text: str, standard: str, classes: tuple[str, str]) -> None:
    (found,) = general_tolerances(text)
    assert (found.standard, (found.tolerance_class, found.geometry_class)) == (standard, classes)


def test_other_standards_are_no_general_tolerances() -> None:
    assert general_tolerances("ASME Y14.5M-1994 APPLIES; MATERIAL EN ISO 683-1") == ()


def test_a_text_of_a_million_letters_is_read_in_no_time() -> None:
    for piece in ("M6x", "4X Ø", "ISO 2768", "1 1/", "((((", "Ø5 +0.1 /"):
        call_outs(piece * 200_000)
        general_tolerances(piece * 200_000)
