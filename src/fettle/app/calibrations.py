"""Calibrations of an account: kept once learned, read at every price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.state.store import Store, calibrations
from fettle.quote.calibration import Calibration, CalibrationBasis


def keep(store: Store, account: Account, learned: Sequence[Calibration]) -> None:
    """Store calibrations; those of the same machine or process are replaced."""
    now = datetime.now(UTC)
    with store.write() as connection:
        for one in learned:
            same = (calibrations.c.account_id == account.id, calibrations.c.key == one.key)
            connection.execute(sa.delete(calibrations).where(*same))
            row = {**asdict(one), "basis": one.basis.value, "account_id": account.id, "created_at": now}
            connection.execute(calibrations.insert(), row)


def read_all(store: Store, account: Account) -> Mapping[str, Calibration]:
    """The account's calibrations by machine or process."""
    query = sa.select(calibrations).where(calibrations.c.account_id == account.id).order_by(calibrations.c.key)
    with store.read() as connection:
        rows = connection.execute(query).all()
    return {
        row.key: Calibration(
            key=row.key,
            basis=CalibrationBasis(row.basis),
            jobs=row.jobs,
            factor=row.factor,
            low=row.low,
            high=row.high,
            covered=row.covered,
            error=row.error,
            error_before=row.error_before,
        )
        for row in rows
    }


def forget(store: Store, account: Account) -> int:
    """Delete the account's calibrations; returns how many there were."""
    with store.write() as connection:
        return connection.execute(sa.delete(calibrations).where(calibrations.c.account_id == account.id)).rowcount
