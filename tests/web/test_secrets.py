"""The whole story with logging at its noisiest: nothing secret in any log line or error answer."""

from __future__ import annotations

import logging
import uuid

import pytest

from fettle.app.access import accounts, keys, sessions
from tests.web.conftest import Running, step, wait_for

MARK = "CANARY-" + "7f3a9c"
PASSWORD = f"password-{MARK}-1"


@pytest.mark.slow
def test_no_secret_reaches_a_log_or_an_error(
    service: Running, bracket: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    content = bracket.replace(b"FILE_NAME('", b"FILE_NAME('" + MARK.encode(), 1)
    key, told = _story(service, content)
    token, session_key = _dashboard(service)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("fettle", "sqlalchemy"))]
    written = service.output.read_text(errors="replace") + "\n".join(ours)
    assert "GET" in written
    for secret in (key, session_key, token, PASSWORD, MARK, "svc_live_wrong"):
        assert secret not in written
        assert not [answer for answer in told if secret in answer]
    for secret in (key, session_key):
        assert secret[9:] not in written
        assert not [answer for answer in told if secret[9:] in answer]


def _story(service: Running, content: bytes) -> tuple[str, list[str]]:
    """Every kind of request, good and bad; returns the key and the texts of all error answers."""
    key = service.key()
    with service.client(key) as client:
        answers = [
            client.get("/materials"),
            client.post("/convert", files=step(content)),
            client.post("/convert", files=step(content[: len(content) // 2])),
            client.post("/convert", files=step(MARK.encode() * 100)),
            client.post("/dfm/quick-info", files=step(content, "part.glb")),
            analyzed := client.post("/dfm/analyze", files=step(content)),
            client.post("/dfm/analyze", data={"blob_url": f"http://user:{MARK}@127.0.0.1/x.step?token={MARK}"}),
            client.post("/quotes", json={"file_name": 7, "secret": MARK}),
            client.get(f"/dfm/jobs/{uuid.uuid4()}", headers={"Cookie": f"session={MARK}"}),
            client.get("/materials", params={"api_key": key}),
            client.get("/materials", headers={"X-API-Key": "svc_live_wrong"}),
            client.get("/nothing", headers={"Authorization": f"Bearer {MARK}"}),
        ]
        wait_for(client, analyzed.json()["job_id"])
    return key, [answer.text for answer in answers if answer.is_error]


def _dashboard(service: Running) -> tuple[str, str]:
    account = accounts.sign_up(service.store, f"{uuid.uuid4().hex}@example.com", PASSWORD)
    with pytest.raises(accounts.SignInRefused):
        accounts.sign_in(service.store, account.email, PASSWORD + "x")
    key = keys.create(service.store, account, "", "svc_live_")
    service.ask("/api/v1/materials", headers={"X-API-Key": key})
    return sessions.open_session(service.store, account, 1), key
