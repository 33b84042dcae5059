"""A fault of our own: the caller gets an id, the log gets the cause."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from fettle.app import quotes
from fettle.app.access import accounts, keys
from fettle.app.settings import Settings
from fettle.app.state.store import Store
from fettle.web import create_app


def test_a_500_says_only_its_id_and_the_log_says_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("the secret cause")

    app = create_app(Settings(data_dir=tmp_path))
    store = Store(Settings(data_dir=tmp_path).database)
    key = keys.create(store, accounts.find_or_create(store, "ada@example.com"), "", "svc_live_")
    monkeypatch.setattr(quotes, "read_all", break_down)
    with caplog.at_level(logging.INFO, "fettle"):
        answer = TestClient(app).get("/api/v1/quotes", headers={"X-API-Key": key})
    store.close()
    identity = answer.headers["X-Request-Id"]
    assert answer.status_code == 500
    assert answer.json() == {
        "error": f"Something went wrong on our side. Tell the operator this id: {identity}.",
        "code": "internal_error",
    }
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    (record,) = [record for record in caplog.records if record.exc_info]
    assert identity in record.getMessage()
    assert "the secret cause" in str(record.exc_info[1])
