"""The page of a part: the answer first, then the part; whatever is clicked is seen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from fettle.geometry.csg import build
from fettle.web.dashboard.session import COOKIE
from tests.browser import DESKTOP, PHONE, Visit, visit
from tests.counts import FULL, some
from tests.web.conftest import Running, wait_for
from tests.web.visitors import count_marked, drop, sign_in, sign_up

ENOUGH_PIXELS = 500
"""Marked pixels that a visitor notices at once: about a square of 22 by 22."""
SHEET = "made/analysis-situs/rear_camera_mount.stp"
BENT_MILLED_TURNED = (SHEET, "made/e3d/TC-BACK_1.3.step", "made/e3d/TC-DOCK-PIN-V6_1.1.step")
REAL_PARTS = (*BENT_MILLED_TURNED, "made/e3d/V6_PCF_Duct.step")
MORE_PARTS = (
    "made/e3d/TC-FACE_1.4.step",
    "made/e3d/TC-MOTOR-BRACKET_1.0.step",
    "made/e3d/TC-SHAFT_1.5.step",
    "made/prusa-mini/MINI-heatsink.stp",
    "made/prusa-mini/MINI-minda-holder.stp",
    "made/voron/SKR_E3_V3_Din_Mount.step",
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/multi-body/916 Metal Button.step",
)
ORDERED_PARTS = REAL_PARTS + (MORE_PARTS if FULL else ())
CAUSES = ".finding-list details.rule"
OPEN_ALL = f"""() => {{
  for (const more of document.querySelectorAll(".finding-list .more")) more.click();
  for (const cause of document.querySelectorAll("{CAUSES}")) cause.open = true;
}}"""

# Clicks every cause and every finding; what it says, and the marked pixels that the visitor sees after the click: on
# the canvas, inside the window, not behind a control.
CLICK_ALL = f"""async () => {{
  const [stage, {{ viewport }}] = [document.querySelector(".stage"), window.fettle];
  const {{ scene }} = viewport;
  const draw = scene.draw.bind(scene);
  let drawn = false;
  scene.draw = () => {{ drawn = true; draw(); }};
  const canvas = stage.querySelector("canvas");
  const gl = canvas.getContext("webgl2");
  const seen = () => {{
    const box = canvas.getBoundingClientRect();
    const bars = ".canvas-holder, .viewer-bar, .stage-foot";
    const controls = [...stage.querySelectorAll(`:scope > :not(${{bars}}), .viewer-bar > *, .stage-foot > *`)]
      .map((control) => control.getBoundingClientRect());
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    // Whether each pixel is behind a control: looked up, not compared with every control for every marked pixel.
    const behind = new Uint8Array(width * height);
    const first = (at, most) => Math.min(most, Math.max(0, Math.ceil(at - 0.5)));  // whose middle is not before `at`
    const column = (x) => first(((x - box.left) * width) / box.width, width);
    const row = (y) => first(((box.bottom - y) * height) / box.height, height);
    const cover = ({{ left, right, top, bottom }}) => {{
      for (let k = row(bottom); k < row(top); k++) behind.fill(1, k * width + column(left), k * width + column(right));
    }};
    const {{ left, right, top, bottom }} = box;
    const outside = [{{ left, right, top, bottom: 0 }}, {{ left, right, top: innerHeight, bottom }}];
    [...controls, ...outside].forEach(cover);
    const pixels = new Uint8Array(4 * width * height);
    if (!drawn) draw();  // the buffer holds what was drawn since the last frame until this one ends
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let count = 0;
    for (let k = 0; k < pixels.length; k += 4) {{
      const r = pixels[k], g = pixels[k + 1], b = pixels[k + 2];  // a million times: no arrays
      if (r > 90 && r - g > 60 && b - g > 40 && r > b && !behind[k / 4]) count++;
    }}
    return count;
  }};
  const found = [];
  for (const rows of ["{CAUSES} > summary", "{CAUSES} .finding"]) {{
    for (let k = 0; ; k++) {{
      ({OPEN_ALL})();
      const row = document.querySelectorAll(rows)[k];
      if (!row) break;
      row.click();
      do {{ drawn = false; await new Promise(requestAnimationFrame); }} while (viewport.flying);
      found.push([row.innerText, seen()]);
    }}
  }}
  return found;
}}"""


def moved(shape: dict, x: float) -> dict:
    return {"move": {"of": shape, "by": [x, 0, 0]}}


def test_the_answer_comes_first(service: Running, browser: Browser, corpus: Path) -> None:
    """The camera mount is bent from 2 mm sheet, as its drawing says: sheet metal is the first card, and open below it
    are its causes by name."""
    with visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, corpus / SHEET)
        page = seen.page
        assert page.inner_text("#headline").startswith("Bent sheet of 2 mm")
        cards = page.locator(".process-card")
        assert cards.first.get_attribute("data-module") == "sheet-metal"
        assert "fit " in cards.first.inner_text()
        assert "Radius of bends" in cards.first.locator(".card-causes").inner_text()
        assert page.inner_text("[data-process='sheet-metal:mild-steel-1.5mm']").endswith("Mild steel, 1.5 mm")
        assert "mild-steel-1.5mm" not in page.inner_text("body")
        price = unit_price(seen, 1)
        assert unit_price(seen, 1000) < price, "set-up and programming are shared by the order"

        bends = page.locator(f"{CAUSES}[data-rule=bend_radius]")
        assert "2 places" in bends.locator("summary").inner_text()
        assert bends.locator(".finding").count() == 2, "the mount has two bends"
        assert seen.complaints == []


def unit_price(seen: Visit, quantity: int) -> float:
    """What the first card says of one piece at a quantity other than the one it shows."""
    before = seen.page.inner_text(".card-price >> nth=0")
    seen.page.fill("#card-quantity", str(quantity))
    seen.page.press("#card-quantity", "Tab")
    seen.wait_until(f"document.querySelector('.card-price').innerText !== {json.dumps(before)}")
    return float(seen.page.inner_text(".card-price >> nth=0").split()[0].replace(",", ""))


def test_what_is_odd_about_a_file_is_said(service: Running, browser: Browser, corpus: Path) -> None:
    """Edges of this file are loose: the stock kernel reads them with tolerances of up to 0.018 mm."""
    with visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, corpus / "made/voron/SKR_E3_V3_Din_Mount.step")
        assert "off the faces that meet there" in seen.page.inner_text("#file-warnings")


def test_bodies_are_picked_hidden_and_shown_alone(service: Running, browser: Browser, tmp_path: Path) -> None:
    """Two equal cubes and a plate with a hole: 6, 6 and 7 faces."""
    plate = {"cut": [{"box": [60, 40, 8]}, {"move": {"of": {"cylinder": {"d": 10, "h": 20}}, "by": [30, 20, -5]}}]}
    part = tmp_path / "three.step"
    part.write_bytes(build({"bodies": [{"box": [20, 20, 20]}, moved(plate, 30), moved({"box": [20, 20, 20]}, 100)]}))
    with visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, part)
        page = seen.page
        assert page.inner_text(".bodies summary") == "3 bodies, 2 different"
        cubes, drilled = page.locator(".body-row").nth(0), page.locator(".body-row").nth(1)
        cubes.locator("input").uncheck()
        assert seen.state()["hidden"] == 12
        cubes.get_by_text("Only").click()
        assert seen.state()["hidden"] == 7
        drilled.locator(".body-name").click()
        assert seen.state()["hidden"] == 0, "what is picked is shown"
        assert len(seen.state()["marked"]) == 7
        assert count_marked(seen) >= ENOUGH_PIXELS
        assert seen.complaints == []


@dataclass(frozen=True)
class Owner:
    """An account with real parts: its session, its key, and its jobs by the names of the files."""

    session: str
    key: str
    jobs: dict[str, str]


@pytest.fixture(scope="module")
def owner(service: Running, corpus: Path) -> Owner:
    """All parts are ordered at once: the later ones are analyzed while the first are clicked on."""
    email, session = sign_in(service)
    key = service.key("pro", email)
    with service.client(key) as api:
        sent = {name: {"file": (Path(name).name, (corpus / name).read_bytes())} for name in ORDERED_PARTS}
        jobs = {name: api.post("/dfm/analyze", files=file).json()["job_id"] for name, file in sent.items()}
    return Owner(session, key, jobs)


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_finding_is_seen(service: Running, browser: Browser, owner: Owner, size: tuple[int, int]) -> None:
    """Of every cause and every finding in the process that the headline names, for real parts."""
    unseen, clicked = [], 0
    parts = some(BENT_MILLED_TURNED, every=2) if size == PHONE else ORDERED_PARTS
    with visit(browser, size, dark=size == PHONE) as seen:
        seen.page.context.add_cookies([{"name": COOKIE, "value": owner.session, "url": service.url}])
        with service.client(owner.key) as api:
            for name in parts:
                assert wait_for(api, owner.jobs[name])["status"] == "done"
                seen.page.goto(f"{service.url}/dashboard/analyses/{owner.jobs[name]}")
                seen.wait_for_viewer()
                found = [(name, text, pixels) for text, pixels in seen.page.evaluate(CLICK_ALL)]
                assert found, f"{name} has causes"
                clicked += len(found)
                unseen += [one for one in found if one[2] < ENOUGH_PIXELS]
        assert seen.complaints == []
    assert unseen == []
    assert clicked > len(parts)


def test_a_hidden_cavity_is_cut_open(service: Running, browser: Browser, tmp_path: Path) -> None:
    """A sealed hollow is seen from nowhere outside: a section shows it."""
    part = tmp_path / "hollow.step"
    hollow = {"move": {"of": {"box": [20, 20, 20]}, "by": [10, 10, 10]}}
    part.write_bytes(build({"cut": [{"box": [40, 40, 40]}, hollow]}))
    with visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, part)
        page = seen.page
        page.click("[data-process='cnc:3-axis']")
        page.evaluate(OPEN_ALL)
        page.locator(f"{CAUSES} > summary", has_text="cavities").click()
        assert count_marked(seen) >= ENOUGH_PIXELS
        assert page.input_value("select[aria-label='Section across']") != "off"


def test_the_dimension_is_drawn_and_fit_keeps_the_direction(service: Running, browser: Browser, tmp_path: Path) -> None:
    """The web between the slots is 0.6 mm thick; a face clicked on the part opens its card inside the view."""
    slots = [{"move": {"of": {"box": [20, 10, 20]}, "by": [20, y, -5]}} for y in (9.4, 20)]
    part = tmp_path / "web.step"
    part.write_bytes(build({"cut": [{"box": [60, 40, 10]}, *slots]}))
    with visit(browser, moving=True) as seen:
        sign_up(seen, service)
        drop(seen, service.url, part)
        page = seen.page
        page.click("[data-process='cnc:3-axis']")
        page.evaluate(OPEN_ALL)
        page.locator(f"{CAUSES}[data-rule=min_wall_thickness] .finding").first.click()
        assert seen.state()["labels"] == ["0.6 mm"]
        seen.wait_until("!window.fettle.state().flying")
        direction = seen.state()["direction"]
        page.click("text=Fit")
        assert seen.state()["direction"] == pytest.approx(direction, abs=1e-6)
        assert seen.state()["zoom"] == 1

        box = page.locator(".canvas-holder canvas").first.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2)
        card = page.locator(".face-card").bounding_box()
        assert card is not None
        assert card["y"] >= box["y"]
        assert card["y"] + card["height"] <= box["y"] + box["height"]


def test_several_files_are_dropped_at_once_and_originals_come_back(
    service: Running, browser: Browser, tmp_path: Path
) -> None:
    parts = []
    for name, side in (("small cube.step", 10), ("large cube.step", 20)):
        parts.append(tmp_path / name)
        parts[-1].write_bytes(build({"box": [side, side, side]}))
    with visit(browser) as seen:
        sign_up(seen, service)
        page = seen.page
        page.set_input_files("#file", parts)
        page.wait_for_selector("tbody tr:nth-child(2)")
        listed = page.locator("tbody tr a").all_inner_texts()
        assert sorted(listed) == ["large cube.step", "small cube.step"]
        page.click("text=small cube.step")
        seen.wait_for_viewer()
        page.click("summary:has-text('Files')")
        with page.expect_download() as taken:
            page.click("text=The file as it was sent")
        assert taken.value.suggested_filename == "small cube.step"
        assert Path(taken.value.path()).read_bytes() == parts[0].read_bytes()
        assert seen.complaints == []
