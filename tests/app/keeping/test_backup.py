"""Backup and restore of the state itself: every row and file comes back, into either kind of database, or nothing."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
import sqlalchemy as sa

from fettle.app.access import accounts, keys
from fettle.app.access.accounts import Account
from fettle.app.errors import BackupRefused
from fettle.app.keeping.backup import LEFT_OUT, back_up
from fettle.app.keeping.restore import restore
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.files import open_files
from fettle.app.state.migrations import newest
from fettle.app.state.store import Store, jobs, metadata, quotes
from fettle.app.work import attempts
from fettle.app.work.heartbeat import requeue_orphans
from tests import postgres
from tests.app.test_store import NOON

FinishedJob = Callable[..., str]


def dump(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.read() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for table in metadata.sorted_tables
            if table.name not in LEFT_OUT
        }


def contents(service: Service) -> dict[str, bytes]:
    return {file.name: service.files.read(file.name) for file in service.files.entries("")}


def add_quote(service: Service, owner: Account) -> None:
    money = {column.name: Decimal("1234.07") for column in quotes.c if type(column.type).__name__ == "Money"}
    row = {
        "id": "q", "account_id": owner.id, "status": "draft", "file_name": "Bügel.step", "geometry": {"volume": 1.5},
        "material_id": "m", "quantity": 3, "post_processing_option_ids": ["a"], "currency": "USD", "lead_time_days": 1,
        "rate_card_version": "v", "created_at": NOON, **money,
    }  # fmt: skip
    with service.store.write() as connection:
        connection.execute(quotes.insert(), row)


def test_rows_and_files_come_back_into_a_new_database_of_the_other_kind(
    service: Service,
    owner: Account,
    finished_job: FinishedJob,
    queued_job: FinishedJob,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    done, waiting = finished_job(owner, key="k"), queued_job(owner)
    keys.create(service.store, owner, "k", "svc_live_")
    add_quote(service, owner)
    service.files.write("previews/t/preview.glb", b"glTF")
    expected, files = dump(service.store), contents(service)
    service.files.write("derived/k/x", b"computed anew")
    service.files.write("jobs/later/upload", b"of a job after the snapshot")
    manifest = back_up(service.store, service.files, tmp_path / "b.tar")
    assert manifest.step == newest()
    assert manifest.rows["jobs"] == 2
    with postgres.database(request.getfixturevalue("postgres_cluster")) as url:
        target = Settings(data_dir=tmp_path / "new", database_url=url if service.store.is_sqlite else "")
        store = Store(target.database)
        restore(store, open_files(target), tmp_path / "b.tar")
        store.close()
        again = open_service(target)
        assert dump(again.store) == expected
        assert contents(again) == files
        assert again.jobs.result(accounts.find(again.store, owner.email), done).body == b'{"features": {}}'
        assert again.queue.unfinished() == []
        requeue_orphans(again.store, again.queue, set())
        assert [order.job_id for order in again.queue.unfinished()] == [waiting]
        with pytest.raises(BackupRefused, match="has accounts already"):
            restore(again.store, again.files, tmp_path / "b.tar")
        again.close()


def test_a_job_that_ran_waits_again_and_its_attempt_does_not_count(
    service: Service, owner: Account, queued_job: FinishedJob, tmp_path: Path
) -> None:
    job_id = queued_job(owner)
    assert attempts.begin(service.store, service.settings, "w1", job_id, 1) is not None
    back_up(service.store, service.files, tmp_path / "b.tar")
    target = Settings(data_dir=tmp_path / "new")
    store = Store(target.database)
    restore(store, open_files(target), tmp_path / "b.tar")
    with store.read() as connection:
        row = connection.execute(sa.select(jobs)).one()
    assert (row.status, row.attempts, row.worker) == ("queued", 0, None)
    store.close()


def test_a_damaged_or_foreign_archive_is_refused_before_anything_is_written(
    service: Service, owner: Account, finished_job: FinishedJob, tmp_path: Path
) -> None:
    finished_job(owner)
    whole = tmp_path / "b.tar"
    manifest = back_up(service.store, service.files, whole)
    data = whole.read_bytes()
    name = next(name for name in manifest.sha256 if name.endswith("upload"))
    with tarfile.open(whole) as tar:
        at = tar.getmember(name).offset_data
    later = json.dumps({"step": newest()}).encode()[1:-1]
    spoiled = {
        "cut": data[: len(data) // 2],
        "altered": data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :],
        "later": data.replace(later, later.replace(newest().encode(), b"9999")),
        "not a tar": b"PK\x03\x04" + data,
        "empty": b"",
    }
    for fault, content in spoiled.items():
        (tmp_path / "spoiled.tar").write_bytes(content)
        target = Settings(data_dir=tmp_path / fault)
        store = Store(target.database)
        with pytest.raises(BackupRefused):
            restore(store, open_files(target), tmp_path / "spoiled.tar")
        with store.read() as connection:
            assert sa.inspect(connection).get_table_names() == [], fault
        assert open_files(target).entries("") == []
        store.close()


def test_a_backup_that_fails_leaves_the_one_before(service: Service, owner: Account, tmp_path: Path) -> None:
    path = tmp_path / "b.tar"
    back_up(service.store, service.files, path)
    before = path.read_bytes()
    with service.store.write() as connection:
        connection.exec_driver_sql("DROP TABLE rate_cards")
    with pytest.raises(sa.exc.SQLAlchemyError):
        back_up(service.store, service.files, path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".b.tar")] == []
    assert path.stat().st_mode & 0o077 == 0, "it holds hashes of passwords: for its owner alone"
