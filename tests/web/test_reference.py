"""The API reference page in a real browser: every operation, its schema, and text that can be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Visit, needs_bundle, visit
from tests.web.conftest import Running
from tests.web.test_style import TEXT_CONTRAST, contrast

pytestmark = needs_bundle

# Ink and ground of every element with text of its own, as #rrggbb; grounds are laid over each other by their alpha.
TEXTS = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const over = (top, below) => [0, 1, 2].map((k) => top[k] * (top[3] ?? 1) + below[k] * (1 - (top[3] ?? 1)));
  const hex = (color) => "#" + color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
  const ground = (element) => element === null ? [255, 255, 255]
    : over(parse(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility())
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .map((element) => [element.textContent.slice(0, 40),
      hex(over(parse(getComputedStyle(element).color), ground(element))), hex(ground(element))]);
}"""


@pytest.fixture(scope="module")
def convert(service: Running, browser: Browser) -> Iterator[Visit]:
    """The reference with an operation opened by its address. It is a large page, loaded once."""
    with visit(browser) as seen:
        seen.page.goto(f"{service.url}/api/v1/docs#/Quoting/convert")
        seen.page.locator(".responses-table").first.wait_for()
        yield seen


def test_every_operation_is_listed_and_shows_its_schema(service: Running, convert: Visit) -> None:
    document = service.ask("/api/v1/openapi.json").json()
    operations = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    page = convert.page
    expect(page.locator(".opblock")).to_have_count(len(operations))
    methods = page.locator(".opblock-summary-method").all_inner_texts()
    paths = page.locator(".opblock-summary-path").all_inner_texts()
    assert {f"{method} {path}" for method, path in zip(methods, paths, strict=True)} == operations

    block = page.locator("#operations-Quoting-convert")
    taken = block.get_by_text("A .step, .stp, .gltf or .glb file of at most 25 MB.")
    expect(taken).to_be_visible()
    for opened in (False, True):
        block.get_by_role("button", name="POST /api/v1/convert Convert").click()
        expect(taken).to_be_visible(visible=opened)
    block.get_by_role("tab", name="Schema").first.click()
    expect(block.get_by_text("bounding_box").first).to_be_visible()

    assert convert.complaints == []
    assert convert.hosts == {service.url.removeprefix("http://")}


def test_no_inline_script_or_style_is_allowed(service: Running) -> None:
    policy = service.ask("/api/v1/docs").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("tab", ["Example Value", "Schema"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(convert: Visit, scheme: str, tab: str) -> None:
    convert.page.locator("#operations-Quoting-convert").get_by_role("tab", name=tab).first.click()
    convert.page.emulate_media(color_scheme=scheme)
    convert.wait_until(f"document.documentElement.classList.contains('dark-mode') === {str(scheme == 'dark').lower()}")
    texts = convert.page.evaluate(TEXTS)
    assert len(texts) > 50
    weak = [text for text in texts if contrast(text[1], text[2]) < TEXT_CONTRAST]
    assert weak == []
