"""An account that is deleted leaves nothing, and takes nothing of anybody else with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from fettle.app.access import accounts, keys, sessions
from fettle.app.access.accounts import Account
from fettle.app.access.audit import read_entries
from fettle.app.access.plans import Meter
from fettle.app.errors import NotFound, UnknownKey
from fettle.app.keeping.deletion import delete_account
from fettle.app.options import JobOptions
from fettle.app.service import Service
from fettle.app.state.tables import metadata
from fettle.app.work.pipeline import model_folder
from tests.app.keeping.conftest import PART

FinishedJob = Callable[..., str]


def rows(service: Service) -> dict[str, int]:
    with service.store.read() as connection:
        counted = {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }
    return {name: count for name, count in counted.items() if count}


def model_of(service: Service, owner: Account) -> str:
    (job,) = service.jobs.read_all(owner)[0]
    run = service.jobs.finished_run(owner, job.job_id)
    return model_folder(service.settings, run.input_sha256, run.filename, JobOptions())


def test_everything_of_the_account_goes_and_nothing_of_others(
    service: Service, owner: Account, finished_job: FinishedJob
) -> None:
    other = accounts.find_or_create(service.store, "other@example.com")
    kept_job = finished_job(other)
    service.files.write(f"{model_of(service, other)}/model.pickle", b"shared")
    before, files_before = rows(service), sorted(file.name for file in service.files.entries(""))

    finished_job(owner, key="k")
    own_part = PART.replace(b"HEADER;", b"HEADER; ")
    finished_job(owner, own_part)
    key = keys.create(service.store, owner, "k", "svc_live_")
    token = sessions.open_session(service.store, owner, days=3)
    service.meters.adjust(owner, Meter.QUICK_INFO, 5)
    jobs, _ = service.jobs.read_all(owner)
    runs = [service.jobs.finished_run(owner, job.job_id) for job in jobs]
    for run in runs:
        folder = model_folder(service.settings, run.input_sha256, run.filename, JobOptions())
        service.files.write(f"{folder}/preview.json", b'{"token": "%s"}' % run.input_sha256[:22].encode())
        service.files.write(f"previews/{run.input_sha256[:22]}/preview.glb", b"x")

    gone = delete_account(service.settings, service.store, service.files, owner)
    assert gone.rows["jobs"] == 2
    assert gone.rows["api_keys"] == 1
    left = rows(service)
    told = read_entries(service.store)
    assert (told[0].action, told[0].account_id) == ("account_deleted", owner.id)
    assert owner.email not in repr(told)
    untouched = ("audit_log", "job_timings", "accounts")
    assert {name: count for name, count in left.items() if name not in untouched} == {
        name: count for name, count in before.items() if name not in untouched
    }
    assert left["accounts"] == before["accounts"] - 1
    shared = [f"{model_of(service, other)}/preview.json"]
    preview = [f"previews/{service.jobs.finished_run(other, kept_job).input_sha256[:22]}/preview.glb"]
    assert sorted(file.name for file in service.files.entries("")) == sorted([*files_before, *shared, *preview])
    with pytest.raises(UnknownKey):
        keys.authenticate(service.store, key, "svc_live_")
    assert sessions.find_account(service.store, token) is None
    with pytest.raises(NotFound):
        accounts.find(service.store, owner.email)
    assert service.jobs.result(other, kept_job).body == b'{"features": {}}'


def test_every_table_about_an_account_goes_with_it() -> None:
    """A table that refers to accounts without a cascade would keep the account from being deleted."""
    for table in metadata.sorted_tables:
        for reference in table.foreign_keys:
            if reference.column.table.name == "accounts":
                assert reference.ondelete == "CASCADE", table.name
