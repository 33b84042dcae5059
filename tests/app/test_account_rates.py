"""Rate cards of an account: checked, versioned, and the account's alone."""

from __future__ import annotations

from importlib.resources import files

import pytest

from fettle.app import account_rates
from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.state.store import Store
from fettle.errors import BadRequest
from fettle.plan.processes import PLANNERS
from fettle.plan.rate_card import shipped_rates

TEXT = (files("fettle") / "data" / "rates" / "additive.yaml").read_text(encoding="utf-8")
SHIPPED = shipped_rates("additive")
NAMED = TEXT.replace(f"version: {SHIPPED.version}", "version: ours-1")


def test_every_process_with_a_planner_has_a_checked_card() -> None:
    assert account_rates.PROCESS_DATA.keys() == PLANNERS.keys()


def test_the_newest_version_is_in_force_for_its_account_alone(store: Store, account: Account) -> None:
    stranger = accounts.find_or_create(store, "stranger@example.com")
    account_rates.keep(store, account, "additive", NAMED, SHIPPED)
    second = NAMED.replace("ours-1", "ours-2")
    assert account_rates.keep(store, account, "additive", second, SHIPPED).number == 2
    assert account_rates.read_all(store, account)["additive"].version == "ours-2"
    assert account_rates.read_all(store, stranger) == {}
    account_rates.reset(store, account, "additive")
    assert account_rates.read_all(store, account) == {}
    assert [one.number for one in account_rates.history(store, account, "additive")] == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "neither YAML nor JSON"),
        ("{}", "cannot be used"),
        (NAMED.replace("  wire-saw:", "  band-saw:"), "lacks machines that plans need: wire-saw"),
        (NAMED.replace("currency: USD", "currency: EUR"), "all prices here are in USD"),
        (NAMED.replace("process: additive", "process: cnc"), "card of 'cnc'"),
        (TEXT.replace("rate_per_hour: 3.00", "rate_per_hour: 4.00"), "give it another"),
        (NAMED.replace("rate_per_hour: 3.00", "rate_per_hour: -4"), "rate_per_hour"),
        (NAMED + "#" * account_rates.MAX_CARD_BYTES, "bytes; it may have"),
    ],
)
def test_what_is_no_card_of_the_process_is_refused(store: Store, account: Account, text: str, says: str) -> None:
    assert text != NAMED
    with pytest.raises(BadRequest, match=says):
        account_rates.keep(store, account, "additive", text, SHIPPED)
    assert account_rates.history(store, account) == []
