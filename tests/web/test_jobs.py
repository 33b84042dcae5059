"""Analysis jobs over HTTP, from the order to the last file."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from fettle.app.access.plans import Meter
from fettle.app.kernel_tasks.stages import CACHED
from fettle.app.state.store import jobs
from tests.patience import fetch
from tests.web.conftest import Running, step, wait_for

RULE = {
    "key": "hole_size",
    "name": "Holes",
    "scope": "per_feature",
    "selector": {"set": "holes"},
    "metric": "hole.diameter",
    "tiers": [{"level": "fail", "op": "lt", "rhs": {"param": "least_mm"}}, {"level": "pass"}],
    "messages": {"fail": "hole {fid} is {metric:.2f}, below {threshold:.2f}"},
}
MODULE = {
    "key": "mine",
    "name": "My shop",
    "configurations": {"drill": {"name": "Drill", "parameters": {"least_mm": 12.0}}},
    "rules": [RULE],
}


@pytest.fixture(scope="session")
def owner(service: Running) -> Iterator[httpx.Client]:
    """The caller whose job is done."""
    with service.client() as client:
        yield client


@pytest.fixture(scope="session")
def done(owner: httpx.Client, bracket: bytes) -> str:
    """The id of an analysis of the bracket that has ended."""
    answer = owner.post("/dfm/analyze", files=step(bracket, "bracket.step"))
    assert answer.status_code == 202
    body = answer.json()
    assert set(body) == {"job_id", "status"}
    assert body["status"] == "queued"
    assert re.fullmatch(r"job_[A-Za-z0-9_-]{22}", body["job_id"])
    job = wait_for(owner, body["job_id"])
    assert job["status"] == "done", job
    return str(body["job_id"])


def change(service: Running, job_id: str, **values: Any) -> None:
    with service.store.write() as connection:
        connection.execute(sa.update(jobs).where(jobs.c.id == job_id).values(**values))


@pytest.fixture
def stuck(service: Running, client: httpx.Client, bracket: bytes) -> str:
    """The id of a job of the client's that nobody will run."""
    job_id = str(client.post("/dfm/analyze", files=step(bracket)).json()["job_id"])
    wait_for(client, job_id)
    change(service, job_id, status="queued", finished_at=None)
    return job_id


@pytest.mark.both_databases
def test_a_job_tells_how_it_stands(owner: httpx.Client, done: str) -> None:
    job = owner.get(f"/dfm/jobs/{done}").json()
    assert (job["job_id"], job["status"], job["error"], job["filename"]) == (done, "done", None, "bracket.step")
    assert job["log"]
    assert all(isinstance(line, str) for line in job["log"])
    assert (job["progress"], job["attempts"], job["quote_id"]) == (1.0, 1, None)
    moments = [datetime.fromisoformat(job[name]) for name in ("created_at", "started_at", "finished_at", "expires_at")]
    assert moments == sorted(moments)
    assert moments[3] - moments[2] == timedelta(days=7)


@pytest.mark.both_databases
def test_a_result_has_the_shape_of_the_contract(service: Running, owner: httpx.Client, done: str) -> None:
    answer = owner.get(f"/dfm/jobs/{done}/result")
    assert answer.status_code == 200
    result = answer.json()
    assert (result["job_id"], result["status"]) == (done, "done")
    features = result["features"]
    assert features["role_names"]["0"] == "Unclassified"
    assert features["role_names"]["1"] == "Hole wall"
    assert set(features["roles_by_fid"]) == {str(number) for number in range(1, 8)}
    (hole,) = [feature for feature in features["features"] if feature["kind"] == "HOLE"]
    assert (hole["diameter_mm"], hole["depth_mm"]) == (pytest.approx(10), pytest.approx(30))
    assert hole["fid"] in hole["related_fids"]
    made = features["manufacturability"]
    assert len(made["pull_dir"]) == 3
    assert made["alpha_min_deg"] == 0.5
    assert {module["module_key"] for module in result["modules"]["modules"]} == {
        "cnc", "casting", "injection", "additive", "sheet-metal", "turning",
    }  # fmt: skip
    for module in result["modules"]["modules"]:
        for configuration in module["configurations"]:
            judged = configuration["result"]
            assert judged["overall_severity"] in ("pass", "warning", "fail")
            assert sum(judged["summary"].values()) == len(judged["rules"])
    names = {"thickness_glb", "clearance_glb", "features_glb", "draft_glb", "features_json", "modules_json"}
    assert set(result["artifacts"]) == names
    for name, url in result["artifacts"].items():
        assert url.startswith(f"{service.url}/files/")
        file = fetch(url)
        assert file.status_code == 200
        assert file.headers["Access-Control-Allow-Origin"] == "*"
        assert file.content[:4] == b"glTF" if name.endswith("glb") else file.json()
    assert fetch(result["artifacts"]["modules_json"]).json() == result["modules"]


