"""From the tables of version 0.1 to today's and back, with rows in them, on both databases."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command

from fettle.app.access import accounts, keys
from fettle.app.keeping.backup import back_up
from fettle.app.keeping.restore import restore
from fettle.app.settings import Settings
from fettle.app.state.dashboard_tables import (
    account_settings,
    job_summaries,
    job_tags,
    quote_letters,
    rule_packs,
    share_links,
    what_ifs,
)
from fettle.app.state.files import open_files
from fettle.app.state.migrations import current, newest, steps, upgrade
from fettle.app.state.operation_tables import audit_log, deliveries, job_timings, webhooks
from fettle.app.state.store import Store
from fettle.app.state.tables import metadata
from tests.app.test_store import NOON

VERSION_0_1 = "0005"
"""The step that 0.1.0 is at."""
NEW = {
    table.name
    for table in (
        *(audit_log, job_timings, webhooks, deliveries),
        *(account_settings, job_summaries, job_tags, quote_letters, rule_packs, share_links, what_ifs),
    )
}
NEW_COLUMNS = {"jobs": {"deleted_at": None, "metered": True, "batch_id": None, "batch_number": None}}
"""What the rows of 0.1 get."""
JOB = {
    "id": "job_old", "account_id": "a", "status": "queued", "filename": "part.step", "input_sha256": "0" * 64,
    "options": {"units": "m"}, "token": "t", "progress": 0.0, "attempts": 0, "run": 1, "created_at": NOON,
}  # fmt: skip


def rows(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Rows of the tables that 0.1 has, by reflection: whatever step the database is at."""
    with store.read() as connection:
        names = [name for name in metadata.tables if name not in NEW]
        found = {name: connection.execute(sa.text(f'SELECT * FROM "{name}"')).mappings().all() for name in names}
    return {name: [dict(row) for row in read] for name, read in found.items() if read}


def at_0_1(store: Store) -> None:
    """Take the store back to 0.1 and give it an account, a key and a job that waits."""
    with store.alter() as connection:
        command.downgrade(steps.config(connection), VERSION_0_1)
    with store.write() as connection:
        owner = {"id": "a", "email": "ada@example.com", "plan": "pro", "overage_enabled": True, "created_at": NOON}
        connection.execute(metadata.tables["accounts"].insert(), owner)
        key = {"id": "k", "account_id": "a", "name": "", "shown": "x", "hash": keys._hash("svc_live_old")}
        connection.execute(metadata.tables["api_keys"].insert(), {**key, "created_at": NOON})
        connection.execute(metadata.tables["jobs"].insert(), JOB)


def test_rows_of_0_1_survive_the_way_forward_and_back(fresh_store: Store) -> None:
    at_0_1(fresh_store)
    before = rows(fresh_store)
    assert set(before) == {"accounts", "api_keys", "jobs"}
    assert upgrade(fresh_store) == (VERSION_0_1, newest())
    expected = {name: [{**row, **NEW_COLUMNS.get(name, {})} for row in found] for name, found in before.items()}
    assert rows(fresh_store) == expected
    assert keys.authenticate(fresh_store, "svc_live_old", "svc_live_").plan == "pro"
    accounts.set_plan(fresh_store, accounts.find(fresh_store, "ada@example.com"), "free")
    with fresh_store.alter() as connection:
        command.downgrade(steps.config(connection), VERSION_0_1)
    with fresh_store.read() as connection:
        assert current(connection) == VERSION_0_1
        assert set(sa.inspect(connection).get_table_names()) & NEW == set()
    after = rows(fresh_store)
    assert after["jobs"] == before["jobs"]
    assert after["accounts"][0]["plan"] == "free", "what the new version did is kept by the old one"


def test_a_node_that_starts_after_a_later_one_leaves_the_tables_alone(fresh_store: Store) -> None:
    """A worker of the old version that dies while nodes are upgraded one by one must come up again."""
    with fresh_store.alter() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    assert upgrade(fresh_store) == ("9999", "9999")
    accounts.find_or_create(fresh_store, "ada@example.com")
    with fresh_store.read() as connection:
        assert current(connection) == "9999"


def test_a_backup_of_an_older_step_is_restored_and_upgraded(fresh_store: Store, tmp_path: Path) -> None:
    owner = accounts.find_or_create(fresh_store, "ada@example.com")
    files = open_files(Settings(data_dir=tmp_path / "old"))
    back_up(fresh_store, files, tmp_path / "new.tar")
    with tarfile.open(tmp_path / "new.tar") as full, tarfile.open(tmp_path / "old.tar", "w") as old:
        for member in full.getmembers():
            data = full.extractfile(member).read()  # type: ignore[union-attr]
            if Path(member.name).stem in NEW:
                continue
            if member.name == "manifest.json":
                manifest = json.loads(data) | {"step": VERSION_0_1}
                manifest["sha256"] = {k: v for k, v in manifest["sha256"].items() if Path(k).stem not in NEW}
                data = json.dumps(manifest).encode()
                member.size = len(data)
            old.addfile(member, io.BytesIO(data))
    target = Settings(data_dir=tmp_path / "target")
    store = Store(target.database)
    restore(store, open_files(target), tmp_path / "old.tar")
    with store.read() as connection:
        assert current(connection) == newest()
    assert accounts.find(store, "ada@example.com") == owner
    store.close()
