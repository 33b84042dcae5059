"""Quick-info, meters, the rule vocabulary and the shipped modules over HTTP."""

from __future__ import annotations

import math
import uuid
from typing import Any

import httpx
import pytest

from fettle.app.access import accounts
from fettle.app.access.plans import Meter
from tests.made import MadeFile
from tests.patience import fetch
from tests.web.conftest import Running, step

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Billing-Tier")


def rate(answer: httpx.Response) -> tuple[str, ...]:
    return tuple(answer.headers[name] for name in RATE)


@pytest.mark.both_databases
def test_quick_info_tells_the_geometry_and_counts(client: httpx.Client, bracket: bytes) -> None:
    answer = client.post("/dfm/quick-info", files=step(bracket))
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"geometry", "glb_url", "stats"}
    assert body["geometry"]["volume_cm3"] == pytest.approx(72 - math.pi * 0.25 * 3, rel=1e-6)
    assert body["geometry"]["bounding_box_mm"] == pytest.approx({"x": 60, "y": 40, "z": 30}, abs=1e-6)
    assert set(body["stats"]) == {"n_features", "n_vertices", "n_triangles"}
    assert all(isinstance(number, int) and number > 0 for number in body["stats"].values())
    assert fetch(body["glb_url"]).content[:4] == b"glTF"
    assert rate(answer) == ("1000", "999", "free")


def test_the_same_bytes_are_answered_from_the_cache_and_still_counted(client: httpx.Client, sieve: bytes) -> None:
    """Every run of the kernel gives its picture a new random address, so the same address means that none ran."""
    first = client.post("/dfm/quick-info", files=step(sieve))
    later = [client.post("/dfm/quick-info", files=step(sieve)) for _ in range(3)]
    assert all(answer.json() == first.json() for answer in later)
    assert [rate(answer)[1] for answer in later] == ["998", "997", "996"]
    other = client.post("/dfm/quick-info", files=step(sieve + b"\n"))
    assert other.json()["stats"] == first.json()["stats"]
    assert other.json()["glb_url"] != first.json()["glb_url"]


@pytest.mark.parametrize(
    ("files", "data"),
    [
        (None, {}),
        (step(b""), {}),
        (step(b"x", "part.stl"), {}),
        (step(b"not a part"), {}),
        (step(b"ISO-10303-21;"), {}),
        (step(b"glTF" + b"\0" * 40, "part.glb"), {}),
        (step(b"ISO-10303-21;"), {"units": "furlong"}),
    ],
)
@pytest.mark.both_databases
def test_what_cannot_be_read_is_422_and_not_counted(client: httpx.Client, files: Any, data: dict[str, str]) -> None:
    answer = client.post("/dfm/quick-info", files=files, data=data)
    assert answer.status_code == 422
    assert rate(answer) == ("1000", "1000", "free")


def test_a_file_above_25_mb_is_413(client: httpx.Client) -> None:
    answer = client.post("/dfm/quick-info", files=step(b"x" * (25 * 1024 * 1024 + 1)))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.both_databases
def test_the_free_plan_ends_with_402(service: Running, bracket: bytes) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    with service.client(service.key(email=email)) as client:
        service.use_up(email, Meter.QUICK_INFO, 999)
        last = client.post("/dfm/quick-info", files=step(bracket))
        beyond = client.post("/dfm/quick-info", files=step(bracket))
        other = client.post("/dfm/analyze", files=step(bracket))
    assert (last.status_code, rate(last)) == (200, ("1000", "0", "free"))
    assert beyond.status_code == 402
    assert beyond.json()["error"] == "API quota exceeded for this billing period."
    assert beyond.json()["upgrade_url"] == f"{service.url}/dashboard/api"
    assert rate(beyond) == ("1000", "0", "free")
    assert (other.status_code, rate(other)) == (202, ("100", "99", "free"))


@pytest.mark.both_databases
def test_a_paid_plan_goes_on_unless_overage_is_off(service: Running, bracket: bytes) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    with service.client(service.key("starter", email)) as client:
        service.use_up(email, Meter.QUICK_INFO, 1000)
        beyond = client.post("/dfm/quick-info", files=step(bracket))
        accounts.set_overage(service.store, accounts.find(service.store, email), enabled=False)
        refused = client.post("/dfm/quick-info", files=step(bracket))
    assert (beyond.status_code, rate(beyond)) == (200, ("1000", "0", "starter"))
    assert refused.status_code == 402


@pytest.mark.parametrize(("plan", "limit"), [("pro", "50000"), ("enterprise", "1000000")])
def test_larger_plans_include_more(service: Running, bracket: bytes, plan: str, limit: str) -> None:
    with service.client(service.key(plan)) as client:
        assert rate(client.post("/dfm/quick-info", files=step(bracket)))[::2] == (limit, plan)


def test_quoting_is_not_metered(service: Running, bracket: bytes) -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    with service.client(service.key(email=email)) as client:
        service.use_up(email, Meter.QUICK_INFO, 1000)
        service.use_up(email, Meter.ANALYZE, 100)
        assert client.post("/convert", files=step(bracket)).status_code == 200


def test_the_vocabulary_has_the_words_of_the_contract(client: httpx.Client) -> None:
    schema = client.get("/dfm/rule-schema").json()
    sets = {"walls", "holes", "bosses", "fillets", "rounds", "pockets", "slots", "fins", "all_features"}
    assert sets <= set(schema["selector_sets"])
    per_feature = "thickness.min thickness.mean draft.min hole.diameter boss.height_over_diameter"
    assert {*per_feature.split(), "axis_angle_to_pull", "area_mm2"} <= set(schema["metrics_per_feature"])
    assert {"part.thickness.cv", "part.undercut_count"} <= set(schema["metrics_whole_part"])
    assert set(schema["comparison_ops"]) == {"lt", "le", "gt", "ge", "eq", "ne"}
    assert set(schema["severity_levels"]) == {"pass", "warning", "fail"}
    assert all(set(form) == {"shape", "doc"} for form in schema["rhs_forms"])


def test_the_shipped_modules_are_those_of_the_contract(client: httpx.Client) -> None:
    modules = client.get("/dfm/modules").json()["modules"]
    assert {module["key"]: set(module["configurations"]) for module in modules} == {
        "cnc": {"3-axis", "5-axis"},
        "casting": {"sand", "investment"},
        "injection": {"standard", "side-action"},
        "additive": {"dmls", "sla", "fdm"},
        "sheet-metal": {"mild-steel-1.5mm", "stainless-1.0mm"},
        "turning": {"bar", "mill-turn"},
    }


def test_every_made_part_over_http_has_the_volume_and_box_of_its_formula(
    client: httpx.Client, made_corpus: list[MadeFile]
) -> None:
    for file in made_corpus:
        form = {"file": (file.path.name, file.path.read_bytes())}
        geometry = client.post("/dfm/quick-info", files=form, data={"units": file.units}).json()["geometry"]
        assert geometry["volume_cm3"] == pytest.approx(file.part.volume_mm3 / 1000, rel=file.tolerance), file.path.name
        box = [geometry["bounding_box_mm"][axis] for axis in "xyz"]
        assert box == pytest.approx(file.box_mm, rel=file.tolerance), file.path.name