@pytest.mark.both_databases
def test_the_same_bytes_give_the_same_result(owner: httpx.Client, done: str, bracket: bytes) -> None:
    again = owner.post("/dfm/analyze", files=step(bracket, "bracket.step")).json()["job_id"]
    job = wait_for(owner, again)
    assert job["status"] == "done"
    assert any(CACHED in line for line in job["log"]), "no kernel ran"
    first, second = (owner.get(f"/dfm/jobs/{job}/result").json() for job in (done, again))
    assert first["result_sha256"] == second["result_sha256"]
    assert first["features"] == second["features"]
    assert first["artifacts"] != second["artifacts"]


@pytest.mark.both_databases
def test_a_module_of_the_caller_s_own_is_judged(owner: httpx.Client, done: str) -> None:
    body: dict[str, Any] = {"module": MODULE, "configuration_key": "drill"}
    answer = owner.post(f"/dfm/jobs/{done}/modules/eval", json=body)
    assert answer.status_code == 200
    entry = answer.json()
    assert (entry["module_key"], entry["configurations"][0]["configuration_key"]) == ("mine", "drill")
    judged = entry["configurations"][0]["result"]
    assert (judged["overall_severity"], judged["summary"]) == ("fail", {"pass": 0, "warning": 0, "fail": 1})
    assert "is 10.00, below 12.00" in judged["rules"][0]["message"]
    relaxed = owner.post(f"/dfm/jobs/{done}/modules/eval", json=body | {"overrides": {"least_mm": 10}})
    assert relaxed.json()["configurations"][0]["result"]["overall_severity"] == "pass"


def test_without_a_configuration_all_of_them_are_judged_overrides_included(owner: httpx.Client, done: str) -> None:
    two = {key: {"name": key, "parameters": {"least_mm": least}} for key, least in (("drill", 12.0), ("punch", 8.0))}
    body: dict[str, Any] = {"module": MODULE | {"configurations": two}}

    def severities(**more: Any) -> dict[str, str]:
        entry = owner.post(f"/dfm/jobs/{done}/modules/eval", json=body | more).json()
        return {one["configuration_key"]: one["result"]["overall_severity"] for one in entry["configurations"]}

    assert severities() == {"drill": "fail", "punch": "pass"}
    assert severities(overrides={"least_mm": 11}) == {"drill": "fail", "punch": "fail"}


