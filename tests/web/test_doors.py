"""What every answer has in common: keys, shapes of errors, headers, CORS."""

from __future__ import annotations

import os
import re
from pathlib import Path

import httpx
import pytest

from fettle.app.access import keys
from tests.web import drill
from tests.web.conftest import NICE, Running

ROUTES = [
    ("POST", "/convert"),
    ("GET", "/materials"),
    ("GET", "/post-processing"),
    ("POST", "/quotes"),
    ("GET", "/quotes"),
    ("GET", "/quotes/00000000-0000-4000-8000-000000000000"),
    ("POST", "/dfm/quick-info"),
    ("POST", "/dfm/analyze"),
    ("POST", "/dfm/batches"),
    ("GET", "/dfm/batches/batch_x"),
    ("GET", "/dfm/jobs"),
    ("GET", "/dfm/jobs/job_x"),
    ("DELETE", "/dfm/jobs/job_x"),
    ("GET", "/dfm/jobs/job_x/result"),
    ("GET", "/dfm/jobs/job_x/events"),
    ("GET", "/dfm/jobs/job_x/flat"),
    ("GET", "/dfm/jobs/job_x/processes"),
    ("POST", "/dfm/jobs/job_x/recompute"),
    ("POST", "/dfm/jobs/job_x/modules/eval"),
    ("GET", "/dfm/rule-schema"),
    ("GET", "/dfm/modules"),
    ("POST", "/webhooks"),
    ("GET", "/webhooks"),
    ("DELETE", "/webhooks/x"),
    ("GET", "/webhooks/x/calls"),
]


def check_envelope(answer: httpx.Response) -> None:
    assert len(answer.headers["X-Request-Id"]) == 16
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_asks_for_a_key_before_anything_else(service: Running, method: str, path: str) -> None:
    with service.client("") as stranger:
        answer = stranger.request(method, path, content=b"{", headers={"Content-Type": "application/json"})
    assert answer.status_code == 401
    assert answer.json()["error"] == "Missing X-API-Key header."
    check_envelope(answer)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("sk_test_1234", "Invalid API key format."),
        ("svc_live_" + "A" * 43, "Invalid API key."),
    ],
)
@pytest.mark.both_databases
def test_the_texts_of_a_refused_key(service: Running, key: str, text: str) -> None:
    with service.client(key) as stranger:
        answer = stranger.get("/materials")
    assert (answer.status_code, answer.json()["error"]) == (401, text)


@pytest.mark.both_databases
def test_a_revoked_key_is_refused_at_once(service: Running) -> None:
    key = service.key()
    with service.client(key) as client:
        assert client.get("/materials").status_code == 200
        keys.revoke_shown(service.store, key[:15])
        answer = client.get("/materials")
    assert (answer.status_code, answer.json()["error"]) == (401, "API key has been revoked.")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("GET", "/dfm", 404), ("DELETE", "/materials", 405), ("GET", "/convert", 405)],
)
def test_unknown_routes_and_wrong_methods_have_the_shape_of_every_error(
    client: httpx.Client, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "code"}
    check_envelope(answer)


def test_outside_the_api_too(service: Running) -> None:
    answer = service.ask("/nothing")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_request_id_is_never_the_caller_s(client: httpx.Client) -> None:
    first = client.get("/materials", headers={"X-Request-Id": "mine"}).headers["X-Request-Id"]
    second = client.get("/materials").headers["X-Request-Id"]
    assert first not in ("mine", second)


def test_a_preflight_is_answered_without_a_key(service: Running) -> None:
    asked = {
        "Origin": "https://shop.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-api-key, content-type, idempotency-key",
    }
    answer = service.ask("/api/v1/dfm/analyze", "OPTIONS", headers=asked)
    assert answer.status_code == 204
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("x-api-key", "content-type", "idempotency-key"))
    assert "*" in allowed.split(", "), "whatever else a page sends"


def test_health_readiness_and_numbers(service: Running) -> None:
    assert service.ask("/healthz").status_code == 200
    assert service.ask("/readyz").status_code == 200
    numbers = service.ask("/metrics").text
    assert 'fettle_requests_total{method="GET",route="/readyz",status="200"}' in numbers
    assert 'fettle_jobs{status="queued"}' in numbers


def test_the_api_has_neither_the_kernel_nor_numerical_libraries_loaded(service: Running) -> None:
    """It starts in the time of its own imports, and what they map is memory that many doors would pay."""
    loaded = Path(f"/proc/{service.api_pid}/maps").read_text()
    assert "_pydantic_core" in loaded
    assert not re.search("/OCP|llvmlite|/scipy/|embree", loaded)


def test_workers_stand_back_for_the_api(service: Running) -> None:
    (worker,) = drill.workers_of(service.process.pid).values()
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    there = [
        os.getpriority(os.PRIO_PROCESS, pid) - ours for pid in (service.api_pid, worker, drill.fork_server_of(worker))
    ]
    assert there == [0, NICE, NICE]


def test_large_answers_are_compressed_when_asked(client: httpx.Client) -> None:
    packed = client.get("/dfm/modules", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/dfm/modules", headers={"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["Content-Length"]) < len(plain.content) / 3


def test_a_body_that_is_no_part_file_has_a_small_limit(client: httpx.Client) -> None:
    answer = client.post("/quotes", content=b" " * (1024 * 1024 + 1), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_streamed_body_is_stopped_at_the_limit_too(client: httpx.Client) -> None:
    answer = client.post("/quotes", content=(b" " * 65536 for _ in range(20)))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_the_documentation_is_complete(service: Running) -> None:
    document = service.ask("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert document["components"]["securitySchemes"]["ApiKey"]["name"] == "X-API-Key"
    documented = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert len(documented) == len(ROUTES)
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["security"] == [{"ApiKey": []}]
            assert {"401", "413", "500"} <= set(operation["responses"])
            assert "HTTPValidationError" not in str(operation)
