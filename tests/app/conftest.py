"""An account to work with."""

from __future__ import annotations

import pytest

from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.state.store import Store


@pytest.fixture
def account(store: Store) -> Account:
    return accounts.find_or_create(store, "owner@example.com")
