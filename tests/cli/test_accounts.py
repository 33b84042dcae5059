"""`fettle accounts`: an owner who forgot the password gets a new one from the operator."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from fettle.app.access import accounts, sessions
from fettle.app.settings import Settings
from fettle.app.state.migrations import upgrade
from fettle.app.state.store import Store
from fettle.cli.accounts import app


def test_a_new_password_replaces_the_old_one_and_ends_every_session(tmp_path: Path) -> None:
    store = Store(Settings(data_dir=tmp_path).database)
    upgrade(store)
    owner = accounts.sign_up(store, "ada@example.com", "the old password")
    token = sessions.open_session(store, owner, days=1)
    asked = ["reset-password", "--account", "ada@example.com", "--data-dir", str(tmp_path)]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0
    assert accounts.sign_in(store, "ada@example.com", done.stdout.strip()).id == owner.id
    with pytest.raises(accounts.SignInRefused):
        accounts.sign_in(store, "ada@example.com", "the old password")
    assert sessions.find_account(store, token) is None
    store.close()


def test_an_unknown_account_is_refused(tmp_path: Path) -> None:
    asked = ["reset-password", "--account", "nobody@example.com", "--data-dir", str(tmp_path)]
    assert CliRunner().invoke(app, asked).exit_code == 1
