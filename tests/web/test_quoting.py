"""Convert, materials, post-processing and quotes over HTTP."""

from __future__ import annotations

import base64
import math
import re
import uuid
from typing import Any

import httpx
import pytest

from tests.patience import fetch
from tests.web.conftest import Running, step

pytestmark = pytest.mark.both_databases

MEGABYTE = 1024 * 1024
UUID = re.compile(r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")


@pytest.fixture
def order(client: httpx.Client) -> dict[str, Any]:
    """The bracket of the worked examples: ten in 316L, passivated."""
    materials = {entry["name"]: entry["id"] for entry in client.get("/materials").json()["materials"]}
    options = client.get("/post-processing").json()["post_processing_options"]
    finishes = {entry["name"]: entry["id"] for entry in options}
    return {
        "file_name": "bracket.step",
        "geometry": {
            "volume_cm3": 25,
            "surface_area_cm2": 110.0,
            "bounding_box": {"x_mm": 60, "y_mm": 40.0, "z_mm": 30.0},
        },
        "material_id": materials["Stainless 316L (CF3M)"],
        "quantity": 10,
        "post_processing_option_ids": [finishes["Passivation ASTM A967"]],
    }


def test_convert_tells_the_geometry_and_shows_the_part(client: httpx.Client, bracket: bytes) -> None:
    answer = client.post("/convert", files=step(bracket))
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"geometry", "glb_url", "glb_base64"}
    # a block of 60 x 40 x 30 with a through hole of diameter 10
    assert body["geometry"]["volume_cm3"] == pytest.approx(72 - math.pi * 0.25 * 3, rel=1e-6)
    area = 2 * (24 + 18 + 12) - 2 * math.pi * 0.25 + math.pi * 1 * 3
    assert body["geometry"]["surface_area_cm2"] == pytest.approx(area, rel=1e-6)
    assert body["geometry"]["bounding_box"] == pytest.approx({"x_mm": 60, "y_mm": 40, "z_mm": 30}, abs=1e-6)
    glb = base64.b64decode(body["glb_base64"], validate=True)
    assert glb[:4] == b"glTF"
    shown = fetch(body["glb_url"])
    assert shown.content == glb
    assert shown.headers["Content-Type"] == "model/gltf-binary"
    assert "immutable" in shown.headers["Cache-Control"]
    asked = client.head(body["glb_url"], headers={"Accept-Encoding": "identity"})
    assert (asked.status_code, asked.headers["Content-Length"], asked.content) == (200, str(len(glb)), b"")
    assert shown.headers["Access-Control-Allow-Origin"] == "*"
    assert "X-RateLimit-Limit" not in answer.headers


def test_what_convert_returned_can_be_quoted(client: httpx.Client, bracket: bytes, order: dict[str, Any]) -> None:
    geometry = client.post("/convert", files=step(bracket)).json()["geometry"]
    answer = client.post("/quotes", json=order | {"geometry": geometry})
    assert answer.status_code == 200
    assert answer.json()["quote"]["geometry"] == geometry


def test_no_finishing_may_be_said_in_three_ways(client: httpx.Client, order: dict[str, Any]) -> None:
    left_out = {name: value for name, value in order.items() if name != "post_processing_option_ids"}
    said = [left_out, order | {"post_processing_option_ids": None}, order | {"post_processing_option_ids": []}]
    quotes = [client.post("/quotes", json=body).json()["quote"] for body in said]
    assert [quote["post_processing_option_ids"] for quote in quotes] == [[], [], []]
    assert len({quote["total_price"] for quote in quotes}) == 1


@pytest.mark.parametrize(
    "files",
    [
        None,
        {"other": ("part.step", b"x")},
        step(b""),
        step(b"x", "part.txt"),
        step(b"x", "part"),
        step(b"not a part at all"),
        step(b"not a part at all", "part.glb"),
    ],
)
def test_a_file_that_is_missing_or_plainly_none_is_400(client: httpx.Client, files: Any) -> None:
    answer = client.post("/convert", files=files)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_field_without_a_file_and_a_body_without_a_form_are_400(client: httpx.Client) -> None:
    assert client.post("/convert", data={"file": "part.step"}).status_code == 400
    assert client.post("/convert", json={"file": "part.step"}).status_code == 400
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    assert client.post("/convert", content=b"--y\r\n", headers=broken).status_code == 400
    assert client.post("/convert", content=b"", headers={"Content-Type": "multipart/form-data"}).status_code == 400


