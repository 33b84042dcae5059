"""Every page of the dashboard by axe-core, in both schemes and at both sizes, and by keyboard alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest

from fettle.geometry.csg import build
from tests.browser import DESKTOP, PHONE, Visit, chromium, visit
from tests.web.conftest import Running
from tests.web.visitors import analyzed, sign_up

MODULES = Path(os.environ.get("FETTLE_NODE_MODULES", Path(__file__).parents[2] / "viewer" / "node_modules"))
AXE = MODULES / "axe-core" / "axe.min.js"
PART = {
    "cut": [
        {"box": [60, 40, 10]},
        {"move": {"of": {"cylinder": {"d": 12, "h": 20}}, "by": [20, 20, -5]}},
        {"move": {"of": {"box": [20, 10, 20]}, "by": [30, 29.4, -5]}},
    ]
}
REFERENCE = "/api/v1/docs"
"""Its script writes the page after it is loaded."""
OPEN = ("/dashboard/sign-in", "/dashboard/sign-up", REFERENCE)
"""Pages of those who are not signed in."""
STARTS = ("/dashboard/analyses", "/dashboard/nothing-here")
MOST_PAGES = 40
"""A crawl that finds more goes in circles."""
LOOKS = ((DESKTOP, "light", True), (PHONE, "light", False), (PHONE, "dark", True), (DESKTOP, "dark", False))
"""Size, scheme, and whether all rules judge the page; else only the contrast of what had not been visible."""
LINK = re.compile(r'<a [^>]*?href="(/dashboard[^"#]*)"')
ALIKE = re.compile(r"(?<=/)(?:[a-z]+_[\w-]{8,}|(?<=rates/)[\w-]+)|\?.*")
"""What tells pages of one kind apart: ids, names of rate cards, and what a form filled in."""

# Faults that axe-core finds: by all rules, or the contrast of elements that had not been visible in the present scheme.
FIND = """async (everything) => {
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const judged = ((window.judged ??= {})[scheme] ??= new Set());
  const fresh = [...document.body.querySelectorAll("*")].filter((at) => at.checkVisibility() && !judged.has(at));
  for (const at of fresh) judged.add(at);
  if (!everything && fresh.length === 0) return [];
  const contrast = { runOnly: { type: "rule", values: ["color-contrast"] } };
  const options = { resultTypes: ["violations"], ...(everything ? {} : contrast) };
  const outermost = fresh.filter((at) => !fresh.includes(at.parentElement));
  const { violations } = await axe.run(everything ? document : { include: outermost }, options);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}"""
# Numbers of the elements that the Tab key has to reach.
REACHABLE = """() => {
  const all = [...document.querySelectorAll("*")];
  const wanted = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const grouped = (at) => at.type === "radio" && !at.checked;
  return all.map((at, k) => [at, k]).filter(([at]) => at.matches(wanted) && at.tabIndex >= 0 && !at.disabled &&
    !grouped(at) && at.checkVisibility({ visibilityProperty: true })).map(([, k]) => k);
}"""
FOCUSED = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  return [[...document.querySelectorAll("*")].indexOf(at), seen, at.outerHTML.slice(0, 120)];
}"""


@dataclass
class Site:
    """A signed-in visit, and the pages that links lead to."""

    seen: Visit
    url: str
    pages: list[str]

    def open(self, path: str) -> None:
        self.seen.page.goto(f"{self.url}{path}")
        if self.seen.page.locator("#analysis, #compare").count() > 0:
            self.seen.wait_for_viewer()
        if path == REFERENCE:
            self.seen.page.wait_for_selector(".opblock")


@pytest.fixture(scope="module")
def site(service: Running) -> Iterator[Site]:
    """An account with two analyses; every kind of page that links lead to, one of each."""
    with chromium() as browser, visit(browser) as seen:
        email = sign_up(seen, service)
        first, second = (analyzed(service, email, build(PART)) for _ in range(2))
        page = f"/dashboard/analyses/{second}"
        yield Site(seen, service.url, crawl(seen, service.url, [*STARTS, page, f"{page}/compare?with={first}"]))


def crawl(seen: Visit, url: str, starts: list[str]) -> list[str]:
    """Paths of pages, one for each pattern of addresses."""
    found: dict[str, str] = {}
    waiting = list(starts)
    while waiting:
        path = waiting.pop(0)
        pattern = ALIKE.sub("*", path)
        if pattern in found or "/static/" in path:
            continue
        answer = seen.page.request.get(f"{url}{path}", headers={"Accept": "text/html"})
        disposition = answer.headers.get("content-disposition", "")
        if not answer.headers["content-type"].startswith("text/html") or "attachment" in disposition:
            continue
        found[pattern] = path
        assert len(found) <= MOST_PAGES, sorted(found)
        waiting += map(unescape, LINK.findall(answer.text()))
    return list(found.values())


def test_the_crawl_finds_the_pages(site: Site) -> None:
    """By hand: what the head of every page, the part's page and the rules link to."""
    named = " ".join(site.pages)
    for path in ("/quotes", "/quotes/new", "/rules", "/rules/edit", "/api", "/usage", "/account", "/rates", "/compare"):
        assert f"/dashboard{path}" in named or path in named, path


def test_every_action_is_reached_by_tab_and_seen(site: Site) -> None:
    page = site.seen.page
    for path in site.pages:
        site.open(path)
        wanted = set(page.evaluate(REACHABLE))
        reached: dict[int, bool] = {}
        last = None
        page.evaluate("document.activeElement?.blur()")
        for _ in range(len(wanted) + 30):
            page.keyboard.press("Tab")
            focused = page.evaluate(FOCUSED)
            if focused is not None and focused[0] == last:
                continue  # the next field of a date
            if focused is None or focused[0] in reached:
                break
            last = focused[0]
            reached[focused[0]] = focused[1]
            assert focused[1], f"{path}: the focus is not seen on {focused[2]}"
        names = page.evaluate(
            "(some) => some.map((k) => document.querySelectorAll('*')[k].outerHTML.slice(0, 120))",
            sorted(wanted - set(reached)),
        )
        assert names == [], f"{path}: not reached by Tab"


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in viewer/")
def test_axe_finds_nothing_serious(site: Site) -> None:
    """Contrast depends on the scheme, everything else on the size alone: every element that is visible at either size
    is judged in both schemes, and every page by all rules at both sizes."""
    page = site.seen.page
    page.add_init_script(path=AXE)
    faults = []
    for path in [*site.pages, *OPEN]:
        site.open(path)
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        if page.locator("#analysis").count() > 0:
            page.evaluate("window.fettle.showFace(0)")
        for size, scheme, everything in LOOKS:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme=scheme)
            faults += [f"{path} {scheme} {size[0]}: {one}" for one in page.evaluate(FIND, everything)]
    assert faults == []
