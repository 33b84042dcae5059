"""What an operator sees of a running service: metrics by endpoint, stage and outcome; JSON logs without secrets."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

import pytest

from tests.web.conftest import running, step, wait_for

MARK = "CANARY-" + "51f0aa"
PASSWORD = f"password-{MARK}"


@pytest.mark.slow
def test_metrics_and_json_logs_follow_a_job_and_hold_no_secret(tmp_path: Path, bracket: bytes) -> None:
    with running(tmp_path, worker=True, log_format="json") as service:
        key = service.key()
        content = bracket.replace(b"FILE_NAME('", b"FILE_NAME('" + MARK.encode(), 1)
        with service.client(key) as client:
            job_id = client.post("/dfm/analyze", files=step(content)).json()["job_id"]
            assert wait_for(client, job_id)["status"] == "done"
            broken = client.post("/dfm/analyze", files=step(content[: len(content) // 2])).json()["job_id"]
            assert wait_for(client, broken)["status"] == "error"
            asked = client.get("/materials", params={"api_key": key}, headers={"Cookie": f"session={MARK}"})
        with service.visitor() as visitor:
            email = f"{uuid.uuid4().hex}@example.com"
            visitor.post("/dashboard/sign-up", data={"email": email, "password": PASSWORD})
            visitor.post("/dashboard/sign-in", data={"email": email, "password": PASSWORD + "x"})
        numbers = service.ask("/metrics").text
        lines = service.output.read_text()

    assert re.search(r'fettle_request_seconds_count\{outcome="2xx",route="/api/v1/dfm/analyze"\} 2\.0', numbers)
    assert 'fettle_job_seconds_count{outcome="done"} 1.0' in numbers
    assert len(re.findall(r'fettle_job_seconds_count\{outcome="(?!done)\w+"\} 1\.0', numbers)) == 1
    assert "fettle_job_wait_seconds_count 2.0" in numbers
    for stage in ("read", "refine", "measure", "judge", "save"):
        assert re.search(rf'fettle_stage_seconds_count\{{stage="{stage}"\}} [12]\.0', numbers), stage
        assert f'fettle_stage_seconds_bucket{{le="+Inf",stage="{stage}"}}' in numbers
    assert "fettle_queue_age_seconds 0.0" in numbers
    assert "fettle_workers 1.0" in numbers

    logged = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    (request,) = [one for one in logged if one.get("request_id") == asked.headers["X-Request-Id"] and "route" in one]
    assert (request["route"], request["status"], request["method"]) == ("/api/v1/materials", 200, "GET")
    for secret in (key, key[9:], PASSWORD, MARK, email):
        assert secret not in lines