def test_a_damaged_part_is_422(client: httpx.Client, bracket: bytes) -> None:
    answer = client.post("/convert", files=step(bracket[: len(bracket) // 2]))
    assert answer.status_code == 422
    assert "truncated" in answer.json()["error"]


def test_a_part_outside_the_envelope_is_422(client: httpx.Client, beam: bytes) -> None:
    answer = client.post("/convert", files=step(beam))
    assert answer.status_code == 422
    assert "300 x 195 x 290 mm" in answer.json()["error"]


@pytest.mark.parametrize("size", [25 * MEGABYTE + 1, 26 * MEGABYTE])
def test_a_file_above_25_mb_is_413(client: httpx.Client, size: int) -> None:
    answer = client.post("/convert", files=step(b"x" * size))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_file_of_25_mb_is_not_too_large(client: httpx.Client) -> None:
    assert client.post("/convert", files=step(b"x" * (25 * MEGABYTE))).status_code == 400


def test_an_unknown_unit_is_422(client: httpx.Client, bracket: bytes) -> None:
    answer = client.post("/convert", files=step(bracket), data={"units": "parsec"})
    assert answer.status_code == 422
    assert "m, mm, cm, in" in answer.json()["error"]
    assert client.post("/convert", files=step(bracket), data={"units": ""}).status_code == 200, "left empty"


def test_materials_have_the_fields_of_the_contract(client: httpx.Client) -> None:
    materials = client.get("/materials").json()["materials"]
    assert len(materials) == 15
    for material in materials:
        assert UUID.match(material["id"])
        assert isinstance(material["density_kg_m3"], float)
        assert isinstance(material["cost_per_kg"], float)
        assert material["currency"] == "USD"
        assert re.fullmatch(r"\d+mm x \d+mm x \d+mm", material["maximum_part_size_mm"])
    assert client.get("/materials").json()["materials"] == materials


def test_options_have_the_fields_of_the_contract(client: httpx.Client) -> None:
    options = client.get("/post-processing").json()["post_processing_options"]
    models = {option["pricing_model"] for option in options}
    assert models == {"per_part", "per_kg", "per_cm2", "per_batch", "per_order"}
    assert all({"id", "name", "description", "pricing_model", "cost_per_unit"} <= set(option) for option in options)


def test_a_quote_is_priced_kept_and_read(client: httpx.Client, order: dict[str, Any]) -> None:
    answer = client.post("/quotes", json=order)
    assert answer.status_code == 200
    quote = answer.json()["quote"]
    assert UUID.match(quote["id"])
    assert (quote["status"], quote["currency"], quote["lead_time_days"]) == ("draft", "USD", 13)
    assert (quote["unit_price"], quote["total_price"]) == (57.49, 574.90)
    assert quote["breakdown"] == {
        "metal_cost": 39.36,
        "shell_cost": 112.72,
        "labor_cost": 249.53,
        "post_processing_cost": 22.0,
        "margin": 151.29,
    }
    assert client.get(f"/quotes/{quote['id']}").json() == answer.json()
    assert client.get("/quotes").json()["quotes"][0] == quote


def test_nobody_reads_a_quote_of_another(service: Running, client: httpx.Client, order: dict[str, Any]) -> None:
    identity = client.post("/quotes", json=order).json()["quote"]["id"]
    with service.client() as eve:
        foreign = eve.get(f"/quotes/{identity}")
        unknown = eve.get(f"/quotes/{uuid.uuid4()}")
        senseless = eve.get("/quotes/nonsense")
    assert [answer.status_code for answer in (foreign, unknown, senseless)] == [404, 404, 404]
    assert foreign.json() == unknown.json() == senseless.json()


@pytest.mark.parametrize(
    "change",
    [
        {"quantity": 0},
        {"quantity": 10_001},
        {"quantity": 2.5},
        {"quantity": "10"},
        {"quantity": True},
        {"quantity": None},
        {"material_id": "steel"},
        {"material_id": str(uuid.uuid4())},
        {"post_processing_option_ids": [str(uuid.uuid4())]},
        {"post_processing_option_ids": "none"},
        {"file_name": ""},
        {"file_name": "a\x00.step"},
        {"file_name": 7},
        {"geometry": None},
        {"geometry": {"volume_cm3": 25, "surface_area_cm2": 110}},
        {"geometry": {"volume_cm3": -1, "surface_area_cm2": 110, "bounding_box": {"x_mm": 6, "y_mm": 4, "z_mm": 3}}},
        {"geometry": {"volume_cm3": 99, "surface_area_cm2": 110, "bounding_box": {"x_mm": 9, "y_mm": 9, "z_mm": 9}}},
        {"geometry": {"volume_cm3": 25, "surface_area_cm2": 9, "bounding_box": {"x_mm": 60, "y_mm": 40, "z_mm": 30}}},
        {"geometry": {"volume_cm3": 9, "surface_area_cm2": 99, "bounding_box": {"x_mm": 999, "y_mm": 9, "z_mm": 9}}},
    ],
)
def test_what_cannot_be_quoted_is_422(client: httpx.Client, order: dict[str, Any], change: dict[str, Any]) -> None:
    answer = client.post("/quotes", json=order | change)
    assert answer.status_code == 422
    assert isinstance(answer.json()["error"], str)
    assert client.get("/quotes").json()["quotes"] == []


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"quantity": NaN}', b"\xff\xfe", b'{"file_name": "\\ud800"}']
)
def test_a_body_that_is_no_order_is_422(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/quotes", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert all(set(fault) == {"loc", "msg"} for fault in answer.json()["details"])


def test_whole_numbers_may_be_written_with_a_point(client: httpx.Client, order: dict[str, Any]) -> None:
    assert client.post("/quotes", json=order | {"quantity": 10.0}).json()["quote"]["quantity"] == 10


def test_an_idempotency_key_makes_one_quote(client: httpx.Client, order: dict[str, Any]) -> None:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    first = client.post("/quotes", json=order, headers=key)
    again = client.post("/quotes", json=order, headers=key)
    other = client.post("/quotes", json=order | {"quantity": 11}, headers=key)
    assert first.json() == again.json()
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert len(client.get("/quotes").json()["quotes"]) == 1


def test_a_list_goes_page_by_page(client: httpx.Client, order: dict[str, Any]) -> None:
    made = [client.post("/quotes", json=order).json()["quote"]["id"] for _ in range(3)]
    first = client.get("/quotes", params={"limit": 2}).json()
    second = client.get("/quotes", params={"limit": 2, "cursor": first["cursor"]}).json()
    assert [quote["id"] for quote in first["quotes"] + second["quotes"]] == made[::-1]
    assert second["cursor"] is None
    for wrong in ({"limit": 0}, {"limit": 101}, {"limit": "x"}, {"cursor": "x"}):
        assert client.get("/quotes", params=wrong).status_code == 422
