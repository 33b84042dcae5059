"""Webhooks of a service that runs: signed as the specification says, retried, once per id, to public addresses only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Thread

import httpx
import pytest
import sqlalchemy as sa

from fettle.app.access import accounts
from fettle.app.settings import Settings
from fettle.app.state.operation_tables import deliveries, webhooks
from fettle.app.state.store import Store
from fettle.app.webhooks.delivery import PAUSES, deliver_next, send
from fettle.app.webhooks.signing import signature
from tests.patience import until
from tests.web.conftest import Receiving, Running, receiving, step, wait_for

PRIVATE = [
    "http://127.0.0.1/x", "http://localhost/x", "http://127.1/x", "http://2130706433/x", "http://0x7f000001/x",
    "http://0177.0.0.1/x", "http://0/x", "http://[::1]/x", "http://[::]/x", "http://[::ffff:127.0.0.1]/x",
    "http://[::ffff:7f00:1]/x", "http://[64:ff9b::7f00:1]/x", "http://[64:ff9b::10.0.0.1]/x", "http://[fe80::1]/x",
    "http://[fe80::1%25lo]/x", "http://[fd00::1]/x", "http://[2002:7f00:1::]/x", "http://10.0.0.1/x",
    "http://172.16.0.1/x", "http://192.168.1.1/x", "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/x",
    "http://192.0.2.1/x", "http://198.18.0.1/x", "http://224.0.0.1/x", "http://255.255.255.255/x", "http://0.0.0.0/x",
    "http://127.0.0.1:80@127.0.0.1/x", "http://user:pw@1.1.1.1/x", "http://127。0。0。1/x", "http://①②⑦.0.0.1/x",
    "ftp://1.1.1.1/x", "file:///etc/passwd", "http:///x", "http://", "//1.1.1.1/x", "http://1.1.1.1:99999/x",
    "HTTP://LOCALHOST/x", "http://localhost./x", "http://[::ffff:a00:1]/x", "gopher://127.0.0.1/", "http://017700000001/x",
]  # fmt: skip


@pytest.fixture
def receiver() -> Iterator[Receiving]:
    with receiving() as started:
        yield started


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the Standard Webhooks specification."""
    made = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_job_that_ends_calls_its_owner_until_it_is_heard(
    service: Running, bracket: bytes, webhook_receiver: Receiving
) -> None:
    kind, url = webhook_receiver
    kind.statuses += [500]
    with service.client() as client, service.client() as stranger:
        made = client.post("/webhooks", json={"url": f"{url}/told?by=fettle"})
        assert made.status_code == 201, made.text
        job_id = client.post("/dfm/analyze", files=step(bracket)).json()["job_id"]
        wait_for(client, job_id)
        until(lambda: len(kind.calls) >= 2, "the call was tried again")
        broken = client.post("/dfm/analyze", files=step(bracket[: len(bracket) // 2])).json()["job_id"]
        wait_for(client, broken)
        until(lambda: len(kind.calls) >= 3, "the failure was told")
        webhook_id = made.json()["id"]
        calls = until(
            lambda: (
                [call for call in client.get(f"/webhooks/{webhook_id}/calls").json()["calls"] if call["delivered_at"]][
                    1:
                ]
                and client.get(f"/webhooks/{webhook_id}/calls").json()["calls"]
            ),
            "both are written down",
        )
        assert sorted((call["event"], call["attempts"], call["outcome"]) for call in calls) == [
            ("job.done", 2, "204"), ("job.failed", 1, "204"),
        ]  # fmt: skip
        assert "secret" not in json.dumps(client.get("/webhooks").json())
        assert stranger.get(f"/webhooks/{webhook_id}/calls").status_code == 404
        assert stranger.delete(f"/webhooks/{webhook_id}").status_code == 404
        assert client.delete(f"/webhooks/{webhook_id}").status_code == 204
        assert client.get("/webhooks").json() == {"webhooks": []}
    ids = [headers["webhook-id"] for headers, _ in kind.calls]
    assert (ids[0] == ids[1], ids[1] == ids[2]) == (True, False), "an attempt at the same call has the same id"
    for headers, body in kind.calls:
        key = base64.b64decode(made.json()["secret"].removeprefix("whsec_"))
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{expected}"
        assert abs(time.time() - int(headers["webhook-timestamp"])) < 3600
    told = [json.loads(body) for _, body in kind.calls]
    assert [(one["type"], one["data"]["job_id"], one["data"]["status"]) for one in told[1:]] == [
        ("job.done", job_id, "done"), ("job.failed", broken, "error"),
    ]  # fmt: skip
    assert told[2]["data"]["error"]


def test_private_addresses_are_refused_in_every_spelling_when_made_and_when_called(client: httpx.Client) -> None:
    for url in PRIVATE:
        answer = client.post("/webhooks", json={"url": url})
        assert (answer.status_code, answer.json()["code"]) == (422, "webhook_refused"), url
        assert send(url, b"{}", {}, ()) in ("refused", "no answer"), url
    assert client.get("/webhooks").json() == {"webhooks": []}


def test_a_name_that_turns_private_after_it_was_made_is_not_called(
    store: Store, receiver: Receiving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the name is looked up at the call, and the connection goes to the address that was checked."""
    kind, url = receiver
    due(store, url.replace("127.0.0.1", "localhost"))
    assert deliver_next(Settings(), store) is True
    assert kind.calls == []
    with store.read() as connection:
        assert connection.execute(sa.select(deliveries.c.outcome)).scalar_one() == "refused"


def due(store: Store, url: str) -> None:
    """A webhook with one call that is due."""
    owner = accounts.find_or_create(store, "owner@example.com")
    now = datetime.now(UTC)
    row = {"id": "w", "account_id": owner.id, "url": url, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
    call = {"id": "c", "webhook_id": "w", "event": "job.done", "body": "{}", "attempts": 0}
    with store.write() as connection:
        connection.execute(webhooks.insert(), {**row, "created_at": now})
        connection.execute(deliveries.insert(), {**call, "created_at": now, "next_at": now})


def test_a_call_nobody_takes_is_tried_with_growing_pauses_and_given_up(store: Store, receiver: Receiving) -> None:
    kind, url = receiver
    kind.statuses += [500] * 20
    due(store, url)
    settings = Settings(webhook_allowed_origins=(url,))
    now = datetime.now(UTC) + timedelta(seconds=1)
    for pause in PAUSES:
        assert deliver_next(settings, store, now) is True
        assert deliver_next(settings, store, now + pause - timedelta(seconds=1)) is False, (
            "not before its pause is over"
        )
        now += pause
    assert deliver_next(settings, store, now) is True
    assert deliver_next(settings, store, now + timedelta(days=30)) is False
    assert len(kind.calls) == len(PAUSES) + 1
    assert sum(PAUSES, timedelta()) < timedelta(days=1)


def test_two_workers_make_one_call(store: Store, receiver: Receiving) -> None:
    kind, url = receiver
    due(store, url)
    settings = Settings(webhook_allowed_origins=(url,))
    threads = [Thread(target=deliver_next, args=(settings, store)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kind.calls) == 1
