"""Jobs and attempts on both databases: what commits together, who may write, what is kept and what goes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from dbos import DBOSClient

from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.access.plans import Meter
from fettle.app.errors import KeyReused, NotFound, NotReady, QueueFull, QuotaExceeded
from fettle.app.keeping.sweep import Kept
from fettle.app.options import JobOptions
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.store import jobs as table
from fettle.app.state.uploads import Incoming
from fettle.app.work import attempts
from fettle.app.work.attempts import Abandoned, Attempt
from fettle.app.work.heartbeat import LivingWorkers, requeue_orphans
from fettle.app.work.job_files import ANALYSIS, ARTIFACTS, RESULT
from fettle.app.work.jobs import Jobs, Submitted, result_body
from fettle.app.work.summaries import Finished
from fettle.errors import BadRequest, KernelTimedOut

PART = b"ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n"


def finished(result_sha256: str) -> Finished:
    """The outcome of a cube of 10 mm."""
    return Finished(result_sha256, "A cube.", (10.0, 10.0, 10.0), 1.0, (("CNC machining", "pass"),))


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    opened = open_service(settings)
    yield opened
    opened.close()


@pytest.fixture
def owner(service: Service) -> Account:
    return accounts.find_or_create(service.store, "owner@example.com")


def submit(
    service: Service, owner: Account, quote_id: str | None = None, key: str | None = None, part: bytes = PART
) -> Submitted:
    with Incoming("part.step", 1000) as incoming:
        incoming.write(part)
        return service.jobs.submit(owner, incoming.finish(), JobOptions(), quote_id, key)


def begin(service: Service, job_id: str, worker: str = "w1", run: int = 1) -> Attempt:
    attempt = attempts.begin(service.store, service.settings, worker, job_id, run)
    assert attempt is not None
    return attempt


def save(service: Service, attempt: Attempt, body: bytes = b'{"features":{}}') -> None:
    for name in (*ARTIFACTS.values(), ANALYSIS, RESULT):
        service.jobs._files.write(f"jobs/{attempt.token}/{attempt.run}/{name}", body)


def finish(service: Service, job_id: str, run: int = 1) -> None:
    attempt = begin(service, job_id, run=run)
    save(service, attempt, json.dumps({"features": {}, "run": run}).encode())
    attempt.finish(finished("0" * 64))


def stored(settings: Settings) -> list[str]:
    return [path.name for path in (settings.data_dir / "files" / "jobs").rglob("*") if path.is_file()]


def test_row_meter_file_and_order_are_there_together(service: Service, owner: Account, settings: Settings) -> None:
    submitted = submit(service, owner)
    assert submitted.status == "queued"
    assert submitted.meter.used == 1
    assert [(order.job_id, order.run) for order in service.queue.unfinished()] == [(submitted.job_id, 1)]
    assert stored(settings) == ["upload"]
    job = service.jobs.read(owner, submitted.job_id)
    assert (job.status, job.progress, job.attempts, job.log, job.error) == ("queued", 0, 0, (), None)


def test_a_refused_submission_leaves_nothing(service: Service, owner: Account, settings: Settings) -> None:
    with pytest.raises(BadRequest, match="quote_id"):
        submit(service, owner, quote_id="7d3f3c3e-0000-4000-8000-000000000000")
    service.meters.adjust(owner, Meter.ANALYZE, 100)
    with pytest.raises(QuotaExceeded):
        submit(service, owner)
    assert service.queue.unfinished() == []
    assert stored(settings) == []
    assert service.jobs.read_all(owner) == ([], None)


def test_a_full_queue_refuses_before_it_counts(service: Service, owner: Account, settings: Settings) -> None:
    small = settings.model_copy(update={"queue_limit": 2})
    few = replace(service, jobs=Jobs(small, service.store, service.jobs._files, service.queue, service.meters))
    for _ in range(2):
        submit(few, owner)
    with pytest.raises(QueueFull) as caught:
        submit(few, owner)
    assert caught.value.retry_after_s > 0
    assert service.meters.read(owner, Meter.ANALYZE).used == 2


def test_an_idempotency_key_makes_one_job_of_two_requests(service: Service, owner: Account, settings: Settings) -> None:
    first, second = submit(service, owner, key="k"), submit(service, owner, key="k")
    assert first.job_id == second.job_id
    assert second.meter.used == 1
    assert stored(settings) == ["upload"]
    with pytest.raises(KeyReused):
        submit(service, owner, key="k", part=PART + b"\n")


def test_a_job_runs_speaks_and_is_done(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    attempt = begin(service, job_id)
    running = service.jobs.read(owner, job_id)
    assert (running.status, running.attempts) == ("running", 1)
    with pytest.raises(NotReady, match="running"):
        service.jobs.result(owner, job_id)
    attempt.say("Half way.", 0.5)
    assert service.jobs.read(owner, job_id).progress == 0.5
    save(service, attempt)
    attempt.finish(finished("f" * 64))
    done = service.jobs.read(owner, job_id)
    assert (done.status, done.progress, done.error) == ("done", 1.0, None)
    assert [line.split(" s: ")[1] for line in done.log] == ["Started.", "Half way.", "The analysis is done."]
    ends = [done.finished_at, done.expires_at]
    assert ends[1] - ends[0] == timedelta(days=7)
    body = json.loads(result_body(service.jobs.result(owner, job_id), "http://host/files"))
    assert list(body) == ["job_id", "status", "artifacts", "features"]
    token = body["artifacts"]["draft_glb"].split("/")[4]
    assert len(token) == 22
    assert body["artifacts"]["draft_glb"] == f"http://host/files/{token}/1/draft.glb"
    assert b"".join(service.jobs.artifact(token, "1", "draft.glb").chunks) == b'{"features":{}}'


def test_artifacts_are_the_only_public_files(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    finish(service, job_id)
    token = service.jobs.result(owner, job_id).artifacts["draft_glb"].split("/")[0]
    asked = [(token, "1", ANALYSIS), (token, "1", RESULT), (token, "", "upload"), (token, "..", "upload")]
    for place in (*asked, (token, "1", "../upload"), ("x" * 22, "1", "draft.glb"), (token, "2", "draft.glb")):
        with pytest.raises(NotFound):
            service.jobs.artifact(*place)


def test_only_the_latest_attempt_may_write(service: Service, owner: Account) -> None:
    """A worker that was thought dead wakes up after another one took its job."""
    job_id = submit(service, owner).job_id
    asleep = begin(service, job_id, "w1")
    awake = begin(service, job_id, "w2")
    for write in (
        lambda: asleep.say("I am back"),
        lambda: asleep.finish(finished("0" * 64)),
        lambda: asleep.fail("no", "no"),
    ):
        with pytest.raises(Abandoned):
            write()
    with pytest.raises(Abandoned):
        asleep.release()
    awake.finish(finished("1" * 64))
    job = service.jobs.read(owner, job_id)
    assert (job.status, job.attempts) == ("done", 2)
    assert not any("I am back" in line for line in job.log)
    assert attempts.begin(service.store, service.settings, "w3", job_id, 1) is None


def test_the_fourth_attempt_is_not_made(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    for count in range(3):
        assert begin(service, job_id, f"w{count}").number == count + 1
    assert attempts.begin(service.store, service.settings, "w9", job_id, 1) is None
    job = service.jobs.read(owner, job_id)
    assert (job.status, job.attempts) == ("error", 3)
    assert "3 times" in job.error
    assert service.meters.read(owner, Meter.ANALYZE).used == 0, "a failed job gives its unit back"


def test_an_attempt_that_is_handed_back_does_not_count(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    for _ in range(5):
        begin(service, job_id).release()
    job = service.jobs.read(owner, job_id)
    assert (job.status, job.attempts) == ("queued", 0)


def test_errors_are_told_and_a_timeout_keeps_its_kind(service: Service, owner: Account) -> None:
    refused, late = submit(service, owner).job_id, submit(service, owner).job_id
    begin(service, refused).fail("The file has no solid.", "no_solid")
    with pytest.raises(NotReady, match="The file has no solid"):
        service.jobs.result(owner, refused)
    assert service.jobs.read(owner, refused).error == "The file has no solid."
    begin(service, late).fail("Too slow.", KernelTimedOut.code)
    with pytest.raises(KernelTimedOut, match="Too slow"):
        service.jobs.result(owner, late)


def test_a_recompute_runs_the_same_job_again(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    with pytest.raises(NotReady):
        service.jobs.recompute(owner, job_id, "0,0,1")
    finish(service, job_id)
    before = service.jobs.result(owner, job_id)
    assert service.jobs.recompute(owner, job_id, "0,0,1").status == "queued"
    with pytest.raises(NotReady):
        service.jobs.recompute(owner, job_id, "1,0,0")
    attempt = begin(service, job_id, run=2)
    assert (attempt.options.pull, attempt.result_run) == ("0,0,1", 1)
    save(service, attempt, b'{"run":2}')
    attempt.finish(finished("2" * 64))
    after = service.jobs.result(owner, job_id)
    assert after.body == b'{"run":2}'
    assert after.artifacts["draft_glb"] != before.artifacts["draft_glb"], "an address never changes its content"
    assert service.meters.read(owner, Meter.ANALYZE).used == 1


def test_a_failed_recompute_keeps_the_result(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    finish(service, job_id)
    service.jobs.recompute(owner, job_id, "0,0,1")
    begin(service, job_id, run=2).fail("The kernel crashed.", "kernel_crashed")
    job = service.jobs.read(owner, job_id)
    assert (job.status, job.error) == ("done", None)
    assert "previous result is kept" in job.log[-1]
    assert json.loads(service.jobs.result(owner, job_id).body)["run"] == 1


def test_others_and_the_deleted_see_nothing(service: Service, owner: Account, settings: Settings) -> None:
    job_id = submit(service, owner).job_id
    attempt = begin(service, job_id)
    stranger = accounts.find_or_create(service.store, "stranger@example.com")
    for ask in (service.jobs.read, service.jobs.result, service.analysis, service.jobs.delete):
        with pytest.raises(NotFound):
            ask(stranger, job_id)
    service.jobs.delete(owner, job_id)
    with pytest.raises(NotFound):
        service.jobs.read(owner, job_id)
    with pytest.raises(Abandoned):
        attempt.say("still there?")
    assert not attempt.exists()
    assert stored(settings) == []


def test_an_upload_that_never_became_a_job_goes_after_a_day(
    service: Service, owner: Account, settings: Settings
) -> None:
    submit(service, owner)
    service.files.write("jobs/nobody/upload", PART)
    now = datetime.now(UTC)
    service.sweep(now + timedelta(hours=23))
    assert stored(settings) == ["upload", "upload"]
    service.sweep(now + timedelta(hours=25))
    assert stored(settings) == ["upload"]
    assert not service.files.entries("jobs/nobody")


def removed_jobs(service: Service) -> int:
    return next(one.count for one in service.sweep() if one.kind is Kept.JOBS)


def test_an_expired_job_is_gone_at_once_and_its_files_soon(
    service: Service, owner: Account, settings: Settings
) -> None:
    old, young = submit(service, owner).job_id, submit(service, owner).job_id
    finish(service, old)
    token = service.jobs.result(owner, old).artifacts["draft_glb"].split("/")[0]
    with service.store.write() as connection:
        past = datetime.now(UTC) - timedelta(seconds=1)
        connection.execute(table.update().where(table.c.id == old).values(expires_at=past))
    for ask in (service.jobs.read, service.jobs.result):
        with pytest.raises(NotFound):
            ask(owner, old)
    with pytest.raises(NotFound):
        service.jobs.artifact(token, "1", "draft.glb")
    assert [job.job_id for job in service.jobs.read_all(owner)[0]] == [young]
    assert removed_jobs(service) == 1
    assert stored(settings) == ["upload"]
    assert removed_jobs(service) == 0


def test_a_job_that_lost_its_order_is_ordered_anew(service: Service, owner: Account) -> None:
    job_id = submit(service, owner).job_id
    (order,) = service.queue.unfinished()
    client = DBOSClient(system_database_url=service.store.url)
    client.cancel_workflow(order.id)
    client.destroy()
    assert service.queue.unfinished() == []
    requeue_orphans(service.store, service.queue, set())
    requeue_orphans(service.store, service.queue, set())
    assert [(again.job_id, again.run) for again in service.queue.unfinished()] == [(job_id, 1)]


def test_death_is_judged_by_the_observers_clock_alone() -> None:
    census = LivingWorkers(dead_after_s=10)
    wrong_clock = datetime(1999, 1, 1, tzinfo=UTC)
    beats = {"a": wrong_clock, "b": wrong_clock}
    assert census.count(beats, now=100.0) == ({"a", "b"}, set())
    beats["a"] += timedelta(milliseconds=1)
    assert census.count(beats, now=109.0) == ({"a", "b"}, set())
    assert census.count(beats, now=111.0) == ({"a"}, {"b"})
    beats["b"] += timedelta(milliseconds=1)
    assert census.count(beats, now=112.0) == ({"a", "b"}, set())
    del beats["a"]
    assert census.count(beats, now=113.0) == ({"b"}, set())


def test_lists_are_pages_of_ones_own(service: Service, owner: Account, tmp_path: Path) -> None:
    ids = [submit(service, owner).job_id for _ in range(5)]
    first, cursor = service.jobs.read_all(owner, 3)
    second, end = service.jobs.read_all(owner, 3, cursor)
    assert [job.job_id for job in first + second] == ids[::-1]
    assert end is None
    with service.store.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 5
