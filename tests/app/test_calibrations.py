"""Calibrations are kept per account, on both databases."""

from __future__ import annotations

from dataclasses import replace

from fettle.app import calibrations
from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.state.store import Store
from fettle.quote.calibration import Calibration, CalibrationBasis

MILL = Calibration("cnc:3-axis", CalibrationBasis.MINUTES, 30, 1.25, 0.8, 1.3, 0.8, 0.16, 0.27)
LATHE = Calibration("turning:bar", CalibrationBasis.PRICE, 12, 0.9, 0.85, 1.2, 0.75, 0.1, 0.14)


def test_what_was_learned_is_read_back_and_belongs_to_its_account_alone(store: Store, account: Account) -> None:
    stranger = accounts.find_or_create(store, "stranger@example.com")
    calibrations.keep(store, account, [MILL, LATHE])
    assert calibrations.read_all(store, account) == {"cnc:3-axis": MILL, "turning:bar": LATHE}
    assert calibrations.read_all(store, stranger) == {}


def test_a_later_calibration_replaces_that_of_its_process_and_leaves_the_others(store: Store, account: Account) -> None:
    calibrations.keep(store, account, [MILL, LATHE])
    again = replace(MILL, jobs=40, factor=1.3)
    calibrations.keep(store, account, [again])
    assert calibrations.read_all(store, account) == {"cnc:3-axis": again, "turning:bar": LATHE}
    assert calibrations.forget(store, account) == 2
    assert calibrations.read_all(store, account) == {}
