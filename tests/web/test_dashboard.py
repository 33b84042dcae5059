"""The dashboard's whole story in a real browser, as a visitor lives it."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from fettle.geometry.csg import build
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from tests.browser import Visit, visit
from tests.web.conftest import Running
from tests.web.visitors import PASSWORD, drop, sign_up

# What has the focus: what it is, its name, and whether the focus can be seen.
FOCUSED = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const labeled = at.labels && at.labels.length > 0 ? at.labels[0].textContent : at.textContent;
  const kinds = ["canvas", "legend-limit", "verdict", "finding"];
  const what = at.tagName === "CANVAS" ? "canvas" : kinds.find((kind) => at.classList.contains(kind)) ??
    at.dataset.mode ?? (at.closest(".thresholds") ? "thresholds" : at.id || at.textContent.trim());
  const all = [...document.querySelectorAll("*")];
  const name = (at.getAttribute("aria-label") ?? labeled).trim();
  return { what, name, outlined: getComputedStyle(at).outlineStyle !== "none", place: all.indexOf(at) };
}"""

# A plate of 60 x 40 x 10 with a hole of 10 and, in its side, a web 0.6 mm thin: the one wall below 0.8 mm.
THIN = {
    "cut": [
        {"box": [60, 40, 10]},
        {"move": {"of": {"cylinder": {"d": 10, "h": 20}}, "by": [15, 20, -5]}},
        {"move": {"of": {"box": [20, 20, 20]}, "by": [38, 10, -5]}},
        {"move": {"of": {"box": [20, 4, 20]}, "by": [38, 30.6, -5]}},
    ]
}


@pytest.fixture(scope="module")
def thin_step() -> bytes:
    return build(THIN)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory, thin_step: bytes) -> Path:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "thin.step").write_bytes(thin_step)
    (folder / "thin.glb").write_bytes(write_glb(load(thin_step, "thin.step").mesh))
    return folder


def test_the_whole_story(service: Running, browser: Browser, parts: Path) -> None:
    with visit(browser) as seen:
        page = seen.page
        page.goto(f"{service.url}/dashboard/sign-up")
        page.fill("#email", f"{uuid.uuid4().hex[:10]}@example.com")
        page.fill("#password", PASSWORD)
        page.click("button.primary")
        page.wait_for_url("**/dashboard/analyses")

        page.goto(f"{service.url}/dashboard/api")
        page.fill("#name", "story")
        page.click("text=Create a key")
        key = page.inner_text("#new-key")
        page.goto(f"{service.url}/dashboard/api")
        assert key not in page.content()

        def call() -> httpx.Response:
            return service.ask("/api/v1/materials", headers={"X-API-Key": key})

        assert call().status_code == 200

        drop(seen, service.url, parts / "thin.step")
        assert page.inner_text("#headline").endswith(".")
        assert page.locator("[data-module]").count() == 6, "one card or line for each module"
        assert seen.state()["mode"] == "shaded"
        for mode in ("features", "thickness", "clearance", "draft", "shaded"):
            assert fastest_switch_ms(seen, mode, enough_ms=1000) < 1000

        click_the_thin_wall(seen)
        change_a_threshold(seen)
        turn_the_pull(seen)
        price_it(seen)

        page.goto(f"{service.url}/dashboard/api")
        page.get_by_role("link", name="Revoke story").click()
        page.click("button:has-text('Revoke the key')")
        assert call().json()["error"] == "API key has been revoked."
        assert seen.complaints == []
        assert seen.hosts == {service.url.removeprefix("http://")}


def fastest_switch_ms(seen: Visit, mode: str, enough_ms: float) -> float:
    """Of up to three switches to this mode, until one is fast enough: others may be using the machine."""
    spent = []
    other = "shaded" if mode != "shaded" else "features"
    for there in (mode, other, mode, other, mode):
        seen.page.click(f"[data-mode={there}]")
        seen.wait_until(f"window.fettle.state().mode === '{there}'")
        if there == mode:
            spent.append(seen.state()["lastSwitchMs"])
            if spent[-1] < enough_ms:
                break
    return min(spent)


def click_the_thin_wall(seen: Visit) -> None:
    """The finding of the 0.6 mm web marks faces that lie on it: its two sides are at y = 30 and y = 30.6."""
    seen.page.click("[data-process='cnc:3-axis']")
    seen.page.evaluate("document.querySelector('[data-rule=min_wall_thickness]').open = true")
    finding = seen.page.locator("[data-rule=min_wall_thickness] .finding.warning").first
    fids = (finding.get_attribute("data-fids") or "").split()
    finding.click()
    assert sorted(seen.state()["marked"]) == sorted(int(fid) - 1 for fid in fids)
    assert "0.6" in finding.inner_text()


