"""The audit log, on both databases: every change of an account leaves one entry, and no secret."""

from __future__ import annotations

import pytest

from fettle.app import logs
from fettle.app.access import accounts, keys
from fettle.app.access.audit import read_entries
from fettle.app.access.meters import Meters
from fettle.app.access.plans import Meter, load_plans
from fettle.app.logs import about
from fettle.app.state.store import Store

PASSWORD = "a long password"


def test_sign_ins_keys_plans_and_passwords_leave_an_entry_each(store: Store) -> None:
    owner = accounts.sign_up(store, "ada@example.com", PASSWORD)
    with about(logs.request_id, "r1"):
        accounts.sign_in(store, owner.email, PASSWORD)
    for email in (owner.email, "nobody@example.com"):
        with pytest.raises(accounts.SignInRefused):
            accounts.sign_in(store, email, "wrong password")
    key = keys.create(store, owner, "laptop", "svc_live_")
    keys.revoke_shown(store, key[:15])
    keys.revoke(store, owner, keys.all_keys(store, owner)[0].id)  # revoked already: nothing changes
    accounts.set_plan(store, owner, "pro")
    accounts.set_overage(store, owner, False)
    accounts.set_password(store, owner, "another password")
    Meters(store, load_plans()).adjust(owner, Meter.ANALYZE, 5)
    entries = list(reversed(read_entries(store)))
    assert [(entry.action, entry.account_id == owner.id) for entry in entries] == [
        ("account_created", True),
        ("signed_in", True),
        ("sign_in_refused", True),
        ("sign_in_refused", False),
        ("key_created", True),
        ("key_revoked", True),
        ("plan_changed", True),
        ("overage_changed", True),
        ("password_changed", True),
        ("usage_adjusted", True),
    ]
    assert entries[1].request_id == "r1"
    assert entries[4].detail == {"key": key[:15]}
    assert entries[6].detail == {"before": "free", "after": "pro"}
    told = repr(entries)
    for secret in (PASSWORD, "wrong password", "another password", key, owner.email, "nobody@example.com"):
        assert secret not in told
    assert len(read_entries(store, owner.id)) == 9


def test_a_change_that_fails_leaves_no_entry(store: Store) -> None:
    accounts.sign_up(store, "ada@example.com", PASSWORD)
    with pytest.raises(accounts.EmailTaken):
        accounts.sign_up(store, "ada@example.com", PASSWORD)
    assert [entry.action for entry in read_entries(store)] == ["account_created"]
