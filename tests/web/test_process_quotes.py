"""Quotes by a process, the ranked processes of a job, and the quote pages of the dashboard."""

from __future__ import annotations

import html
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.web.conftest import Running, step, wait_for

EMAIL = "quoting@example.com"


@pytest.fixture(scope="module")
def shop(service: Running) -> Iterator[httpx.Client]:
    with service.client(service.key(email=EMAIL)) as client:
        yield client


@pytest.fixture(scope="module")
def job(shop: httpx.Client, bracket: bytes) -> str:
    job_id = str(shop.post("/dfm/analyze", files=step(bracket, "bracket.step")).json()["job_id"])
    assert wait_for(shop, job_id)["status"] == "done"
    return job_id


def cents(amount: float) -> int:
    return round(100 * amount)


def test_a_quote_by_a_process_has_its_lines_and_what_it_rests_on(shop: httpx.Client, job: str) -> None:
    answer = shop.post("/quotes", json={"job_id": job, "process": "cnc:3-axis", "quantity": 100})
    assert answer.status_code == 200, answer.text
    quote = answer.json()["quote"]
    assert (quote["process"], quote["material"], quote["file_name"]) == (
        "cnc:3-axis",
        "Aluminum 6061-T6",
        "bracket.step",
    )
    assert sum(cents(line["amount"]) for line in quote["lines"]) == cents(quote["total_price"])
    assert sum(map(cents, quote["breakdown"].values())) == cents(quote["total_price"])
    features = sum(cents(one["amount"]) for one in quote["by_feature"])
    assert features + cents(quote["common_amount"]) == cents(quote["total_price"])
    assert quote["foundation"]["job_id"] == job
    assert quote["foundation"]["severity"] in ("pass", "warning")
    assert quote["band"]["low"] < quote["unit_price"] < quote["band"]["high"]
    assert quote["assumptions"]
    assert uuid.UUID(quote["material_id"])
    assert shop.get(f"/quotes/{quote['id']}").json() == answer.json()


def test_a_repeated_request_with_a_key_gives_the_same_quote(shop: httpx.Client, job: str) -> None:
    body, key = {"job_id": job, "process": "additive:fdm", "quantity": 3}, {"Idempotency-Key": uuid.uuid4().hex}
    first, second = (shop.post("/quotes", json=body, headers=key).json() for _ in range(2))
    assert first == second


def test_a_quote_says_whom_it_is_for_and_how_long_it_holds(shop: httpx.Client, job: str) -> None:
    said = {"customer": "Acme Gears", "reference": "RFQ 17", "valid_until": "2199-12-31", "notes": "Two\nlines."}
    body = {"job_id": job, "process": "cnc:3-axis", "quantity": 5}
    quote = shop.post("/quotes", json={**body, **said}).json()["quote"]
    assert {name: quote[name] for name in said} == said
    assert shop.get(f"/quotes/{quote['id']}").json()["quote"] == quote
    assert quote in shop.get("/quotes").json()["quotes"]
    assert not said.keys() & shop.post("/quotes", json=body).json()["quote"].keys()
    passed = shop.post("/quotes", json={**body, "valid_until": "2020-01-31"})
    assert (passed.status_code, "2020-01-31, which has passed" in passed.json()["error"]) == (422, True)


def test_a_quote_without_process_stays_as_it_was(shop: httpx.Client) -> None:
    material = shop.get("/materials").json()["materials"][0]["id"]
    size = {"volume_cm3": 25.0, "surface_area_cm2": 110.0, "bounding_box": {"x_mm": 60, "y_mm": 40, "z_mm": 30}}
    order: dict[str, Any] = {"file_name": "a.step", "geometry": size, "material_id": material, "quantity": 10}
    quote = shop.post("/quotes", json=order).json()["quote"]
    assert quote["process"] == "casting:investment"
    assert not {"lines", "band", "savings", "foundation", "flag", "material"} & set(quote)
    missing = shop.post("/quotes", json={"quantity": 10})
    assert missing.status_code == 422
    assert missing.json()["error"] == "file_name: Field required (2 more in details)."
    assert missing.json()["details"][0]["loc"] == ["body", "file_name"]


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"process": "forging:drop"}, 422, "Processes with one: additive"),
        ({"process": "cnc:9-axis"}, 422, "9-axis"),
        ({"material": "ABS"}, 422, "Aluminum 6061-T6"),
        ({"process": "sheet-metal:mild-steel-1.5mm"}, 422, "sheet"),
        ({"quantity": 0}, 422, "quantity"),
        ({"job_id": "job_nobody"}, 404, "job"),
    ],
)
def test_what_does_not_go_together_is_refused(
    shop: httpx.Client, job: str, change: dict[str, Any], status: int, says: str
) -> None:
    answer = shop.post("/quotes", json={"job_id": job, "process": "cnc:3-axis", "quantity": 10} | change)
    assert answer.status_code == status
    assert says in answer.json()["error"]