def change_a_threshold(seen: Visit) -> None:
    """0.6 mm is below the recommended 0.8 (a warning); asked for 0.7 at least, it fails."""
    page = seen.page
    assert seen.page.locator("[data-rule=min_wall_thickness].warning").count() == 1
    page.click(".thresholds summary")
    page.fill(".thresholds input[name=min_wall_mm]", "0.7")
    page.press(".thresholds input[name=min_wall_mm]", "Tab")
    page.wait_for_selector("[data-rule=min_wall_thickness].fail")
    assert page.locator("[data-process='cnc:3-axis'].fail").count() == 1


def turn_the_pull(seen: Visit) -> None:
    page = seen.page
    page.select_option("#pull", "other")
    page.fill("#pull-custom", "1;0;0")
    page.click("text=Recompute")
    page.wait_for_selector("#pull-fault")
    assert "three numbers" in page.inner_text("#pull-fault")
    assert [said for said in seen.complaints if "422" not in said] == []
    seen.complaints.clear()
    seen.wait_for_viewer()
    page.select_option("#pull", "1,0,0")
    page.click("text=Recompute")
    seen.wait_for_viewer()
    result = json.loads(
        page.evaluate("fetch(document.getElementById('analysis').dataset.address + '/result').then(r => r.text())")
    )
    assert result["features"]["manufacturability"]["pull_dir"] == [1.0, 0.0, 0.0]


def price_it(seen: Visit) -> None:
    page = seen.page
    page.click("text=Price it")
    page.fill("#quantity", "1")
    page.wait_for_selector("#ordered input[name=quantity][value='1']", state="attached")
    one = float(page.inner_text("#unit-price").replace(",", ""))
    page.fill("#quantity", "100")
    page.wait_for_selector("#ordered input[name=quantity][value='100']", state="attached")
    hundred = float(page.inner_text("#unit-price").replace(",", ""))
    assert hundred < one
    page.click("text=Save as quote")
    page.wait_for_url("**/dashboard/quotes/*-*")
    assert f"{hundred:,.2f}" in page.inner_text("main")


def test_a_mesh_part_is_shown_too(service: Running, browser: Browser, parts: Path) -> None:
    with visit(browser) as seen:
        sign_up(seen, service)
        drop(seen, service.url, parts / "thin.glb")
        assert seen.state()["firstFrameMs"] is not None
        walk_with_the_keyboard(seen)
        assert seen.complaints == []


def walk_with_the_keyboard(seen: Visit) -> None:
    """Every control is reached by Tab, has a name and shows that it is focused; keys alone choose, turn and drag."""
    page = seen.page
    page.focus("[data-mode=thickness]")
    page.keyboard.press("Enter")
    seen.wait_until("window.fettle.state().mode === 'thickness'")
    page.focus(".skip")
    stops = []
    for _ in range(200):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop is None or stop in stops:
            break
        stops.append(stop)
    assert all(stop["name"] for stop in stops), stops
    assert all(stop["outlined"] for stop in stops), stops
    reached = {stop["what"] for stop in stops}
    assert {"canvas", "legend-limit", "verdict", "finding", "thresholds", "pull", "Price it", "draft"} <= reached

    page.focus("canvas")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("+")
    page.fill(".legend-limit", "2")
    page.keyboard.press("Tab")
    assert seen.state()["range"] == [1, 8], "steps from half the limit to four times it"
    page.focus(".finding")
    page.keyboard.press("Enter")
    assert seen.state()["marked"] != []
    page.focus("canvas")
    page.keyboard.press("Escape")
    assert seen.state()["marked"] == []


def test_a_refused_file_says_why(service: Running, browser: Browser, tmp_path: Path) -> None:
    wrong = tmp_path / "notes.step"
    wrong.write_text("this is no part")
    with visit(browser) as seen:
        sign_up(seen, service)
        seen.page.goto(f"{service.url}/dashboard/analyses")
        seen.page.set_input_files("#file", wrong)
        seen.page.wait_for_selector("form[data-drop] .error-text")
        assert "STEP" in seen.page.inner_text("form[data-drop] [role=status]")


