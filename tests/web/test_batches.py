"""Several files in one call: each accepted or refused with its reason, counted once, seen at one address."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from fettle.app.access.plans import Meter
from tests.patience import until
from tests.web.conftest import Running, running

Files = list[tuple[str, tuple[str, bytes]]]
LARGEST = 40_000
"""Bytes that the strict service takes of one file."""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Nobody works, and a batch has at most three files, of 100 kB together."""
    limits = {"batch_limit_files": 3, "batch_limit_bytes": 100_000, "upload_limit_bytes": LARGEST}
    with running(tmp_path_factory.mktemp("strict"), worker=False, **limits) as service:
        yield service


def batch(**files: bytes) -> Files:
    """The form's files by name; `__` stands for the dot."""
    return [("files", (name.replace("__", "."), data)) for name, data in files.items()]


def remaining(answer: httpx.Response) -> int:
    return int(answer.headers["X-RateLimit-Remaining"])


@pytest.mark.both_databases
def test_good_files_become_jobs_and_bad_ones_say_why(service: Running, client: httpx.Client, bracket: bytes) -> None:
    sent = batch(one__step=bracket, notes__txt=b"hello", empty__step=b"", two__stp=bracket, no__step=b"not a part")
    answer = client.post("/dfm/batches", files=sent, data={"pull": "0,0,1"})
    assert answer.status_code == 202, answer.text
    told = answer.json()
    assert [one["filename"] for one in told["files"]] == ["one.step", "notes.txt", "empty.step", "two.stp", "no.step"]
    assert [one["code"] for one in told["files"]] == [None, "bad_upload", "bad_upload", None, "not_that_format"]
    assert [one["job_id"] is None for one in told["files"]] == [False, True, True, False, True]
    assert all(one["error"] for one in told["files"] if one["code"])
    assert remaining(answer) == 98, "two of a hundred"
    assert told["status_url"] == f"{service.url}/api/v1/dfm/batches/{told['batch_id']}"

    def ended() -> dict[str, Any] | None:
        state: dict[str, Any] = httpx.get(told["status_url"], headers=client.headers).json()
        return state if state["finished"] else None

    state = until(ended, "the batch ends", poll_s=0.1)
    assert state["counts"] == {"queued": 0, "running": 0, "done": 2, "error": 0}
    accepted = [one["job_id"] for one in told["files"] if one["job_id"]]
    assert [(job["job_id"], job["filename"]) for job in state["jobs"]] == list(
        zip(accepted, ["one.step", "two.stp"], strict=True)
    )
    for job_id in accepted:
        result = client.get(f"/dfm/jobs/{job_id}/result").json()
        assert result["features"]["manufacturability"]["pull_dir"] == [0.0, 0.0, 1.0]
    with service.client() as stranger:
        assert stranger.get(f"/dfm/batches/{told['batch_id']}").status_code == 404
    for job_id in accepted:
        client.delete(f"/dfm/jobs/{job_id}")
    assert client.get(f"/dfm/batches/{told['batch_id']}").status_code == 404, "a batch is gone with its jobs"


@pytest.mark.both_databases
def test_a_repeated_batch_is_the_first_one(client: httpx.Client, bracket: bytes) -> None:
    once = {"Idempotency-Key": "one order"}
    sent = batch(one__step=bracket, notes__txt=b"hello")
    first, again = (client.post("/dfm/batches", files=sent, headers=once) for _ in range(2))
    assert first.json() == again.json()
    assert (remaining(first), remaining(again)) == (99, 99)
    other = client.post("/dfm/batches", files=sent[:1], headers=once)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@pytest.mark.both_databases
def test_at_the_cap_the_included_files_pass_and_the_others_are_refused(service: Running, bracket: bytes) -> None:
    email = "batch-at-cap@example.com"
    with service.client(service.key(email=email)) as client:
        service.use_up(email, Meter.ANALYZE, 98)
        answer = client.post("/dfm/batches", files=batch(a__step=bracket, b__step=bracket, c__step=bracket))
        assert [one["code"] for one in answer.json()["files"]] == [None, None, "quota_exceeded"]
        assert remaining(answer) == 0
        full = client.post("/dfm/batches", files=batch(a__step=bracket), headers={"Idempotency-Key": "late"})
        assert (full.status_code, full.json()["code"]) == (402, "quota_exceeded")
        assert full.json()["upgrade_url"]
        assert len(client.get("/dfm/jobs").json()["jobs"]) == 2


def test_where_no_file_can_be_taken_the_answer_is_an_error_with_every_reason(strict: Running) -> None:
    with strict.client() as client:
        answer = client.post("/dfm/batches", files=batch(a__txt=b"x", b__step=b""))
        assert (answer.status_code, answer.json()["code"]) == (422, "batch_refused")
        assert [fault["loc"] for fault in answer.json()["details"]] == [["body", "files", 0], ["body", "files", 1]]
        assert "a.txt has the extension" in answer.json()["details"][0]["msg"]
        assert "b.step is empty" in answer.json()["details"][1]["msg"]
        assert remaining(answer) == 100
        none = client.post("/dfm/batches", data={"pull": "0,0,1"})
        assert (none.status_code, none.json()["details"][0]["loc"]) == (422, ["body", "files"])


def test_limits_of_a_batch(strict: Running, bracket: bytes) -> None:
    """A file above its own limit is refused alone; too many files, or too much together, refuse the batch."""
    large = bracket + b" " * LARGEST
    with strict.client() as client:
        mixed = client.post("/dfm/batches", files=batch(large__step=large, small__step=bracket))
        assert [one["code"] for one in mixed.json()["files"]] == ["too_large", None]
        four = client.post("/dfm/batches", files=batch(a__step=b"1", b__step=b"1", c__step=b"1", d__step=b"1"))
        assert (four.status_code, four.json()["details"][0]["loc"]) == (422, ["body", "files"])
        assert "more than 3 files" in four.json()["error"]
        heavy = client.post("/dfm/batches", files=batch(a__step=b"x" * 200_000))
        assert (heavy.status_code, heavy.json()["code"]) == (413, "too_large")
        assert remaining(client.post("/dfm/batches", files=batch(a__txt=b"x"))) == 99
