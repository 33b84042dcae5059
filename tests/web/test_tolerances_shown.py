"""Dimensions and tolerances of a file in the viewer: listed, around the part with lines to faces, in the face card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from tests.browser import DESKTOP, PHONE, Visit, chromium, visit
from tests.geometry.nist_test_cases import CASES, Frame, L, M, Size
from tests.web.conftest import Running
from tests.web.visitors import count_marked, drop, sign_up

PART = "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp"
CASE = CASES["03"]
CIRCLED = {M: "Ⓜ", L: "Ⓛ"}
ROWS = ".tolerances .callout-row"
FOUR_HOLES = "⌀15.875 ±0.127 IT12"
"""0.625 ± 0.005 in, four times; 254 um lie between IT12 (180 um) and IT13 (270 um) for 10 to 18 mm."""

BOXES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  return [boxes(".leader-label:not([hidden])"), boxes(".canvas-holder"), window.fettle.state().callouts];
}"""
"""Boxes of the labels and of the stage in CSS pixels, and the callouts in view: all of one frame."""


@pytest.fixture(scope="module")
def part(service: Running, corpus: Path) -> Iterator[Visit]:
    """CTC 03 of NIST, open in the viewer with its list of tolerances open."""
    with chromium() as browser, visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, corpus / PART)
        seen.page.evaluate("document.querySelector('.tolerances').open = true")
        yield seen
        assert seen.complaints == []


def mm(value: float) -> str:
    """As a drawing writes a length: at most four decimals."""
    return f"{value * CASE.unit_mm:.4f}".rstrip("0").rstrip(".")


def say_size(one: Size) -> str:
    text = f"{'⌀' if one.kind == 'diameter' else ''}{mm(one.nominal)}"
    if one.upper is not None:
        text += f" ±{mm(one.upper)}"
    return f"({text})" if "auxiliary" in one.modifiers else text


def say_frame(one: Frame) -> str:
    datums = [f"{datum[0]}{CIRCLED[datum[1]]}" if isinstance(datum, tuple) else datum for datum in one.datums]
    circled = [CIRCLED[modifier] for modifier in one.modifiers if modifier in CIRCLED]
    value = " ".join([f"{'⌀' if one.round else ''}{mm(one.value)}", *circled])
    return f"{one.kind.replace('_', ' ')} {' | '.join([value, *datums])}"


def test_everything_that_nist_lists_is_in_the_list(part: Visit) -> None:
    frames = part.page.locator(f"{ROWS} .callout-frame")
    shown = [frame.get_attribute("aria-label") or "" for frame in frames.all()]
    expected = [*map(say_size, CASE.sizes), *map(say_frame, CASE.frames), *CASE.datums]
    missing = list(expected)
    for text in shown:
        named = next((one for one in missing if text == one or text.startswith(f"{one} ")), None)
        assert named is not None, f"{text} is not of NIST's list, or once too often"
        missing.remove(named)
    assert missing == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_callouts_stand_around_the_part_and_none_over_another(part: Visit, size: tuple[int, int]) -> None:
    page = part.page
    part.resize(size)
    page.locator(".all-callouts input").check()
    part.wait_for_frames()
    boxes, [stage, *_], callouts = page.evaluate(BOXES)
    assert len(boxes) == len(callouts) >= 5
    for box in boxes:
        assert stage["x"] <= box["x"]
        assert box["x"] + box["width"] <= stage["x"] + stage["width"]
        assert stage["y"] <= box["y"]
        assert box["y"] + box["height"] <= stage["y"] + stage["height"]
    for one, other in combinations(boxes, 2):
        apart = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        assert apart or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    page.locator(".all-callouts input").uncheck()
    part.wait_for_frames()
    assert part.state()["callouts"] == []
    part.resize(DESKTOP)


def test_a_click_flies_to_the_faces_and_their_card_says_it(part: Visit) -> None:
    """Four holes of two half cylinders each."""
    page = part.page
    page.locator(ROWS, has=page.get_by_label(FOUR_HOLES, exact=True)).click()
    part.wait_until("!window.fettle.state().flying")
    part.wait_for_frames()
    assert len(part.state()["marked"]) == 8
    assert count_marked(part) >= 500
    assert part.state()["callouts"] == [FOUR_HOLES]
    end = page.locator(".leader-end").bounding_box()
    assert end is not None
    page.mouse.click(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    card = page.locator(".face-card")
    assert card.get_by_label(FOUR_HOLES, exact=True).is_visible()
    position = next(one for one in CASE.frames if one.datums == ("D", "B", "C") and one.modifiers == (M,))
    assert card.get_by_label(say_frame(position), exact=True).is_visible()
