"""Two revisions side by side: which faces changed, the list of changes, and cameras that move together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fettle.geometry.csg import build
from fettle.web.dashboard.session import COOKIE
from tests.browser import DESKTOP, PHONE, Visit, chromium, visit
from tests.web.conftest import Running
from tests.web.visitors import count_marked, drop, sign_in, sign_up

PLATE = {"box": [60, 40, 10]}
SHIFT_MM = [100, 0, 0]


def hole(d: float, x: float, y: float) -> dict[str, object]:
    return {"move": {"of": {"cylinder": {"d": d, "h": 20}}, "by": [x, y, -5]}}


POCKET = {"move": {"of": {"box": [10, 10, 10]}, "by": [35, 15, 6]}}
FIRST = {"cut": [PLATE, hole(10, 15, 20), POCKET]}
SECOND = {"move": {"of": {"cut": [PLATE, hole(8, 15, 20), hole(5, 52, 30)]}, "by": SHIFT_MM}}
"""The hole is smaller, the pocket gone, a hole new, and all of it is elsewhere."""


@pytest.fixture(scope="module")
def pair(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """Both revisions analyzed; the page of the second is left through "Compare with..."."""
    folder = tmp_path_factory.mktemp("revisions")
    with chromium() as browser, visit(browser) as seen:
        page = seen.page
        sign_up(seen, service)
        for name, recipe in (("plate-a.step", FIRST), ("plate-b.step", SECOND)):
            (folder / name).write_bytes(build(recipe))
            drop(seen, service.url, folder / name)
        page.click("text=Compare with…")
        assert "plate-a.step" in page.inner_text("#with")
        page.click("button:has-text('Compare')")
        seen.wait_for_viewer()
        yield seen
        assert seen.complaints == []


def row(seen: Visit, text: str) -> None:
    seen.page.locator("button.change", has_text=text).click()
    seen.wait_until("!window.fettle.state().flying")
    seen.wait_for_frames()


def test_faces_are_counted_by_what_became_of_them(pair: Visit) -> None:
    """Four sides are the same; top, bottom and the hole changed; one hole is new; the pocket had five faces."""
    assert "Faces: 4 unchanged, 3 changed, 1 added, 5 removed." in pair.page.inner_text(".changes")
    assert "moved by 100, 0, 0 mm" in pair.page.inner_text(".changes")


def test_a_change_is_shown_in_both_parts(pair: Visit) -> None:
    row(pair, "diameter 10 mm → 8 mm")
    marked = pair.state()["marked"]
    assert (len(marked["old"]), len(marked["new"])) == (1, 1)
    row(pair, "5 faces removed")
    marked = pair.state()["marked"]
    assert (len(marked["old"]), len(marked["new"])) == (5, 0)
    assert count_marked(pair) >= 500, "the first canvas has the old part"


def test_cameras_move_together(pair: Visit) -> None:
    page = pair.page
    page.locator("[data-side=new] canvas").press("f")
    page.locator("[data-side=new] canvas").press("ArrowLeft")
    page.locator("[data-side=old] canvas").press("+")
    pair.wait_until("!window.fettle.state().flying")
    pair.wait_for_frames()
    state = pair.state()
    assert state["directions"]["old"] == pytest.approx(state["directions"]["new"], abs=1e-6)
    assert state["scales"]["old"] == pytest.approx(state["scales"]["new"], rel=1e-6)
    apart = [new - old for old, new in zip(state["targets"]["old"], state["targets"]["new"], strict=True)]
    assert apart == pytest.approx(SHIFT_MM, abs=1e-3)
    before = state["directions"]["old"]
    box = page.locator("[data-side=old] canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 100, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + 180, box["y"] + 200, steps=4)
    page.mouse.up()
    pair.wait_until("!window.fettle.state().flying")
    pair.wait_for_frames()
    turned = pair.state()["directions"]
    assert turned["old"] != pytest.approx(before, abs=1e-2)
    assert turned["new"] == pytest.approx(turned["old"], abs=1e-6)


def test_both_parts_and_the_list_fit_a_phone(pair: Visit) -> None:
    page = pair.page
    pair.resize(PHONE)
    boxes = [page.locator(f"[data-side={side}]").bounding_box() for side in ("old", "new")]
    for box in boxes:
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert box["height"] >= 150
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    pair.resize(DESKTOP)


def test_another_account_sees_neither(pair: Visit, service: Running) -> None:
    address = pair.page.url.removeprefix(service.url)
    _, session = sign_in(service)
    for path in (address, address.replace("/compare?with=", "/changes/")):
        answer = service.ask(path, headers={"Cookie": f"{COOKIE}={session}"})
        assert answer.status_code == 404
