"""Meters: counted once, capped exactly, given back, whoever races. On both databases."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest

from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.access.meters import Meters, current_period
from fettle.app.access.plans import Meter, load_plans
from fettle.app.errors import QuotaExceeded
from fettle.app.state.store import Store

PLANS = load_plans()


@pytest.fixture
def meters(store: Store) -> Meters:
    return Meters(store, PLANS)


@pytest.mark.parametrize(
    ("plan", "quick_info", "analyze"),
    [("free", 1000, 100), ("starter", 1000, 100), ("pro", 50_000, 5_000), ("enterprise", 1_000_000, 100_000)],
)
def test_included_units_of_the_plans(plan: str, quick_info: int, analyze: int) -> None:
    assert PLANS[plan].included == {Meter.QUICK_INFO: quick_info, Meter.ANALYZE: analyze}


def test_a_unit_is_counted_on_its_own_meter(meters: Meters, account: Account) -> None:
    taken = meters.take_one(account, Meter.ANALYZE)
    assert (taken.used, taken.included, taken.remaining, taken.tier) == (1, 100, 99, "free")
    assert meters.read(account, Meter.QUICK_INFO).used == 0


def test_the_free_plan_ends_at_its_cap(meters: Meters, account: Account) -> None:
    meters.adjust(account, Meter.ANALYZE, 99)
    last = meters.take_one(account, Meter.ANALYZE)
    assert (last.used, last.remaining) == (100, 0)
    with pytest.raises(QuotaExceeded, match=r"^API quota exceeded for this billing period\.$"):
        meters.take_one(account, Meter.ANALYZE)
    with pytest.raises(QuotaExceeded):
        meters.check(account, last)
    assert meters.read(account, Meter.ANALYZE).used == 100


def test_a_unit_is_gone_with_the_transaction_it_was_taken_in(store: Store, meters: Meters, account: Account) -> None:
    def take_and_fail() -> None:
        with store.write() as connection:
            meters.take(connection, account, Meter.ANALYZE)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        take_and_fail()
    assert meters.read(account, Meter.ANALYZE).used == 0


def test_paid_plans_go_on_beyond_the_cap_unless_overage_is_off(store: Store, meters: Meters) -> None:
    starter = accounts.find_or_create(store, "s@example.com", "starter")
    meters.adjust(starter, Meter.ANALYZE, 100)
    beyond = meters.take_one(starter, Meter.ANALYZE)
    assert (beyond.used, beyond.remaining, beyond.overage) == (101, 0, 1)
    starter = accounts.set_overage(store, starter, enabled=False)
    with pytest.raises(QuotaExceeded):
        meters.take_one(starter, Meter.ANALYZE)


def test_a_period_is_a_calendar_month_in_utc() -> None:
    last_hour_in_tokyo = datetime(2026, 2, 1, 8, 59, tzinfo=timezone(timedelta(hours=9)))
    assert current_period(last_hour_in_tokyo) == "2026-01"
    assert current_period(datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)) == "2026-12"


def _race(url: str, account: Account, tries: int) -> list[int]:
    store = Store(url)
    meters = Meters(store, PLANS)
    taken = []
    for _ in range(tries):
        try:
            taken.append(meters.take_one(account, Meter.QUICK_INFO).used)
        except QuotaExceeded:
            taken.append(0)
    store.close()
    return taken


@pytest.mark.slow
def test_five_hundred_calls_racing_at_the_cap_from_four_processes(
    store: Store, meters: Meters, account: Account
) -> None:
    meters.adjust(account, Meter.QUICK_INFO, 800)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fettle.app.access.meters", "fettle.app.state.store"])
    with ProcessPoolExecutor(4, mp_context=context) as pool:
        runs = [pool.submit(_race, store.url, account, 125) for _ in range(4)]
        taken = Counter(number for run in runs for number in run.result())
    assert taken.pop(0) == 300
    assert taken == Counter(range(801, 1001))
    assert meters.read(account, Meter.QUICK_INFO).used == 1000
