"""`fettle doctor` finds what does not work, says what to do, and changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from fettle.app.settings import Settings
from fettle.app.state.migrations import newest, upgrade
from fettle.app.state.store import Store
from fettle.cli.doctor import app


def examine(folder: Path) -> tuple[int, dict[str, dict[str, Any]]]:
    done = CliRunner().invoke(app, ["--data-dir", str(folder), "--format", "json"])
    return done.exit_code, {found["check"]: found for found in json.loads(done.stdout)["checks"]}


@pytest.mark.slow
def test_a_good_installation_is_well_and_left_as_it_was(tmp_path: Path) -> None:
    store = Store(Settings(data_dir=tmp_path).database)
    upgrade(store)
    code, found = examine(tmp_path)
    assert code == 0
    assert {check: one["health"] for check, one in found.items() if one["health"] == "fault"} == {}
    assert newest() in found["database"]["found"]
    assert "analyzed" in found["kernel"]["found"]
    with store.read() as connection:
        assert "fettle_doctor" not in sa.inspect(connection).get_table_names()
    assert [path for path in (tmp_path / "files").rglob("*") if path.is_file()] == []
    store.close()


@pytest.mark.slow
def test_what_does_not_work_is_named_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FETTLE_DATABASE_URL", "postgresql://nobody@127.0.0.1:9/none")
    monkeypatch.setenv("FETTLE_STORAGE_URL", "s3://nothing")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "SECRET-ID")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "SECRET-KEY")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    code, found = examine(tmp_path)
    assert code == 1
    assert [check for check, one in found.items() if one["health"] == "fault"] == ["database", "store"]
    assert "FETTLE_DATABASE_URL" in found["database"]["advice"]
    assert "FETTLE_STORAGE_URL" in found["store"]["advice"]
    assert "SECRET" not in json.dumps(found)
