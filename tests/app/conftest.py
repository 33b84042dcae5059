"""An account to work with."""

from __future__ import annotations

import pytest

from fettle.app import accounts
from fettle.app.accounts import Account
from fettle.app.store import Store


@pytest.fixture
def account(store: Store) -> Account:
    return accounts.find_or_create(store, "owner@example.com")
