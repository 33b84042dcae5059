"""The tools of the 3D view on a part of known size: section, measuring, scales, feature list, see-through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from fettle.geometry.csg import build
from tests.browser import Visit, chromium, visit
from tests.web.conftest import Running
from tests.web.visitors import drop, sign_up

PLATE = {
    "cut": [
        {"box": [60, 40, 10]},
        {"move": {"of": {"cylinder": {"d": 12, "h": 20}}, "by": [20, 20, -5]}},
        {"move": {"of": {"cylinder": {"d": 5, "h": 20}}, "by": [45, 20, -5]}},
    ]
}
SECTION = "select[aria-label='Section across']"
COUNT_FRAMES = """() => {
  const ask = window.requestAnimationFrame.bind(window);
  window.framesAsked = 0;
  window.requestAnimationFrame = (then) => { window.framesAsked++; return ask(then); };
}"""


@pytest.fixture(scope="module")
def plate(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A plate of 60 x 40 x 10 mm with holes of 12 and 5 mm, open in the viewer."""
    part = tmp_path_factory.mktemp("plate") / "plate.step"
    part.write_bytes(build(PLATE))
    with chromium() as browser, visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, part)
        yield seen
        assert seen.complaints == []


def at(seen: Visit, right: float, down: float) -> tuple[float, float]:
    """A place of the canvas in the page, as shares of its size."""
    box = seen.page.locator(".canvas-holder canvas").first.bounding_box()
    assert box is not None
    return box["x"] + right * box["width"], box["y"] + down * box["height"]


def test_the_scale_of_thickness_has_steps_with_their_share(plate: Visit) -> None:
    plate.page.click("[data-mode=thickness]")
    plate.wait_until("window.fettle.state().mode === 'thickness'")
    plate.page.fill(".legend-limit", "5")
    plate.page.keyboard.press("Tab")
    assert plate.state()["range"] == [2.5, 20]
    assert plate.page.locator(".legend-edge").all_inner_texts() == ["2.5 mm", "5 mm", "7.5 mm", "10 mm", "20 mm", ""]
    labels = [box.bounding_box() for box in plate.page.locator(".legend-edge").all()[:5]]
    assert all(one and other and one["x"] < other["x"] for one, other in pairwise(labels))
    shares = plate.page.locator(".legend-share").all_inner_texts()
    assert shares[0] == "0 %", "no wall is thinner than 2.5 mm"


def test_the_scale_of_draft_is_around_zero(plate: Visit) -> None:
    """Without draft: 4 sides and 2 bores, 2000 + 170 pi of 6800 - 84.5 pi + 170 pi mm2; half of the rest each."""
    plate.page.click("[data-mode=draft]")
    plate.wait_until("window.fettle.state().mode === 'draft'")
    assert plate.page.locator(".legend-edge").all_inner_texts()[1:5] == ["0.05°", "0.5°", "1°", "3°"]
    without = (2000 + 170 * 3.14159) / (6800 + 85.5 * 3.14159)
    shown = float(plate.page.locator(".legend-share").nth(1).inner_text().removesuffix(" %"))
    assert shown == pytest.approx(100 * without, abs=1)


def test_a_section_stands_at_millimeters_and_is_flipped(plate: Visit) -> None:
    plate.page.click("[data-mode=shaded]")
    plate.page.select_option(SECTION, "x")
    position = plate.page.locator(".section-mm")
    assert float(position.input_value()) == 30, "the middle of 60"
    position.fill("20")
    position.press("Tab")
    plate.page.get_by_role("button", name="Flip").click()
    assert float(position.input_value()) == 20, "the same place from the other side"
    plate.page.select_option(SECTION, "off")
    assert position.is_hidden()


def test_a_distance_and_a_radius_are_measured(plate: Visit) -> None:
    """From above: the plate is 60 mm wide, and the wall of the large hole has a radius of 6 mm."""
    page = plate.page
    page.click("[data-mode=shaded]")
    page.get_by_role("button", name="Fit").click()
    page.select_option("select[aria-label='Standard view']", "top")
    page.get_by_role("button", name="Measure").click()
    page.mouse.click(*at(plate, 0.5, 0.62))
    assert plate.state()["labels"] == ["from here"]
    page.mouse.click(*at(plate, 0.6, 0.62))
    (text,) = plate.state()["labels"]
    assert "faces 0 mm apart" in text, "one face, and the distance of a plane to itself"
    page.select_option("select[aria-label='Standard view']", "iso")
    page.mouse.click(*at(plate, *wall_of_the_hole(plate)))
    assert plate.state()["labels"] == ["R 6 mm · ⌀ 12 mm"]
    page.get_by_role("button", name="Measure").click()
    assert plate.state()["labels"] == []


def wall_of_the_hole(seen: Visit) -> tuple[float, float]:
    """A place where the readout names a hole, from a grid over the canvas, finer than the hole's wall is seen."""
    for down in range(30, 71, 4):
        for right in range(30, 56, 4):
            seen.page.mouse.move(*at(seen, right / 100, down / 100))
            if "hole" in seen.page.inner_text(".readout"):
                return right / 100, down / 100
    raise AssertionError("no hole under the cursor")


def test_features_are_sorted_by_diameter_and_shown(plate: Visit) -> None:
    page = plate.page
    page.evaluate("document.querySelector('.feature-list').open = true")
    header = page.locator(".feature-list th button", has_text="Diameter")
    header.click()
    rows = page.locator(".feature-list tbody tr")
    assert rows.nth(0).inner_text().split("\t")[1] == "5"
    header.click()
    assert rows.nth(0).inner_text().split("\t")[1] == "12"
    rows.nth(0).locator("button").click()
    assert len(plate.state()["marked"]) == 1


def test_a_side_of_the_cube_is_looked_at(plate: Visit) -> None:
    plate.page.get_by_role("button", name="Front view").click()
    assert plate.state()["direction"] == pytest.approx([0, -1, 0], abs=1e-3)


def test_frames_are_drawn_while_the_part_is_turned_and_not_after(plate: Visit) -> None:
    page = plate.page
    page.evaluate(COUNT_FRAMES)
    page.mouse.move(*at(plate, 0.3, 0.3))
    page.mouse.down()
    page.mouse.move(*at(plate, 0.6, 0.5), steps=5)
    page.mouse.up()
    plate.wait_until("window.framesAsked > 0")
    page.wait_for_timeout(500)
    page.evaluate("window.framesAsked = 0")
    page.wait_for_timeout(1000)
    assert page.evaluate("window.framesAsked") == 0, "nothing moves"
