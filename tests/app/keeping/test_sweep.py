"""What is kept for how long, kind by kind, on both databases; a dry run says what the sweep then removes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from fettle.app.access import sessions
from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound
from fettle.app.keeping.sweep import Kept
from fettle.app.service import Service
from fettle.app.state.store import Store
from tests.sqlite import write_upgraded

FinishedJob = Callable[..., str]


def counts(service: Service, days: float, *, dry_run: bool) -> dict[Kept, int]:
    removed = service.sweep(datetime.now(UTC) + timedelta(days=days), dry_run=dry_run)
    return {one.kind: one.count for one in removed if one.count}


def with_days(service: Service, **days: float) -> Service:
    return replace(service, settings=service.settings.model_copy(update=days))


def test_a_dry_run_says_what_goes_and_removes_nothing(
    service: Service, owner: Account, finished_job: FinishedJob, queued_job: FinishedJob
) -> None:
    ended, waiting = finished_job(owner, key="k"), queued_job(owner)
    service.files.write("previews/t/preview.glb", b"x")
    service.files.write("derived/k/model.pickle", b"x")
    service.files.write("jobs/nobody/upload", b"x")
    sessions.open_session(service.store, owner, days=3)
    before = sorted(file.name for file in service.files.entries(""))
    expected = {
        Kept.JOBS: 1, Kept.PREVIEWS: 1, Kept.DERIVED: 1, Kept.LEFTOVERS: 1, Kept.IDEMPOTENCY_KEYS: 1, Kept.SESSIONS: 1,
    }  # fmt: skip
    told = counts(service, 7.1, dry_run=True)
    assert told == expected
    assert sorted(file.name for file in service.files.entries("")) == before
    assert service.jobs.read(owner, ended).status == "done"
    assert counts(service, 7.1, dry_run=False) == expected
    assert [file.name.split("/")[2] for file in service.files.entries("")] == ["upload"]
    assert service.jobs.read(owner, waiting).status == "queued"
    with pytest.raises(NotFound, match="expired"):
        service.jobs.read(owner, ended)
    assert counts(service, 7.1, dry_run=False) == {}


def test_nothing_goes_a_day_before_its_time(service: Service, owner: Account, finished_job: FinishedJob) -> None:
    finished_job(owner, key="k")
    service.files.write("previews/t/preview.glb", b"x")
    service.files.write("derived/k/model.pickle", b"x")
    sessions.open_session(service.store, owner, days=7)
    assert counts(service, 6.9, dry_run=False) == {}


def test_uploads_maps_and_logs_can_go_before_the_result(
    service: Service, owner: Account, finished_job: FinishedJob, queued_job: FinishedJob
) -> None:
    service = with_days(service, upload_days=1, artifact_days=2, log_days=3)
    job_id, waiting = finished_job(owner), queued_job(owner)
    token = service.jobs.result(owner, job_id).artifacts["draft_glb"].split("/")[0]
    assert counts(service, 1.1, dry_run=False) == {Kept.UPLOADS: 1}
    with pytest.raises(NotFound, match="expired"):
        service.jobs.original(owner, job_id)
    assert service.jobs.original(owner, waiting).size_bytes > 0
    assert b"".join(service.jobs.artifact(token, "1", "draft.glb").chunks) == b"map"
    assert counts(service, 2.1, dry_run=False) == {Kept.ARTIFACTS: 1}
    with pytest.raises(NotFound, match="expired"):
        service.jobs.artifact(token, "1", "draft.glb")
    assert len(service.jobs.read(owner, job_id).log) == 2
    assert counts(service, 3.1, dry_run=False) == {Kept.LOGS: 2}
    assert service.jobs.read(owner, job_id).log == ()
    assert service.jobs.result(owner, job_id).body == b'{"features": {}}'


def test_the_size_is_that_of_the_files(service: Service, owner: Account, finished_job: FinishedJob) -> None:
    finished_job(owner)
    stored = sum(file.size_bytes for file in service.files.entries("jobs"))
    (jobs,) = [one for one in service.sweep(datetime.now(UTC) + timedelta(days=8)) if one.kind is Kept.JOBS]
    assert (jobs.count, jobs.size_bytes) == (1, stored)


def test_a_sqlite_file_gives_its_room_back(tmp_path: Path) -> None:
    path = write_upgraded(tmp_path)
    store = Store(f"sqlite:///{path}")
    store.shrink()
    before = path.stat().st_size
    with store.write() as connection:
        rows = [{"name": f"{number}", "value": "x" * 1000} for number in range(2000)]
        connection.execute(sa.text("CREATE TABLE filled (name TEXT, value TEXT)"))
        connection.execute(sa.text("INSERT INTO filled VALUES (:name, :value)"), rows)
    with store.write() as connection:
        connection.execute(sa.text("DROP TABLE filled"))
    assert path.stat().st_size + path.with_name("fettle.sqlite-wal").stat().st_size > before + 2_000_000
    store.shrink()
    assert path.stat().st_size == before
    assert path.with_name("fettle.sqlite-wal").stat().st_size == 0
    store.close()
