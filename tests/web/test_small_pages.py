"""Pages around the parts: first visit, keys, errors, account, usage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from fettle.app.access import accounts, sessions
from fettle.web.dashboard.session import COOKIE
from tests.browser import visit
from tests.web.conftest import Running
from tests.web.visitors import PASSWORD, sign_in, sign_up

PAGE = {"Accept": "text/html"}
OVER_THE_LIMIT = 30 * 1024 * 1024


@pytest.fixture
def owner(service: Running) -> Iterator[httpx.Client]:
    """Somebody who has just signed up."""
    with service.visitor() as client:
        email, session = sign_in(service)
        client.cookies.set(COOKIE, session)
        client.headers["X-Email"] = email
        yield client


def field(page: str, name: str) -> str:
    """Value of a hidden field of a page."""
    found = re.search(f'name="{name}" value="([^"]+)"', page)
    assert found is not None, name
    return found[1]


def test_sending_the_form_of_a_key_again_makes_no_other(owner: httpx.Client) -> None:
    page = owner.get("/dashboard/api").text
    said = {"name": "laptop", "csrf": field(page, "csrf"), "once": field(page, "once")}
    first = owner.post("/dashboard/api", data=said)
    assert 'id="new-key"' in first.text
    again = owner.post("/dashboard/api", data=said)
    assert again.status_code == 200
    assert 'id="new-key"' not in again.text
    assert again.text.count("<td>laptop</td>") == 1


@pytest.mark.parametrize("path", ["/nowhere", "/dashboard/nowhere", "/dashboard/analyses/job_unknown"])
def test_an_unknown_address_is_a_page_with_a_way_back(owner: httpx.Client, path: str) -> None:
    referer = str(owner.base_url).rstrip("/") + "/dashboard/usage"
    answer = owner.get(path, headers={**PAGE, "Referer": referer})
    assert answer.status_code == 404
    assert "<h1>There is nothing here</h1>" in answer.text
    assert 'href="/dashboard/usage">Back</a>' in answer.text
    assert owner.headers["X-Email"] in answer.text, "still signed in"


def test_programs_still_get_json(service: Running, owner: httpx.Client) -> None:
    assert owner.get("/api/v1/nowhere", headers=PAGE).json()["code"] == "not_found"
    assert owner.get("/dashboard/nowhere").json()["code"] == "not_found"


def test_a_form_with_a_field_missing_is_a_page(owner: httpx.Client) -> None:
    token = field(owner.get("/dashboard/account").text, "csrf")
    answer = owner.post("/dashboard/analyses/job_x/recompute", data={"csrf": token}, headers=PAGE)
    assert (answer.status_code, "That did not work" in answer.text) == (422, True)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/dashboard/quotes/new", "job is missing."),
        ("/dashboard/quotes/new?quantity=many", "job is missing; quantity must be a whole number."),
        ("/dashboard/analyses?page=last", "page must be a whole number."),
    ],
)
def test_a_page_names_the_fields_that_are_wrong(owner: httpx.Client, path: str, said: str) -> None:
    answer = owner.get(path, headers={"Accept": "text/html"})
    assert (answer.status_code, f"<p>{said}</p>" in answer.text) == (422, True)


def test_the_password_is_changed_and_other_sessions_end(service: Running, owner: httpx.Client) -> None:
    email = owner.headers["X-Email"]
    new = "another long password"
    with service.visitor() as elsewhere:
        account = accounts.sign_in(service.store, email, PASSWORD)
        elsewhere.cookies.set(COOKIE, sessions.open_session(service.store, account, days=1))
        assert elsewhere.get("/dashboard/account").status_code == 200
        token = field(owner.get("/dashboard/account").text, "csrf")
        wrong = owner.post("/dashboard/account/password", data={"csrf": token, "present": "wrong", "new": new})
        assert "The present password is wrong." in wrong.text
        said = {"csrf": token, "present": PASSWORD, "new": new}
        assert owner.post("/dashboard/account/password", data=said).status_code == 303
        assert owner.get("/dashboard/account").status_code == 200
        assert elsewhere.get("/dashboard/account").status_code == 303
    assert accounts.sign_in(service.store, email, new).id == account.id


def test_usage_of_nothing_is_said_in_words(owner: httpx.Client) -> None:
    text = owner.get("/dashboard/usage").text
    assert text.count("Nothing used in this period yet.") == 2
    assert "<rect" not in text


def test_the_reference_is_linked_from_every_page(owner: httpx.Client) -> None:
    for path in ("analyses", "quotes", "rules", "api", "usage", "account"):
        assert 'href="/api/v1/docs"' in owner.get(f"/dashboard/{path}").text


def test_a_sample_is_analyzed_on_the_first_visit(service: Running, browser: Browser) -> None:
    """The pin is turned, as its recipe says."""
    with visit(browser) as seen:
        sign_up(seen, service)
        assert seen.page.locator(".samples form").count() == 3
        seen.page.click("text=Turned pin")
        seen.page.wait_for_url("**/analyses/job_*")
        seen.page.evaluate("() => { window.watched = true; }")
        seen.wait_for_viewer()
        assert seen.page.inner_text("#headline").startswith("Turned part")
        assert seen.page.evaluate("window.watched"), "the result came into the page that showed the progress"
        assert seen.page.locator("[data-job-progress]").count() == 0
        seen.page.goto(f"{service.url}/dashboard/analyses")
        assert seen.complaints == []


def test_a_file_over_the_limit_is_refused_before_the_upload(service: Running, browser: Browser, tmp_path: Path) -> None:
    part = tmp_path / "huge.step"
    part.write_bytes(b"ISO-10303-21;" + bytes(OVER_THE_LIMIT))
    with visit(browser) as seen:
        sign_up(seen, service)
        seen.page.set_input_files("#file", part)
        seen.page.wait_for_selector("form[data-drop] .error-text")
        said = seen.page.inner_text("form[data-drop] [role=status]")
        assert said == "huge.step has 30 MB; the limit is 25 MB. Nothing was uploaded."
        posts = [one for one in seen.addresses if one.endswith("/dashboard/analyses")]
        assert len(posts) == 1, "the page itself"
