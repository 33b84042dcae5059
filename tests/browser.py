"""Chromium with software WebGL for tests of pages, controlled through Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.patience import PATIENCE_S, until

ASSETS = Path(__file__).parents[1] / "src" / "fettle" / "app" / "static"
needs_bundle = pytest.mark.skipif(
    not (ASSETS / "viewer.js").is_file(), reason="the viewer is not built: pip install -e ."
)
CHROMIUM = (
    os.environ.get("FETTLE_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
)
"""The browser without windows, menus and extensions takes less CPU than the other; pages are drawn by the same code."""
DESKTOP = (1280, 800)
PHONE = (390, 844)
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    # Without a graphics card pages are painted by the processor either way; through the emulated card it takes a
    # third more of it. Only WebGL needs the emulation.
    "--disable-gpu-compositing",
    # Compiling shaders is most of what the emulated card does; it is less where pipelines are not linked from parts.
    "--disable-angle-features=supportsGraphicsPipelineLibrary",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@dataclass
class Visit:
    """An open page, the errors that it logged, and the URLs that it requested."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    @property
    def hosts(self) -> set[str]:
        return {address.split("/")[2] for address in self.addresses if address.startswith("http")}

    def state(self) -> dict[str, Any]:
        """State of the viewer as it reports it."""
        state: dict[str, Any] = self.page.evaluate("window.fettle.state()")
        return state

    def wait_for_viewer(self) -> None:
        self.wait_until("window.fettle?.state().ready === true")

    def wait_for_frames(self) -> None:
        """Until the viewer has drawn what was asked of it: a new size is seen in one frame and drawn in the next."""
        self.page.evaluate(
            "new Promise((done) => { let left = 3;"
            " const next = () => (left-- > 0 ? requestAnimationFrame(next) : done()); next(); })"
        )

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size, and wait until the page is drawn in it."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.wait_until(f"window.innerWidth === {size[0]}")
        self.wait_for_frames()

    def wait_until(self, condition: str) -> None:
        """Poll until a JavaScript condition holds; the page's content security policy forbids Playwright's own wait."""
        until(lambda: self._poll(condition), lambda: f"{condition}; complaints: {self.complaints}", poll_s=0)

    def _poll(self, condition: str) -> bool:
        """Evaluate once; else wait 50 ms in Playwright, which handles events meanwhile."""
        if self._holds(condition):
            return True
        self.page.wait_for_timeout(50)
        return False

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.page.evaluate(f"() => Boolean({condition})"))
        except PlaywrightError as error:
            # The page is being replaced by the next one: poll again.
            if "context was destroyed" not in str(error):
                raise
            return False


@contextmanager
def chromium() -> Iterator[Browser]:
    if not CHROMIUM:
        if os.environ.get("FETTLE_REQUIRE_BROWSER"):
            pytest.fail("FETTLE_REQUIRE_BROWSER is set, but there is no Chromium on PATH")
        pytest.skip("no Chromium: apt-get install chromium-headless-shell, or set FETTLE_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE_S * 1000)
        yield browser
        browser.close()


@contextmanager
def visit(
    browser: Browser, size: tuple[int, int] = DESKTOP, *, dark: bool = False, moving: bool = False
) -> Iterator[Visit]:
    """Open a page in a new browser context without cookies; its errors are recorded.

    Unless `moving`, the visitor prefers reduced motion: each frame of a flight takes as much CPU as its end.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="no-preference" if moving else "reduce",
    )
    context.set_default_timeout(PATIENCE_S * 1000)
    seen = Visit(context.new_page())

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            seen.complaints.append(message.text)

    def on_request(request: Request) -> None:
        seen.addresses.append(request.url)

    seen.page.on("console", on_console)
    seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    seen.page.on("request", on_request)
    yield seen
    context.close()
