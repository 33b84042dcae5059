"""A real browser for tests of pages: Debian's Chromium with software WebGL, spoken to through Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.patience import PATIENCE_S, until

ASSETS = Path(__file__).parents[1] / "src" / "fettle" / "app" / "static"
needs_bundle = pytest.mark.skipif(
    not (ASSETS / "viewer.js").is_file(), reason="the viewer is not built: pip install -e ."
)
CHROMIUM = os.environ.get("FETTLE_CHROMIUM") or shutil.which("chromium") or ""
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@dataclass
class Visit:
    """A page, with what it complained about and what it asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    @property
    def hosts(self) -> set[str]:
        return {address.split("/")[2] for address in self.addresses if address.startswith("http")}

    def state(self) -> dict:
        """What the viewer shows."""
        return self.page.evaluate("window.fettle.state()")

    def wait_for_viewer(self) -> None:
        self.wait_until("window.fettle?.state().ready === true")

    def wait_until(self, condition: str) -> None:
        """Asks until it holds; the page's own policy forbids Playwright's way of evaluating text in it."""
        until(lambda: self._asked(condition), lambda: f"{condition}; complaints: {self.complaints}", poll_s=0)

    def _asked(self, condition: str) -> bool:
        """Between two questions the page is left to itself, in Playwright's own wait: it hears events meanwhile."""
        if self._holds(condition):
            return True
        self.page.wait_for_timeout(50)
        return False

    def _holds(self, condition: str) -> bool:
        try:
            return bool(self.page.evaluate(f"() => Boolean({condition})"))
        except PlaywrightError as error:
            # The page is just being replaced by the next one: ask that.
            if "context was destroyed" not in str(error):
                raise
            return False


@contextmanager
def chromium() -> Iterator[Browser]:
    if not CHROMIUM:
        if os.environ.get("FETTLE_REQUIRE_BROWSER"):
            pytest.fail("FETTLE_REQUIRE_BROWSER is set, but there is no chromium on PATH")
        pytest.skip("no Chromium: apt-get install chromium, or set FETTLE_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE_S * 1000)
        yield browser
        browser.close()


@contextmanager
def visit(browser: Browser) -> Iterator[Visit]:
    """A fresh visitor: no cookies, and every complaint of the page is kept."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE_S * 1000)
    seen = Visit(context.new_page())

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            seen.complaints.append(message.text)

    def asked(request: Request) -> None:
        seen.addresses.append(request.url)

    seen.page.on("console", heard)
    seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    seen.page.on("request", asked)
    yield seen
    context.close()