def test_a_shipped_module_posted_back_gives_the_result_s_own_entry(owner: httpx.Client, done: str) -> None:
    entries = owner.get(f"/dfm/jobs/{done}/result").json()["modules"]["modules"]
    for module, entry in zip(owner.get("/dfm/modules").json()["modules"], entries, strict=True):
        assert owner.post(f"/dfm/jobs/{done}/modules/eval", json={"module": module}).json() == entry


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"module": 7, "configuration_key": "drill"},
        {"module": {}, "configuration_key": "drill"},
        {"module": {"key": "\ud800"}, "configuration_key": "\ud800"},
        {"module": MODULE, "configuration_key": "laser"},
        {"module": MODULE, "configuration_key": 7},
        {"module": MODULE, "configuration_key": "drill", "overrides": {"least": 1}},
        {"module": MODULE, "configuration_key": "drill", "overrides": {"least_mm": "x"}},
        {"module": MODULE | {"rules": [RULE | {"metric": "hole.diametre"}]}, "configuration_key": "drill"},
        {
            "module": MODULE | {"rules": [RULE | {"messages": {"fail": "{fid.__class__}"}}]},
            "configuration_key": "drill",
        },
    ],
)
def test_an_invalid_module_is_422(owner: httpx.Client, done: str, body: dict[str, Any]) -> None:
    kind = {"Content-Type": "application/json"}
    answer = owner.post(f"/dfm/jobs/{done}/modules/eval", content=json.dumps(body), headers=kind)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_every_fault_of_a_module_is_told_with_its_place(owner: httpx.Client, done: str) -> None:
    broken = MODULE | {"rules": [RULE | {"metric": "hole.diametre", "scope": "per_face"}]}
    answer = owner.post(f"/dfm/jobs/{done}/modules/eval", json={"module": broken, "configuration_key": "drill"})
    places = {fault["loc"] for fault in answer.json()["details"]}
    assert {"/rules/0/metric", "/rules/0/scope"} <= places
    assert "hole.diameter" in json.dumps(answer.json()["details"])


@pytest.mark.both_databases
def test_a_recompute_turns_the_pull_and_is_not_counted(owner: httpx.Client, bracket: bytes) -> None:
    ordered = owner.post("/dfm/analyze", files=step(bracket), data={"pull": "1,0,0"})
    job_id = ordered.json()["job_id"]
    assert wait_for(owner, job_id)["status"] == "done"
    assert owner.get(f"/dfm/jobs/{job_id}/result").json()["features"]["manufacturability"]["pull_dir"] == [1, 0, 0]
    answer = owner.post(f"/dfm/jobs/{job_id}/recompute", data={"pull": "0,0,-2"})
    assert (answer.status_code, answer.json()) == (202, {"job_id": job_id, "status": "queued"})
    assert wait_for(owner, job_id)["status"] == "done"
    turned = owner.get(f"/dfm/jobs/{job_id}/result").json()
    assert turned["features"]["manufacturability"]["pull_dir"] == [0, 0, -1]
    left = int(ordered.headers["X-RateLimit-Remaining"])
    next_one = owner.post("/dfm/analyze", files=step(bracket))
    assert int(next_one.headers["X-RateLimit-Remaining"]) == left - 1


@pytest.mark.parametrize("pull", ["", "up", "0,0,0", "1,2", "nan,0,1", "1e400,0,0"])
def test_a_pull_that_is_none_is_422(owner: httpx.Client, done: str, bracket: bytes, pull: str) -> None:
    assert owner.post(f"/dfm/jobs/{done}/recompute", data={"pull": pull}).status_code == 422
    if pull:
        assert owner.post("/dfm/analyze", files=step(bracket), data={"pull": pull}).status_code == 422


@pytest.mark.parametrize(
    "fields",
    [
        {"max_edge": "0"},
        {"max_edge": "-1"},
        {"max_edge": "many"},
        {"curvature": "nan"},
        {"curvature": "5"},
        {"alpha_min": "-1"},
        {"alpha_min": "45"},
        {"alpha_warn": "91"},
        {"units": "ell"},
        {"quote_id": "nonsense"},
        {"quote_id": str(uuid.uuid4())},
    ],
)
def test_an_analyze_form_that_is_wrong_is_422_and_not_counted(
    client: httpx.Client, bracket: bytes, fields: dict[str, str]
) -> None:
    answer = client.post("/dfm/analyze", files=step(bracket), data=fields)
    assert answer.status_code == 422
    (fault,) = answer.json()["details"]
    assert fault == {"loc": ["body", next(iter(fields))], "msg": answer.json()["error"]}
    assert client.get("/dfm/jobs").json()["jobs"] == []
    assert answer.headers["X-RateLimit-Remaining"] == "100"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"blob_url": "http://127.0.0.1/a.step", "filename": "a.step"},
        {"blob_url": "http://169.254.169.254/a.step"},
        {"blob_url": "ftp://example.com/x", "filename": "a.stl"},
    ],
)
def test_an_analyze_form_without_a_file_we_can_have_is_422(client: httpx.Client, fields: dict[str, str]) -> None:
    assert client.post("/dfm/analyze", data=fields).status_code == 422


