"""Share links: one report or quote for whoever has the address, and nothing else."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser

from fettle.app.state.dashboard_tables import share_links
from tests.browser import needs_bundle, visit
from tests.web.conftest import Running
from tests.web.visitors import analyzed, enter, hidden_field, sign_up

PAGE = {"Accept": "text/html"}
pytestmark = needs_bundle


@pytest.fixture(scope="module")
def shared(service: Running, bracket: bytes) -> Iterator[tuple[httpx.Client, str, str]]:
    """Somebody with one analysis: the client, the e-mail, the job."""
    with service.visitor() as owner:
        owner.headers.update(PAGE)
        email = enter(owner, service)
        yield owner, email, analyzed(service, email, bracket, "Träger 7.step")


def new_link(owner: httpx.Client, days: str | None = None, **said: str) -> str:
    """Path of a new link."""
    token = hidden_field(owner.get("/dashboard/account").text, "csrf")
    given = {"csrf": token, **said} | ({} if days is None else {"days": days})
    answer = owner.post("/dashboard/links", data=given)
    assert answer.status_code == 200, answer.text
    found = re.search(r'id="new-link">http://[^/]+(/s/[^<]+)<', answer.text)
    assert found is not None
    return html.unescape(found[1])


def test_a_stranger_reads_the_report_and_nothing_of_the_account(
    service: Running, shared: tuple[httpx.Client, str, str]
) -> None:
    owner, email, job_id = shared
    path = new_link(owner, job=job_id)
    secret = path.split("/")[2]
    assert len(secret) >= 43, "43 url-safe characters hold 256 bits"
    with service.visitor() as stranger:
        answer = stranger.get(path, headers=PAGE)
        assert answer.status_code == 200
        assert "Träger 7.step" in answer.text
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy
        assert re.findall(r"<script(?![^>]*(?:src=|octet-stream))", answer.text) == []
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert answer.headers["Cache-Control"] == "no-store"
        assert "set-cookie" not in answer.headers
        for private in (email, job_id, "/dashboard/analyses", "/files/", secret, 'name="csrf"'):
            assert private not in answer.text
        printed = stranger.get(f"{path}.pdf")
        assert printed.content.startswith(b"%PDF")
        for other in (f"/s/{secret}/quote", f"/s/{secret}", f"/s/{secret}/result"):
            assert stranger.get(other, headers=PAGE).status_code == 404
        assert stranger.get(f"/dashboard/analyses/{job_id}").status_code == 303, "to the sign-in page"


def test_the_margin_is_in_no_report(service: Running, shared: tuple[httpx.Client, str, str]) -> None:
    """The rate card has one; the lines still add up to the total that the API says."""
    owner, email, job_id = shared
    with service.client(service.key(email=email)) as api:
        best = api.get(f"/dfm/jobs/{job_id}/processes", params={"quantity": 100}).json()["processes"][0]
    text = owner.get(f"/dashboard/analyses/{job_id}/report").text
    table = text.split('<table id="quote"')[1].split("</table>")[0]
    assert "argin" not in table
    amounts = [float(one.replace(",", "")) for one in re.findall(r'number">(?:<strong>)?([\d,.]+)', table)]
    names = re.findall(r"<tr><td[^>]*>(.*?)</td>", table)
    lines = amounts[: next(k for k, name in enumerate(names) if "Total" in name)]
    assert len(lines) > 2
    assert sum(lines) == pytest.approx(float(best["total_price"]), abs=0.005)


def test_only_a_hash_is_stored(service: Running, shared: tuple[httpx.Client, str, str]) -> None:
    owner, _, job_id = shared
    secret = new_link(owner, job=job_id).split("/")[2]
    with service.store.read() as connection:
        rows = connection.execute(sa.select(share_links)).all()
    stored = [str(value) for row in rows for value in row]
    assert hashlib.sha256(secret.encode()).hexdigest() in stored
    assert not any(secret in value for value in stored)


def test_a_link_lasts_thirty_days_unless_chosen_and_then_it_is_not_found(
    service: Running, shared: tuple[httpx.Client, str, str]
) -> None:
    owner, _, job_id = shared
    path = new_link(owner, job=job_id)
    secret = hashlib.sha256(path.split("/")[2].encode()).hexdigest()
    mine = share_links.c.token_hash == secret
    with service.store.read() as connection:
        row = connection.execute(sa.select(share_links).where(mine)).one()
    assert row.expires_at - row.created_at == timedelta(days=30)
    with service.store.write() as connection:
        connection.execute(share_links.update().where(mine).values(expires_at=datetime.now(UTC)))
    with service.visitor() as stranger:
        assert stranger.get(path, headers=PAGE).status_code == 404
    week = hashlib.sha256(new_link(owner, "7", job=job_id).split("/")[2].encode()).hexdigest()
    with service.store.read() as connection:
        row = connection.execute(sa.select(share_links).where(share_links.c.token_hash == week)).one()
    assert row.expires_at - row.created_at == timedelta(days=7)


@pytest.mark.parametrize("days", ["0", "366", "-1", "nan", "inf"])
def test_a_period_that_cannot_be_is_refused(shared: tuple[httpx.Client, str, str], days: str) -> None:
    owner, _, job_id = shared
    token = hidden_field(owner.get("/dashboard/account").text, "csrf")
    answer = owner.post("/dashboard/links", data={"csrf": token, "job": job_id, "days": days})
    assert answer.status_code == 422
    assert "new-link" not in answer.text


def test_a_revoked_link_a_guess_and_another_account_find_nothing(
    service: Running, shared: tuple[httpx.Client, str, str]
) -> None:
    owner, _, job_id = shared
    path = new_link(owner, job=job_id)
    with service.visitor() as other:
        other.headers.update(PAGE)
        enter(other, service)
        token = hidden_field(other.get("/dashboard/account").text, "csrf")
        made = other.post("/dashboard/links", data={"csrf": token, "job": job_id})
        assert made.status_code == 404
        assert other.get(f"/dashboard/links?job={job_id}").status_code == 404
        link = re.search(r"/dashboard/links/([0-9a-f-]{36})/revoke", owner.get("/dashboard/links").text)
        assert link is not None
        assert other.post(f"/dashboard/links/{link[1]}/revoke", data={"csrf": token}).status_code == 404
        assert other.get(path).status_code == 200, "the link itself is for everybody"
        token = hidden_field(owner.get("/dashboard/account").text, "csrf")
        assert owner.post(f"/dashboard/links/{link[1]}/revoke", data={"csrf": token}).status_code == 303
        gone = other.get(path)
        assert (gone.status_code, "There is nothing to see here" in gone.text) == (404, True)
        guessed = other.get(f"/s/{'A' * 43}/report")
        assert guessed.status_code == 404
        assert guessed.text == gone.text, "nothing tells a link that was from one that never was"
    assert "revoked" in owner.get("/dashboard/links").text


def test_a_report_is_written_once_for_an_engine(service: Running, shared: tuple[httpx.Client, str, str]) -> None:
    """The second download is the stored document, byte for byte, also after its pictures are gone."""
    owner, _, job_id = shared
    first = owner.get(f"/dashboard/analyses/{job_id}/report.pdf")
    with service.store.read() as connection:
        token = connection.scalar(sa.text("SELECT token FROM jobs WHERE id = :id"), {"id": job_id})
    folder = service.output.parent / "data" / "files" / "jobs" / str(token) / "1"
    documents = {path.name: path.stat().st_mtime_ns for path in folder.glob("report-*")}
    assert documents
    for picture in folder.glob("pictures-*"):
        picture.unlink()
    assert owner.get(f"/dashboard/analyses/{job_id}/report.pdf").content == first.content
    assert list(folder.glob("pictures-*")) == []
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("report-*")} == documents


def test_the_story_of_a_link_in_a_browser(service: Running, browser: Browser, bracket: bytes) -> None:
    """Share, open elsewhere, see the part in 3D; revoke, and it is gone."""
    with visit(browser) as seen, visit(browser) as stranger:
        job_id = analyzed(service, sign_up(seen, service), bracket)
        page = seen.page
        page.goto(f"{service.url}/dashboard/analyses/{job_id}")
        page.click("text=Share")
        page.select_option("#days", "7")
        page.click("text=Create a link")
        address = page.inner_text("#new-link")
        stranger.page.goto(address)
        stranger.wait_for_viewer()
        assert stranger.state()["firstFrameMs"] is not None
        assert stranger.complaints == []
        assert stranger.hosts == {service.url.removeprefix("http://")}
        with stranger.page.expect_download() as taken:
            stranger.page.click("text=PDF")
        assert taken.value.suggested_filename == "part-report.pdf"
        page.get_by_role("button", name="Revoke the link to part.step").click()
        page.wait_for_selector("text=revoked")
        gone = stranger.page.goto(address)
        assert gone is not None
        assert gone.status == 404
        assert seen.complaints == []


def test_a_report_says_at_once_that_it_is_made_and_is_saved(service: Running, browser: Browser, bracket: bytes) -> None:
    with visit(browser) as seen:
        job_id = analyzed(service, sign_up(seen, service), bracket)
        seen.page.goto(f"{service.url}/dashboard/analyses/{job_id}")
        for making, name in (("report", "part-report.html"), ("PDF", "part-report.pdf")):
            with seen.page.expect_download() as taken:
                seen.page.click(f"[data-making={making}]")
                assert f"making the {making}" in seen.page.inner_text(".making")
            assert taken.value.suggested_filename == name
            seen.page.wait_for_selector(".making", state="detached")
        assert seen.complaints == []