def test_a_finish_that_the_material_does_not_take_is_refused_with_those_it_does(shop: httpx.Client, job: str) -> None:
    options = shop.get("/post-processing").json()["post_processing_options"]
    anodize = next(one["id"] for one in options if one["name"].startswith("Anodize"))
    body = {"job_id": job, "process": "cnc:3-axis", "quantity": 10, "post_processing_option_ids": [anodize]}
    assert shop.post("/quotes", json=body).status_code == 200
    refused = shop.post("/quotes", json=body | {"material": "Titanium"})
    assert refused.status_code == 422
    assert "Choose from: Bead blast" in refused.json()["error"]


def test_nobody_prices_the_job_of_another(service: Running, job: str) -> None:
    with service.client() as eve:
        assert eve.get(f"/dfm/jobs/{job}/processes").status_code == 404
        body = {"job_id": job, "process": "cnc:3-axis", "quantity": 10}
        assert eve.post("/quotes", json=body).status_code == 404


def test_processes_of_a_job_are_ranked_with_prices(shop: httpx.Client, job: str) -> None:
    answer = shop.get(f"/dfm/jobs/{job}/processes", params={"quantity": 25})
    assert answer.status_code == 200
    said = answer.json()
    assert (said["quantity"], said["processes"][0]["process"]) == (25, "cnc:3-axis")
    body = {"job_id": job, "process": "cnc:3-axis", "quantity": 25}
    assert shop.post("/quotes", json=body).json()["quote"]["unit_price"] == said["processes"][0]["price"]
    assert all({"process", "than", "quantity", "cheaper_from"} == set(one) for one in said["break_even"])
    assert shop.get(f"/dfm/jobs/{job}/processes", params={"quantity": 0}).status_code == 422


def test_the_page_prices_the_best_process_and_keeps_the_quote(service: Running, bracket: bytes) -> None:
    email = f"{uuid.uuid4().hex[:10]}@example.com"
    with service.visitor() as visitor:
        visitor.post("/dashboard/sign-up", data={"email": email, "password": "a long enough password"})
        with service.client(service.key(email=email)) as client:
            job_id = client.post("/dfm/analyze", files=step(bracket, "bracket.step")).json()["job_id"]
            assert wait_for(client, job_id)["status"] == "done"
        form = visitor.get("/dashboard/quotes/new", params={"job": job_id, "quantity": 100})
        assert form.status_code == 200
        assert '<option value="cnc:3-axis" selected>' in form.text
        assert "Anodize type II" in form.text
        assert "Where the price comes from" in form.text
        titanium = {"job": job_id, "quantity": 100, "process": "cnc:3-axis", "material": "Titanium Ti-6Al-4V"}
        assert "Anodize type II" not in visitor.get("/dashboard/quotes/new", params=titanium).text
        printed = visitor.get("/dashboard/quotes/new", params=titanium | {"process": "additive:fdm"}).text
        assert "PETG filament" in printed
        assert "Titanium" not in printed
        token = form.text.split('name="csrf" value="')[1].split('"')[0]
        kept = visitor.post("/dashboard/quotes", data=titanium | {"csrf": token})
        shown = visitor.get(kept.headers["Location"]) if kept.status_code == 303 else kept
        assert shown.status_code == 200
        for words in ("CNC", "Titanium Ti-6Al-4V", "What each feature costs", "Assumed", "verdict"):
            assert words in shown.text
        assert "CNC" in visitor.get("/dashboard/quotes").text
        edit_rates(visitor, job_id, token)


def edit_rates(visitor: httpx.Client, job_id: str, token: str) -> None:
    """A card of the account's own changes its prices until the shipped one is in force again."""

    def each() -> str:
        asked = {"job": job_id, "quantity": 100, "process": "cnc:3-axis"}
        return visitor.get("/dashboard/quotes/new", params=asked).text.split('id="unit-price">')[1].split("<")[0]

    before = each()
    card = html.unescape(
        visitor.get("/dashboard/rates/cnc").text.split('spellcheck="false">')[1].split("</textarea")[0]
    )
    dearer = card.replace("rate_per_hour: 75.00", "rate_per_hour: 750.00")
    assert dearer != card
    refused = visitor.post("/dashboard/rates/cnc", data={"csrf": token, "text": dearer})
    assert refused.status_code == 422
    assert "give it another" in refused.text
    named = dearer.replace("version: 2026-11", "version: shop-2")
    assert visitor.post("/dashboard/rates/cnc", data={"csrf": token, "text": named}).status_code == 303
    assert float(each()) > 2 * float(before)
    cards = visitor.get("/dashboard/rates").text
    assert "shop-2" in cards
    assert "Sheet metal" in cards, "processes by their names"
    assert visitor.post("/dashboard/rates/cnc/reset", data={"csrf": token}).status_code == 303
    assert each() == before
    assert visitor.get("/dashboard/rates/forging").status_code == 404