def test_names_stay_text(service: Running, browser: Browser, tmp_path: Path, thin_step: bytes) -> None:
    """Markup in file names, key names and rule messages is shown as text and never run."""
    nasty = "<img src=x onerror=alert(1)>"
    part = tmp_path / f"{nasty}.step"
    part.write_bytes(thin_step)
    with visit(browser) as seen:
        seen.page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        sign_up(seen, service)
        seen.page.goto(f"{service.url}/dashboard/api")
        seen.page.fill("#name", nasty)
        seen.page.click("text=Create a key")
        assert seen.page.locator("td", has_text=nasty).count() == 1
        drop(seen, service.url, part)
        assert nasty in seen.page.inner_text("h1")
        seen.page.goto(f"{service.url}/dashboard/rules/edit?module=cnc")
        text = seen.page.input_value("#text").replace("{metric", nasty + " {metric")
        seen.page.fill("#text", text)
        seen.page.select_option("#job", index=1)
        seen.page.click("button:has-text('Check')")
        seen.page.wait_for_selector("section[aria-label=Verdict]")
        assert seen.page.locator("main img").count() == 0
        assert seen.complaints == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_forms_from_elsewhere_are_refused(service: Running, origin: str) -> None:
    with service.visitor() as client:
        answer = client.post(
            "/dashboard/sign-up", data={"email": "a@example.com", "password": PASSWORD}, headers={"Origin": origin}
        )
    assert answer.status_code == 403


def signed_up(client: httpx.Client) -> None:
    data = {"email": f"{uuid.uuid4().hex[:10]}@example.com", "password": PASSWORD}
    answer = client.post("/dashboard/sign-up", data=data)
    assert answer.status_code == 303


def test_a_form_without_its_token_is_refused(service: Running) -> None:
    with service.visitor() as client:
        signed_up(client)
        answer = client.post("/dashboard/api", data={"name": "x"})
        assert answer.status_code == 403
        answer = client.post("/dashboard/api", data={"name": "x", "csrf": "0" * 64})
        assert answer.status_code == 403


def test_a_planted_session_is_worth_nothing(service: Running) -> None:
    """Session fixation: whatever cookie was there before signing in, another one is in force afterwards."""
    with service.visitor(cookies={"fettle_session": "planted"}) as client:
        signed_up(client)
        assert client.get("/dashboard/api").status_code == 200
    with service.visitor(cookies={"fettle_session": "planted"}) as thief:
        assert thief.get("/dashboard/api").status_code == 303


def test_sign_out_everywhere_ends_other_sessions(service: Running) -> None:
    email = f"{uuid.uuid4().hex[:10]}@example.com"
    with service.visitor() as here, service.visitor() as there:
        said = {"email": email, "password": PASSWORD}
        here.post("/dashboard/sign-up", data=said)
        there.post("/dashboard/sign-in", data=said)
        assert there.get("/dashboard/usage").status_code == 200
        token = here.get("/dashboard/usage").text.split('name="csrf" value="')[1].split('"')[0]
        here.post("/dashboard/sign-out-everywhere", data={"csrf": token})
        assert there.get("/dashboard/usage").status_code == 303


def test_guessing_a_password_is_braked(service: Running) -> None:
    email = f"{uuid.uuid4().hex[:10]}@example.com"
    with service.visitor() as client:
        answers = [
            client.post("/dashboard/sign-in", data={"email": email, "password": "wrong"}).status_code for _ in range(12)
        ]
    assert answers[0] == 422
    assert answers[-1] == 429


def test_the_bare_address_leads_to_the_dashboard(service: Running) -> None:
    with service.visitor() as client:
        answer = client.get("/", follow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/dashboard")


def test_pages_are_small_and_strict(service: Running) -> None:
    with service.visitor() as client:
        signed_up(client)
        for path in ("analyses", "quotes", "rules", "api", "usage", "rules/edit?module=cnc"):
            answer = client.get(f"/dashboard/{path}")
            assert answer.status_code == 200
            assert len(answer.content) < 50_000
            policy = answer.headers["Content-Security-Policy"]
            assert "'unsafe-inline'" not in policy
            assert "default-src 'none'" in policy
            assert "<script>" not in answer.text
            assert " style=" not in answer.text
            assert answer.headers["Cache-Control"] == "no-store"
        cookie = client.cookies.jar._cookies["127.0.0.1"]["/"]["fettle_session"]
        assert cookie.has_nonstandard_attr("HttpOnly")
