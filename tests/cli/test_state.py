"""The commands that touch state: keys, usage, the database."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fettle.app.access import accounts
from fettle.app.access import keys as api_keys
from fettle.app.errors import RevokedKey
from fettle.app.settings import Settings
from fettle.app.state.store import Store
from fettle.cli import db, jobs, keys, usage

RUNNER = CliRunner()


def run(app: object, *words: str, folder: Path) -> Result:
    return RUNNER.invoke(app, [*words, "--data-dir", str(folder)])


def test_a_key_is_printed_alone_listed_by_its_prefix_and_revoked(tmp_path: Path) -> None:
    made = run(keys.app, "create", "--account", "ada@example.com", "--plan", "pro", "--name", "laptop", folder=tmp_path)
    assert made.exit_code == 0
    assert re.fullmatch(r"svc_live_[A-Za-z0-9_-]{43}\n", made.stdout)
    key = made.stdout.strip()
    listed = run(keys.app, "list", folder=tmp_path).stdout
    assert key[:15] in listed
    assert key not in listed
    assert "ada@example.com" in listed
    store = Store(Settings(data_dir=tmp_path).database)
    assert api_keys.authenticate(store, key, "svc_live_").plan == "pro"
    assert run(keys.app, "revoke", key[:15], folder=tmp_path).exit_code == 0
    with pytest.raises(RevokedKey):
        api_keys.authenticate(store, key, "svc_live_")
    store.close()


def test_refusals_go_to_standard_error_with_exit_code_1(tmp_path: Path) -> None:
    for app, words in (
        (keys.app, ["create", "--account", "nobody"]),
        (keys.app, ["create", "--account", "a@example.com", "--plan", "golden"]),
        (keys.app, ["revoke", "svc_live_nobody"]),
        (usage.app, ["show", "--account", "nobody@example.com"]),
    ):
        refused = run(app, *words, folder=tmp_path)
        assert refused.exit_code == 1
        assert refused.stdout == ""
        assert refused.stderr.startswith("fettle: ")


def test_wrong_usage_is_exit_code_2(tmp_path: Path) -> None:
    assert run(keys.app, "create", folder=tmp_path).exit_code == 2
    asked = ("adjust", "--account", "a@example.com", "--meter", "dfm.guess", "--used", "1")
    assert run(usage.app, *asked, folder=tmp_path).exit_code == 2


def test_overage_is_switched_by_the_operator(tmp_path: Path) -> None:
    run(keys.app, "create", "--account", "a@example.com", "--plan", "pro", folder=tmp_path)
    store = Store(Settings(data_dir=tmp_path).database)
    for word, taken in (("--refuse", False), ("--allow", True)):
        assert run(usage.app, "overage", "--account", "a@example.com", word, folder=tmp_path).exit_code == 0
        assert accounts.find(store, "a@example.com").overage_enabled is taken
    store.close()


def test_meters_are_shown_and_set(tmp_path: Path) -> None:
    run(keys.app, "create", "--account", "ada@example.com", folder=tmp_path)
    asked = ("adjust", "--account", "ada@example.com", "--meter", "dfm.analyze", "--used", "99")
    assert run(usage.app, *asked, folder=tmp_path).exit_code == 0
    shown = run(usage.app, "show", "--account", "ada@example.com", folder=tmp_path).stdout
    assert re.search(r"^dfm\.analyze  \d{4}-\d\d  99 of 100 \(free\)$", shown, re.MULTILINE)
    assert re.search(r"^dfm\.quick_info  \d{4}-\d\d  0 of 1000 \(free\)$", shown, re.MULTILINE)


def test_the_database_is_upgraded_once(tmp_path: Path) -> None:
    first = run(db.app, "upgrade", folder=tmp_path)
    again = run(db.app, "upgrade", folder=tmp_path)
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert "was at none" in first.stdout
    assert "was at" not in again.stdout


def test_answers_as_data(tmp_path: Path) -> None:
    account = ["--account", "ada@example.com"]
    key = run(keys.app, "create", *account, "--name", "laptop", folder=tmp_path).stdout.strip()
    (listed,) = json.loads(run(keys.app, "list", "--format", "json", folder=tmp_path).stdout)["keys"]
    assert (listed["key"], listed["account"], listed["name"]) == (key[:15], "ada@example.com", "laptop")
    assert (listed["last_used_at"], listed["revoked_at"]) == (None, None)
    shown = json.loads(run(usage.app, "show", *account, "--format", "json", folder=tmp_path).stdout)
    assert {one["meter"]: one["used"] for one in shown["meters"]} == {"dfm.quick_info": 0, "dfm.analyze": 0}
    assert json.loads(run(jobs.app, "list", "--format", "json", folder=tmp_path).stdout) == {"jobs": []}