@pytest.mark.parametrize("files", [step(b""), step(b"x", "part.stl"), step(b"not a part")])
def test_a_file_that_is_plainly_no_part_is_422(client: httpx.Client, files: Any) -> None:
    assert client.post("/dfm/analyze", files=files).status_code == 422


def test_a_damaged_part_ends_the_job_in_error_and_has_no_result(client: httpx.Client, bracket: bytes) -> None:
    job_id = client.post("/dfm/analyze", files=step(bracket[: len(bracket) // 2])).json()["job_id"]
    job = wait_for(client, job_id)
    assert job["status"] == "error"
    assert "truncated" in job["error"]
    answer = client.get(f"/dfm/jobs/{job_id}/result")
    assert answer.status_code == 409
    assert job["error"] in answer.json()["error"]


def test_results_are_409_until_the_job_is_done(client: httpx.Client, stuck: str) -> None:
    asked = [
        client.get(f"/dfm/jobs/{stuck}/result"),
        client.post(f"/dfm/jobs/{stuck}/recompute", data={"pull": "cardinal"}),
        client.post(f"/dfm/jobs/{stuck}/modules/eval", json={"module": MODULE, "configuration_key": "drill"}),
    ]
    assert [answer.status_code for answer in asked] == [409, 409, 409]


def test_a_job_that_ran_out_of_time_answers_504(service: Running, client: httpx.Client, stuck: str) -> None:
    change(service, stuck, status="error", error="Too slow; try a coarser max_edge.", error_code="kernel_timed_out")
    answer = client.get(f"/dfm/jobs/{stuck}/result")
    assert (answer.status_code, answer.json()["error"]) == (504, "Too slow; try a coarser max_edge.")


@pytest.mark.both_databases
def test_expired_foreign_and_unknown_jobs_are_the_same_404(
    service: Running, client: httpx.Client, done: str, stuck: str
) -> None:
    change(service, stuck, status="done", expires_at=datetime.now(UTC) - timedelta(seconds=1))
    seen = set()
    for job_id in (stuck, done, "job_nobody", "job_" + "A" * 22):
        for method, path in (("GET", ""), ("GET", "/result"), ("GET", "/events"), ("DELETE", "")):
            answer = client.request(method, f"/dfm/jobs/{job_id}{path}")
            assert answer.status_code == 404
            seen.add(answer.text)
        assert client.post(f"/dfm/jobs/{job_id}/recompute", data={"pull": "cardinal"}).status_code == 404
        body = {"module": MODULE, "configuration_key": "drill"}
        assert client.post(f"/dfm/jobs/{job_id}/modules/eval", json=body).status_code == 404
    assert len(seen) == 1


@pytest.mark.both_databases
def test_an_idempotency_key_makes_one_job_and_counts_once(client: httpx.Client, bracket: bytes) -> None:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    first = client.post("/dfm/analyze", files=step(bracket), headers=key)
    again = client.post("/dfm/analyze", files=step(bracket), headers=key)
    other = client.post("/dfm/analyze", files=step(bracket), data={"pull": "hemisphere"}, headers=key)
    assert first.json() == again.json()
    assert first.headers["X-RateLimit-Remaining"] == again.headers["X-RateLimit-Remaining"] == "99"
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@pytest.mark.both_databases
def test_a_repeated_request_gets_its_answer_at_the_cap_too(service: Running, bracket: bytes) -> None:
    email, key = f"{uuid.uuid4().hex}@example.com", {"Idempotency-Key": uuid.uuid4().hex}
    with service.client(service.key(email=email)) as client:
        service.use_up(email, Meter.ANALYZE, 99)
        last, again, new = (
            client.post("/dfm/analyze", files=step(bracket), headers=headers) for headers in (key, key, {})
        )
        other = client.post("/dfm/analyze", files=step(bracket), headers={"Idempotency-Key": uuid.uuid4().hex})
    assert (last.status_code, again.status_code, last.json()) == (202, 202, again.json())
    assert (new.status_code, other.status_code) == (402, 402)
    assert other.json() == new.json()


@pytest.mark.both_databases
def test_an_analysis_can_be_attached_to_a_quote(service: Running, client: httpx.Client, bracket: bytes) -> None:
    material = client.get("/materials").json()["materials"][0]["id"]
    geometry = client.post("/convert", files=step(bracket)).json()["geometry"]
    order = {"file_name": "bracket.step", "geometry": geometry, "material_id": material, "quantity": 1}
    quote = client.post("/quotes", json=order).json()["quote"]["id"]
    job_id = client.post("/dfm/analyze", files=step(bracket), data={"quote_id": quote}).json()["job_id"]
    assert client.get(f"/dfm/jobs/{job_id}").json()["quote_id"] == quote
    assert client.get(f"/quotes/{quote}").json()["quote"]["analyses"][0]["job_id"] == job_id
    with service.client() as eve:
        assert eve.post("/dfm/analyze", files=step(bracket), data={"quote_id": quote}).status_code == 422


@pytest.mark.both_databases
def test_jobs_are_listed_newest_first(client: httpx.Client, bracket: bytes) -> None:
    made = [client.post("/dfm/analyze", files=step(bracket)).json()["job_id"] for _ in range(3)]
    first = client.get("/dfm/jobs", params={"limit": 2}).json()
    second = client.get("/dfm/jobs", params={"limit": 2, "cursor": first["cursor"]}).json()
    assert [job["job_id"] for job in first["jobs"] + second["jobs"]] == made[::-1]


@pytest.mark.both_databases
def test_events_tell_every_line_and_the_end(client: httpx.Client, bracket: bytes) -> None:
    job_id = client.post("/dfm/analyze", files=step(bracket)).json()["job_id"]
    with client.stream("GET", f"/dfm/jobs/{job_id}/events") as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        events = stream.read().decode().split("\n\n")
    job = client.get(f"/dfm/jobs/{job_id}").json()
    lines = [event.split("data: ", 1)[1] for event in events if "event: log" in event]
    states = [json.loads(event.split("data: ", 1)[1])["status"] for event in events if "event: status" in event]
    assert lines == job["log"]
    assert states[-1] == "done"
    rest = client.get(f"/dfm/jobs/{job_id}/events", headers={"Last-Event-ID": str(len(lines) - 1)}).text
    assert rest.count("event: log") == 1


@pytest.mark.both_databases
def test_a_deleted_job_is_gone_with_its_files(client: httpx.Client, bracket: bytes) -> None:
    job_id = client.post("/dfm/analyze", files=step(bracket)).json()["job_id"]
    wait_for(client, job_id)
    url = client.get(f"/dfm/jobs/{job_id}/result").json()["artifacts"]["draft_glb"]
    answer = client.delete(f"/dfm/jobs/{job_id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert client.get(f"/dfm/jobs/{job_id}").status_code == 404
    assert fetch(url).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "x/1/draft.glb",
        "previews/x/preview.glb",
        "x/1/../../fettle.sqlite",
        "x",
        "x/1/upload",
        "previews/%2e%2e/preview.glb",
        "%00/1/draft.glb",
    ],
)
def test_files_that_are_not_there_are_404(service: Running, path: str) -> None:
    answer = service.ask(f"/files/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
