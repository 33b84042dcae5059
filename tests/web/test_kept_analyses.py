"""What is kept in the dashboard: the list, deleting and the way back, own packs, thresholds tried, units not used."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser

from fettle.app import account_packs
from fettle.app.access import accounts
from fettle.app.access.meters import Meters
from fettle.app.access.plans import Meter, load_plans
from fettle.rules import shipped_modules
from tests.browser import DESKTOP, PHONE, needs_bundle, visit
from tests.web.conftest import Running, wait_for
from tests.web.visitors import analyzed, drop, enter, hidden_field, sign_up

PAGE = {"Accept": "text/html"}
pytestmark = needs_bundle


def used(service: Running, email: str) -> int:
    return Meters(service.store, load_plans()).read(accounts.find(service.store, email), Meter.ANALYZE).used


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop", "phone"])
def test_the_list_says_what_each_part_is(
    service: Running, browser: Browser, bracket: bytes, size: tuple[int, int], *, dark: bool
) -> None:
    """Picture, size, headline and verdicts of a block of 60 x 40 x 30; tags, search; deleting asks and is undone."""
    with visit(browser, size, dark=dark) as seen:
        email = sign_up(seen, service)
        job_id = analyzed(service, email, bracket, "Bracket.step")
        page = seen.page
        page.goto(f"{service.url}/dashboard/analyses")
        row = page.locator("tbody tr")
        assert "60 × 40 × 30 mm" in row.inner_text()
        assert "CNC machining" in row.inner_text()
        seen.wait_until("document.querySelector('.thumbnail').naturalWidth === 480")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), "nothing sticks out"

        page.get_by_label("Change Bracket.step").click()
        page.fill(f"#tags-{job_id}", "gearbox, rev B")
        page.click("text=Set the tags")
        page.wait_for_selector(".tag >> text=rev B")
        page.fill("#search", "nothing like it")
        page.click("text=Show")
        assert "No analysis matches." in page.inner_text("main")
        page.fill("#search", "gear")
        page.press("#search", "Enter")
        assert page.locator("tbody tr").count() == 1

        page.get_by_label("Change Bracket.step").click()
        page.get_by_role("button", name="Delete Bracket.step").click()
        page.wait_for_url("**/delete*")
        assert "3 days" in page.inner_text("main")
        page.click("text=Delete it")
        page.get_by_role("button", name="Undo: bring back Bracket.step").click()
        page.wait_for_url(f"**/analyses/{job_id}")
        seen.wait_for_viewer()
        assert re.search(r"kept until \d{4}-\d\d-\d\d", page.inner_text("#kept-until"))
        assert seen.complaints == []


def test_a_deleted_analysis_is_not_found_anywhere(service: Running, bracket: bytes) -> None:
    with service.visitor() as owner:
        owner.headers.update(PAGE)
        email = enter(owner, service)
        job_id = analyzed(service, email, bracket)
        with service.client(service.key(email=email)) as api:
            artifact = api.get(f"/dfm/jobs/{job_id}/result").json()["artifacts"]["features_glb"]
            assert api.get(artifact).status_code == 200
            token = hidden_field(owner.get("/dashboard/account").text, "csrf")
            made = owner.post("/dashboard/links", data={"csrf": token, "job": job_id}).text
            link = re.search(r'id="new-link">http://[^/]+(/s/[^<]+)<', made)
            assert link is not None
            assert owner.post(f"/dashboard/analyses/{job_id}/delete", data={"csrf": token}).status_code == 303
            for path in (f"/dashboard/analyses/{job_id}", link[1], f"/dashboard/analyses/{job_id}/original"):
                assert owner.get(path).status_code == 404
            assert api.get(f"/dfm/jobs/{job_id}").status_code == 404
            assert api.get(artifact).status_code == 404


def test_refused_files_failed_jobs_and_samples_use_no_quota(service: Running, bracket: bytes) -> None:
    """The file of one line is a STEP file without a solid: it is taken, and its analysis fails."""
    empty = b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"
    with service.visitor() as owner:
        owner.headers.update(PAGE)
        email = enter(owner, service)
        analyzed(service, email, bracket)
        assert used(service, email) == 1
        token = hidden_field(owner.get("/dashboard/account").text, "csrf")
        refused = owner.post("/dashboard/analyses", data={"csrf": token}, files={"file": ("a.step", b"no part")})
        assert refused.status_code == 422
        assert owner.post("/dashboard/analyses/samples/turned-pin", data={"csrf": token}).status_code == 303
        assert used(service, email) == 1
        with service.client(service.key(email=email)) as api:
            job_id = api.post("/dfm/analyze", files={"file": ("empty.step", empty)}).json()["job_id"]
            assert wait_for(api, job_id)["status"] == "error"
        assert used(service, email) == 1


def test_a_pack_of_ones_own_judges_analyses_and_nobody_elses(
    service: Running, browser: Browser, bracket: bytes
) -> None:
    """The bracket has one hole of 10 mm: a pack that asks for 12 fails it."""
    with visit(browser) as seen:
        email = sign_up(seen, service)
        page = seen.page
        page.goto(f"{service.url}/dashboard/rules/edit?module=cnc")
        page.fill("#text", OWN_PACK)
        page.click("text=Save as a pack of mine")
        page.wait_for_url("**/dashboard/rules")
        assert "My drill" in page.inner_text("section[aria-label='Your packs']")
        job_id = analyzed(service, email, bracket)
        page.goto(f"{service.url}/dashboard/analyses/{job_id}")
        page.wait_for_selector("#own-packs .word.fail")
        assert "My drill: Drill press fail (Hole of 10.0 mm" in page.inner_text("#own-packs")
        page.goto(f"{service.url}/dashboard/rules")
        page.get_by_role("button", name="Remove My drill").click()
        page.goto(f"{service.url}/dashboard/analyses/{job_id}")
        seen.wait_for_viewer()
        assert page.locator("#own-packs").count() == 0
        assert seen.complaints == []


def test_a_pack_for_a_shipped_process_takes_its_place_everywhere(
    service: Running, browser: Browser, bracket: bytes, tmp_path: Path
) -> None:
    """The walls beside the hole are 15 mm thick: a copy of the CNC pack that asks for 20 fails them, in the API and on
    the page of a dropped part, and CNC machining itself is no longer judged. Its price stays that of CNC machining."""
    (cnc,) = (module.spec() for module in shipped_modules() if module.key == "cnc")
    cnc |= {"key": "my-cnc", "name": "Our mills"}
    for configuration in cnc["configurations"].values():
        configuration["parameters"]["min_wall_mm"] = 20.0
    part = tmp_path / "bracket.step"
    part.write_bytes(bracket)
    with visit(browser) as seen:
        email = sign_up(seen, service)
        page = seen.page
        account = accounts.find(service.store, email)
        account_packs.keep(service.store, account, yaml.safe_dump(cnc))
        with service.client(service.key(email=email)) as api:
            form = {"packs": "my-cnc"}
            job_id = api.post("/dfm/analyze", files={"file": ("bracket.step", bracket)}, data=form).json()["job_id"]
            assert wait_for(api, job_id)["packs"] == ["my-cnc@1"]
            result = api.get(f"/dfm/jobs/{job_id}/result").json()
            assert (result["processes"][0]["module_key"], result["processes"][0]["severity"]) == ("my-cnc", "fail")
            assert ": our mills (3-axis mill) fails on smallest wall thickness (15 mm" in result["headline"]
            assert "cnc" not in {one["module_key"] for one in result["processes"]}
            prices = api.get(f"/dfm/jobs/{job_id}/processes", params={"quantity": 10}).json()["processes"]
            own = next(one for one in prices if one["process"] == "my-cnc:3-axis")
            order = {"job_id": job_id, "process": "my-cnc:3-axis", "quantity": 10}
            account_packs.remove(service.store, account, "my-cnc")
            assert api.post("/quotes", json=order).json()["quote"]["unit_price"] == own["price"]
            account_packs.keep(service.store, account, yaml.safe_dump(cnc))

            plain = analyzed(service, email, bracket, "bracket.step")
            usual = api.get(f"/dfm/jobs/{plain}/processes", params={"quantity": 10}).json()["processes"]
            assert own["price"] == next(one["price"] for one in usual if one["process"] == "cnc:3-axis")
            form = {"packs": "my-cnc, theirs"}
            refused = api.post("/dfm/analyze", files={"file": ("bracket.step", bracket)}, data=form)
            assert (refused.status_code, "'theirs', which is no pack of yours" in refused.text) == (422, True)

        drop(seen, service.url, part)
        assert "Judged by your own pack Our mills, version 3, in place of CNC machining." in page.inner_text("main")
        assert "our mills" in page.inner_text("#headline")
        assert page.locator(".process-card[data-module=my-cnc]").count() == 1
        assert page.locator("[data-module=cnc], #own-packs").count() == 0
        page.click("[data-process='my-cnc:3-axis']")
        page.click(".thresholds summary")
        page.fill(".thresholds input[name=min_wall_mm]", "1")
        page.press(".thresholds input[name=min_wall_mm]", "Tab")
        page.wait_for_selector("[data-rule=min_wall_thickness].fail", state="detached")
        assert seen.complaints == []


OWN_PACK = """key: my-drill
name: My drill
configurations:
  press: {name: Drill press, parameters: {least_mm: 12.0}}
