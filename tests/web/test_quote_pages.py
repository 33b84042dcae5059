"""Quotes that are sent: the price follows the form, the letter, the PDF and the link; the margin stays at home."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from tests.browser import DESKTOP, PHONE, needs_bundle, visit
from tests.web.conftest import Running
from tests.web.visitors import analyzed, enter, hidden_field, sign_up

PAGE = {"Accept": "text/html"}
pytestmark = needs_bundle


@pytest.fixture(scope="module")
def seller(service: Running, bracket: bytes) -> Iterator[tuple[httpx.Client, str, str]]:
    """Somebody with one analysis: the client, the e-mail, the job."""
    with service.visitor() as owner:
        owner.headers.update(PAGE)
        email = enter(owner, service)
        yield owner, email, analyzed(service, email, bracket, "Träger.step")


def choose(owner: httpx.Client, **said: str) -> httpx.Response:
    token = hidden_field(owner.get("/dashboard/account").text, "csrf")
    return owner.post("/dashboard/account/preferences", data={"csrf": token, "quote_terms": "Net 30 days.", **said})


def save(owner: httpx.Client, job_id: str, **said: str) -> httpx.Response:
    form = owner.get("/dashboard/quotes/new", params={"job": job_id}).text
    given = {name: html.unescape(hidden_field(form, name)) for name in ("csrf", "job", "process", "material")}
    return owner.post("/dashboard/quotes", data={**given, "quantity": "10", **said})


def test_a_quote_carries_its_letter_and_its_prices_are_those_of_the_api(
    service: Running, seller: tuple[httpx.Client, str, str]
) -> None:
    """Other quantities are priced as the API prices them."""
    owner, email, job_id = seller
    choose(owner, quote_name="Gear & Sons")
    answer = save(owner, job_id, breaks="100, 50", customer="A < B Ltd", reference="RFQ 7", notes="Two lots.")
    assert answer.status_code == 303
    page = owner.get(answer.headers["Location"]).text
    assert "A &lt; B Ltd" in page
    assert f'href="/dashboard/analyses/{job_id}"' in page, "from the quote to the part"
    process = html.unescape(hidden_field(owner.get(f"/dashboard/quotes/new?job={job_id}").text, "process"))
    with service.client(service.key(email=email)) as api:
        for quantity in (10, 50, 100):
            body = {"job_id": job_id, "process": process, "quantity": quantity}
            total = float(api.post("/quotes", json=body).json()["quote"]["total_price"])
            assert f"{total:,.2f}" in page
    back = owner.get(f"/dashboard/analyses/{job_id}").text
    assert f'href="/dashboard/quotes?job={job_id}"' in back, "and back"
    assert "A &lt; B Ltd" in owner.get(f"/dashboard/quotes?job={job_id}").text
    printed = owner.get(f"{answer.headers['Location']}/quote.pdf")
    assert (printed.status_code, printed.content[:4]) == (200, b"%PDF")


def test_the_margin_is_shown_to_oneself_alone_and_only_if_asked_for(
    service: Running, seller: tuple[httpx.Client, str, str]
) -> None:
    owner, _, job_id = seller
    choose(owner)
    where = save(owner, job_id).headers["Location"]
    assert "argin" not in owner.get(where).text
    choose(owner, shows_margin="true")
    assert "Margin" in owner.get(where).text
    token = hidden_field(owner.get("/dashboard/account").text, "csrf")
    made = owner.post("/dashboard/links", data={"csrf": token, "quote": where.rsplit("/", 1)[-1]}).text
    link = re.search(r'id="new-link">http://[^/]+(/s/[^<]+)<', made)
    assert link is not None
    with service.visitor() as stranger:
        shown = stranger.get(link[1], headers=PAGE)
        assert shown.status_code == 200
        assert "argin" not in shown.text
        assert "Net 30 days." in shown.text
        for private in (job_id, "/dashboard/analyses", "@example.com"):
            assert private not in shown.text
        assert stranger.get(f"{link[1]}.pdf").content.startswith(b"%PDF")
        assert stranger.get(link[1].replace("/quote", "/report"), headers=PAGE).status_code == 404


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"breaks": "10, many"}, "&#39;many&#39; is no quantity"),
        ({"breaks": "1 2 3 4 5 6 7 8 9"}, "at most 8"),
        ({"valid_until": "2020-01-01"}, "which has passed"),
        ({"customer": "x" * 201}, "it may have 200"),
    ],
)
def test_what_a_quote_cannot_say_is_refused_beside_the_form(
    seller: tuple[httpx.Client, str, str], said: dict[str, str], told: str
) -> None:
    owner, _, job_id = seller
    answer = save(owner, job_id, **said)
    assert answer.status_code == 422
    assert told in answer.text


def test_another_account_sees_neither_quote_nor_picture(
    service: Running, seller: tuple[httpx.Client, str, str]
) -> None:
    owner, _, job_id = seller
    where = save(owner, job_id).headers["Location"]
    with service.visitor() as other:
        other.headers.update(PAGE)
        enter(other, service)
        for path in (where, f"{where}/quote.pdf", f"{where}/part.png", f"/dashboard/analyses/{job_id}/part.png"):
            assert other.get(path).status_code == 404
        assert other.get("/dashboard/quotes/new", params={"job": job_id}).status_code == 404
        assert other.get("/dashboard/quotes", params={"job": job_id}).status_code == 404


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop", "phone"])
def test_the_price_follows_the_form(
    service: Running, browser: Browser, bracket: bytes, size: tuple[int, int], *, dark: bool
) -> None:
    """No button is pressed: quantity, material and finishing change the price; what was typed elsewhere stays."""
    with visit(browser, size, dark=dark) as seen:
        job_id = analyzed(service, sign_up(seen, service), bracket)
        page = seen.page
        page.goto(f"{service.url}/dashboard/quotes/new?job={job_id}")
        page.fill("#customer", "Somebody")

        def price_after(change: str, value: str) -> float:
            before = page.inner_text("#unit-price")
            if change.startswith("select"):
                page.select_option(change, value)
            else:
                page.fill(change, value)
            seen.wait_until(f"document.querySelector('#unit-price').textContent !== {before!r}")
            return float(page.inner_text("#unit-price").replace(",", ""))

        hundred = price_after("#quantity", "100")
        assert price_after("#quantity", "1") > hundred
        other = page.locator("#material option:not(:checked)").first.inner_text()
        price_after("select#material", other)
        assert page.input_value("#material") == other
        page.fill("#breaks", "25 75")
        page.wait_for_selector("#breaks-priced")
        assert page.locator("#breaks-priced tbody tr").count() == 2
        assert page.input_value("#customer") == "Somebody"
        shown = page.inner_text("#unit-price")
        page.click("text=Save as quote")
        page.wait_for_url("**/dashboard/quotes/*-*")
        assert shown in page.inner_text("main")
        assert page.locator("#breaks tbody tr").count() == 2
        with page.expect_download() as taken:
            page.click("text=PDF to send")
        assert taken.value.suggested_filename.startswith("Quote ")
        assert Path(taken.value.path()).read_bytes().startswith(b"%PDF")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), "nothing sticks out"
        assert seen.complaints == []
