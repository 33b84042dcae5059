"""Accounts, sessions and keys, on both databases."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from fettle.app.access import accounts, keys, sessions
from fettle.app.access.accounts import Account, EmailTaken, SignInRefused
from fettle.app.errors import MalformedKey, MissingKey, NotFound, RevokedKey, TooManyAttempts, UnknownKey
from fettle.app.state.store import Store, metadata
from fettle.errors import BadRequest

PREFIX = "svc_live_"
PASSWORD = "correct horse battery"


def everything_stored(store: Store) -> str:
    with store.read() as connection:
        return str([connection.execute(sa.select(table)).all() for table in metadata.sorted_tables])


def test_an_owner_signs_up_and_in_and_the_case_of_the_address_does_not_matter(store: Store) -> None:
    made = accounts.sign_up(store, "Ada@Example.com ", PASSWORD)
    assert (made.email, made.plan) == ("ada@example.com", "free")
    assert accounts.sign_in(store, "ADA@example.com", PASSWORD) == made
    assert PASSWORD not in everything_stored(store)


@pytest.mark.parametrize("attempt", [("ada@example.com", "wrong horse"), ("eve@example.com", PASSWORD)])
def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(store: Store, attempt: tuple[str, str]) -> None:
    accounts.sign_up(store, "ada@example.com", PASSWORD)
    with pytest.raises(SignInRefused, match=r"^E-mail or password is wrong\.$"):
        accounts.sign_in(store, *attempt)


def test_an_account_made_by_the_operator_has_no_password_to_guess_and_cannot_be_signed_up_again(store: Store) -> None:
    accounts.find_or_create(store, "ada@example.com", "pro")
    with pytest.raises(SignInRefused):
        accounts.sign_in(store, "ada@example.com", "")
    with pytest.raises(EmailTaken):
        accounts.sign_up(store, "ada@example.com", PASSWORD)


@pytest.mark.parametrize("email", ["", "ada", "ada@", "@example.com", "ada@example", "a b@example.com", "a@b.c" * 60])
def test_what_is_no_address_is_refused(store: Store, email: str) -> None:
    with pytest.raises(BadRequest):
        accounts.sign_up(store, email, PASSWORD)


def test_a_short_password_is_refused(store: Store) -> None:
    with pytest.raises(BadRequest, match="has 9 characters; it must have from 10"):
        accounts.sign_up(store, "ada@example.com", "123456789")


def test_naming_a_plan_moves_the_account_and_not_naming_one_leaves_it(store: Store) -> None:
    assert accounts.find_or_create(store, "ada@example.com").plan == "free"
    assert accounts.find_or_create(store, "ada@example.com", "pro").plan == "pro"
    assert accounts.find_or_create(store, "ada@example.com").plan == "pro"
    assert accounts.find(store, "ada@example.com").plan == "pro"


def test_a_session_lasts_until_it_is_closed_or_over(store: Store, account: Account) -> None:
    token = sessions.open_session(store, account, days=1)
    assert sessions.find_account(store, token) == account
    assert token not in everything_stored(store)
    sessions.close_session(store, token)
    assert sessions.find_account(store, token) is None
    assert sessions.find_account(store, sessions.open_session(store, account, days=-1)) is None
    assert sessions.find_account(store, None) is None


def test_attempts_beyond_the_limit_are_refused_until_the_window_ends(store: Store) -> None:
    start = datetime(2026, 1, 1, 12, 0, 1, tzinfo=UTC)
    for _ in range(3):
        sessions.count_attempt(store, "ada@example.com", 3, start)
    with pytest.raises(TooManyAttempts) as refused:
        sessions.count_attempt(store, "ada@example.com", 3, start)
    assert refused.value.retry_after_s == 15 * 60
    sessions.count_attempt(store, "eve@example.com", 3, start)
    sessions.count_attempt(store, "ada@example.com", 3, start + timedelta(minutes=15))
    sessions.forgive_attempts(store, "eve@example.com")
    for _ in range(3):
        sessions.count_attempt(store, "eve@example.com", 3, start)


def test_a_key_has_its_form_and_is_kept_only_as_a_hash(store: Store, account: Account) -> None:
    key = keys.create(store, account, "laptop", PREFIX)
    assert re.fullmatch(r"svc_live_[A-Za-z0-9_-]{43}", key)
    assert keys.authenticate(store, key, PREFIX) == account
    (listed,) = keys.all_keys(store, account)
    assert (listed.shown, listed.name, listed.email) == (key[:15], "laptop", account.email)
    assert key[15:] not in everything_stored(store)


@pytest.mark.parametrize(
    ("sent", "refusal", "text"),
    [
        (None, MissingKey, "Missing X-API-Key header."),
        ("", MalformedKey, "Invalid API key format."),
        ("sk_live_abc", MalformedKey, "Invalid API key format."),
        ("svc_live_", UnknownKey, "Invalid API key."),
        ("svc_live_" + "A" * 43, UnknownKey, "Invalid API key."),
    ],
)
def test_the_texts_of_a_refused_key(store: Store, sent: str | None, refusal: type[Exception], text: str) -> None:
    with pytest.raises(refusal) as refused:
        keys.authenticate(store, sent, PREFIX)
    assert str(refused.value) == text


def test_a_revoked_key_is_dead_at_once_for_another_process_too(store: Store, account: Account) -> None:
    key, other = keys.create(store, account, "a", PREFIX), keys.create(store, account, "b", PREFIX)
    elsewhere = Store(store.url)
    assert keys.authenticate(elsewhere, key, PREFIX) == account
    keys.revoke_shown(store, key[:15])
    with pytest.raises(RevokedKey, match=r"^API key has been revoked\.$"):
        keys.authenticate(elsewhere, key, PREFIX)
    assert keys.authenticate(elsewhere, other, PREFIX) == account
    elsewhere.close()


def test_last_use_is_noted(store: Store, account: Account) -> None:
    key = keys.create(store, account, "", PREFIX)
    assert keys.all_keys(store)[0].last_used_at is None
    before = datetime.now(UTC)
    keys.authenticate(store, key, PREFIX)
    used = keys.all_keys(store)[0].last_used_at
    assert used is not None
    assert before <= used <= datetime.now(UTC)


def test_nobody_revokes_a_key_of_another_account(store: Store, account: Account) -> None:
    key = keys.create(store, account, "", PREFIX)
    eve = accounts.find_or_create(store, "eve@example.com")
    with pytest.raises(NotFound):
        keys.revoke(store, eve, keys.all_keys(store, account)[0].id)
    assert keys.authenticate(store, key, PREFIX) == account
    with pytest.raises(NotFound, match="fettle keys list"):
        keys.revoke_shown(store, "svc_live_nobody")