rules:
  - key: hole
    name: Holes
    scope: per_feature
    selector: {set: holes}
    metric: hole.diameter
    tiers: [{level: fail, op: lt, rhs: {param: least_mm}}, {level: pass}]
    messages: {fail: "Hole of {metric:.1f} mm.", pass: "Fine."}
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [("key: [", "line"), (OWN_PACK.replace("my-drill", "cnc"), "is that of a shipped pack"), ("a: 1", "/")],
)
def test_what_is_no_pack_is_not_kept(service: Running, text: str, told: str) -> None:
    with service.visitor() as owner:
        owner.headers.update(PAGE)
        enter(owner, service)
        token = hidden_field(owner.get("/dashboard/account").text, "csrf")
        answer = owner.post("/dashboard/packs", data={"csrf": token, "text": text})
        assert answer.status_code == 422
        assert told in html.unescape(answer.text)
        assert "Your packs" not in owner.get("/dashboard/rules").text


def test_thresholds_that_were_tried_are_kept_until_reset(service: Running, browser: Browser, bracket: bytes) -> None:
    """The walls beside the hole are 15 mm thick: asked for 20 at least, they fail."""
    with visit(browser) as seen:
        job_id = analyzed(service, sign_up(seen, service), bracket)
        page = seen.page
        page.goto(f"{service.url}/dashboard/analyses/{job_id}")
        seen.wait_for_viewer()
        page.click("[data-process='cnc:3-axis']")
        page.click(".thresholds summary")
        page.fill(".thresholds input[name=min_wall_mm]", "20")
        page.press(".thresholds input[name=min_wall_mm]", "Tab")
        page.wait_for_selector("[data-rule=min_wall_thickness].fail")
        page.reload()
        seen.wait_for_viewer()
        page.click("[data-process='cnc:3-axis']")
        page.wait_for_selector("[data-rule=min_wall_thickness].fail")
        page.click(".thresholds summary")
        assert page.input_value(".thresholds input[name=min_wall_mm]") == "20"
        page.click(".thresholds .reset")
        page.wait_for_selector("[data-rule=min_wall_thickness].fail", state="detached")
        page.reload()
        seen.wait_for_viewer()
        page.click("[data-process='cnc:3-axis']")
        assert page.locator("[data-rule=min_wall_thickness].fail").count() == 0
        assert page.locator(".thresholds .reset").count() == 0
        assert seen.complaints == []
