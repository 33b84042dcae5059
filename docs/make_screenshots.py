"""Pictures of the main pages, from a service of its own: `make screenshots` writes them to docs/screenshots/."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, ViewportSize, sync_playwright

from fettle.geometry.csg import build

FOLDER = Path(__file__).parent / "screenshots"
PORT = 8799
LAPTOP: ViewportSize = {"width": 1360, "height": 820}
PHONE: ViewportSize = {"width": 390, "height": 844}
SHRINK = 2
"""Pictures are taken this many times too large: without a graphics processor the viewer does not smooth edges."""
URL = f"http://127.0.0.1:{PORT}"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"]


def bracket() -> bytes:
    """A bracket with something to say: counterbores, a pocket with tight corners, a cross hole, a rib 0.7 mm thin."""

    def drilled(x: float) -> list[dict]:
        hole = {"move": {"of": {"cylinder": {"d": 9, "h": 20}}, "by": [x, 15, -4]}}
        return [hole, {"move": {"of": {"cylinder": {"d": 15, "h": 6}}, "by": [x, 15, 7]}}]

    pocket = {"move": {"of": {"fillet": {"of": {"box": [40, 24, 10]}, "r": 1.2, "edges": "z"}}, "by": [40, 8, 5]}}
    base = {"cut": [{"box": [120, 70, 12]}, *drilled(15), *drilled(105), pocket]}
    across = {"turn": {"of": {"cylinder": {"d": 6, "h": 30}}, "axis": [1, 0, 0], "deg": -90}}
    upright = {"move": {"of": {"box": [120, 10, 45]}, "by": [0, 60, 0]}}
    upright = {"cut": [upright, {"move": {"of": across, "by": [60, 50, 32]}}]}
    rib = {"turn": {"of": {"prism": {"points": [[0, 0], [28, 0], [0, 28]], "h": 0.7}}, "axis": [0, 1, 0], "deg": -90}}
    rib = {"turn": {"of": rib, "axis": [0, 0, 1], "deg": 180}}
    return build({"union": [base, upright, {"move": {"of": rib, "by": [90, 60, 12]}}]})


def main() -> None:
    installed = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    chromium = os.environ.get("FETTLE_CHROMIUM") or installed
    if not chromium:
        sys.exit("no Chromium: apt-get install chromium-headless-shell, or set FETTLE_CHROMIUM")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        part = Path(data) / "bracket.step"
        part.write_bytes(bracket())
        options = ["--port", str(PORT), "--workers", "1", "--data-dir", data]
        service = subprocess.Popen([sys.executable, "-m", "fettle", "serve", *options])
        try:
            wait_until_ready()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
                page = browser.new_page(viewport=LAPTOP, device_scale_factor=SHRINK)
                shoot_all(page, part)
                browser.close()
        finally:
            service.terminate()
            service.wait(60)


def wait_until_ready() -> None:
    for _ in range(1200):
        try:
            if httpx.get(f"{URL}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.25)
    sys.exit("the service did not become ready")


def shoot_all(page: Page, part: Path) -> None:
    page.goto(f"{URL}/dashboard")
    page.fill("#email", "ada@example.com")
    page.fill("#password", "correct horse battery staple")
    page.click("button.primary")
    shoot(page, "first-visit")
    page.goto(f"{URL}/dashboard/api")
    shoot(page, "api-keys")
    page.goto(f"{URL}/dashboard/analyses")
    page.set_input_files("#file", part)
    page.wait_for_url("**/analyses/job_*", timeout=60_000)
    wait_for_viewer(page)
    shoot(page, "answer")
    page.click("[data-process='cnc:3-axis']")
    for mode in ("features", "thickness"):
        show(page, mode)
        shoot(page, mode)
    show(page, "shaded")
    page.evaluate("document.querySelector('[data-rule=min_wall_thickness]').open = true")
    page.locator("[data-rule=min_wall_thickness] .finding").first.click()
    page.wait_for_timeout(1500)
    shoot(page, "finding")
    page.locator("canvas").press("Escape")
    page.select_option("select[aria-label='Standard view']", "front")
    page.select_option("select[aria-label='Standard view']", "iso")
    page.locator("canvas").press("f")
    page.emulate_media(color_scheme="dark")
    show(page, "draft")
    shoot(page, "draft")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    show(page, "thickness")
    shoot(page, "phone")
    page.set_viewport_size(LAPTOP)
    page.click("text=Price it")
    shoot(page, "quote")
    page.goto(f"{URL}/dashboard/rules/edit?module=casting")
    shoot(page, "rule-editor")


def show(page: Page, mode: str) -> None:
    page.click(f"[data-mode={mode}]")
    page.wait_for_timeout(1500)


def wait_for_viewer(page: Page) -> None:
    for _ in range(1200):
        # The page of a job under way is replaced by the finished one: a question asked in between is lost.
        with suppress(PlaywrightError):
            if page.evaluate("() => window.fettle?.state().ready === true"):
                return
        page.wait_for_timeout(250)
    sys.exit("the analysis did not finish")


def shoot(page: Page, name: str) -> None:
    with Image.open(io.BytesIO(page.screenshot())) as taken:
        taken.convert("RGB").reduce(SHRINK).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
