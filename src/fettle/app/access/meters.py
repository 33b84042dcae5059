"""Meters: how many units of a product an account used this calendar month (UTC).

A unit is taken in one atomic statement, so that at the cap exactly the included number of calls passes, however many
race. It is taken when the work is done or, for a job, with the order: a call that is refused or fails has taken none.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.access import audit
from fettle.app.access.accounts import Account
from fettle.app.access.audit import Action
from fettle.app.access.plans import Meter, Overage, Plan
from fettle.app.errors import QuotaExceeded
from fettle.app.state.store import Store, insert_into, jobs, meter_days, meters
from fettle.errors import BadRequest


@dataclass(frozen=True, slots=True)
class Reading:
    """A meter of an account: units used in `period` (YYYY-MM), and the included number on its plan."""

    meter: Meter
    period: str
    used: int
    included: int
    tier: str

    @property
    def remaining(self) -> int:
        return max(0, self.included - self.used)

    @property
    def overage(self) -> int:
        return max(0, self.used - self.included)


@dataclass(frozen=True, slots=True)
class Day:
    """Units used on a day (YYYY-MM-DD)."""

    day: str
    used: int


def current_period(now: datetime | None = None) -> str:
    """The calendar month in UTC."""
    return (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m")


def give_back(connection: Connection, job_id: str) -> None:
    """Give the unit of a job back to the month and day that it was counted in; nothing where it was not counted, or the
    operator has set the meter to 0 since."""
    row = connection.execute(
        sa.select(jobs.c.account_id, jobs.c.created_at).where(jobs.c.id == job_id, jobs.c.metered)
    ).one_or_none()
    if row is None:
        return
    for table, when in (
        (meters, meters.c.period == current_period(row.created_at)),
        (meter_days, meter_days.c.day == f"{row.created_at:%Y-%m-%d}"),
    ):
        taken = (table.c.account_id == row.account_id, table.c.meter == Meter.ANALYZE.value, when, table.c.used > 0)
        connection.execute(table.update().where(*taken).values(used=table.c.used - 1))


class Meters:
    """The meters of every account, counted against these plans."""

    def __init__(self, store: Store, plans: Mapping[str, Plan]) -> None:
        self._store = store
        self._plans = plans

    def take(self, connection: Connection, account: Account, meter: Meter) -> Reading:
        """Count one unit in the caller's transaction; refuses at the cap. The unit is gone if that rolls back."""
        period, included = current_period(), self._included(account, meter)
        first = insert_into(connection, meters).values(account_id=account.id, meter=meter.value, period=period, used=1)
        capped = not self._beyond(account)
        if capped and included < 1:
            raise QuotaExceeded
        counted = first.on_conflict_do_update(
            index_elements=[meters.c.account_id, meters.c.meter, meters.c.period],
            set_={"used": meters.c.used + 1},
            where=meters.c.used < included if capped else None,
        ).returning(meters.c.used)
        used = connection.execute(counted).scalar_one_or_none()
        if used is None:
            raise QuotaExceeded
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        connection.execute(
            insert_into(connection, meter_days)
            .values(account_id=account.id, meter=meter.value, day=day, used=1)
            .on_conflict_do_update(
                index_elements=[meter_days.c.account_id, meter_days.c.meter, meter_days.c.day],
                set_={"used": meter_days.c.used + 1},
            )
        )
        return Reading(meter, period, used, included, account.plan)

    def take_one(self, account: Account, meter: Meter) -> Reading:
        """Count one unit in a transaction of its own."""
        with self._store.write() as connection:
            return self.take(connection, account, meter)

    def read(self, account: Account, meter: Meter) -> Reading:
        """The current reading."""
        period = current_period()
        query = sa.select(meters.c.used).where(
            meters.c.account_id == account.id, meters.c.meter == meter.value, meters.c.period == period
        )
        with self._store.read() as connection:
            used = connection.execute(query).scalar_one_or_none() or 0
        return Reading(meter, period, used, self._included(account, meter), account.plan)

    def by_day(self, account: Account, meter: Meter) -> list[Day]:
        """Every day of the current period, the coming ones too."""
        period = current_period()
        query = sa.select(meter_days.c.day, meter_days.c.used).where(
            meter_days.c.account_id == account.id,
            meter_days.c.meter == meter.value,
            meter_days.c.day.startswith(period),
        )
        with self._store.read() as connection:
            used = {row.day: row.used for row in connection.execute(query)}
        length = monthrange(int(period[:4]), int(period[5:]))[1]
        days = [f"{period}-{number:02d}" for number in range(1, length + 1)]
        return [Day(day, used.get(day, 0)) for day in days]

    def check(self, account: Account, reading: Reading) -> None:
        """Raise QuotaExceeded when no unit is left, before a file is uploaded in vain. Only `take` decides."""
        if reading.remaining == 0 and not self._beyond(account):
            raise QuotaExceeded

    def adjust(self, account: Account, meter: Meter, used: int) -> Reading:
        """For operators: set the units used in this period."""
        if used < 0:
            raise BadRequest(f"used is {used}; it cannot be below 0.")
        period = current_period()
        with self._store.write() as connection:
            connection.execute(
                insert_into(connection, meters)
                .values(account_id=account.id, meter=meter.value, period=period, used=used)
                .on_conflict_do_update(
                    index_elements=[meters.c.account_id, meters.c.meter, meters.c.period], set_={"used": used}
                )
            )
            audit.record(connection, Action.USAGE_ADJUSTED, account.id, meter=meter.value, used=used)
        return self.read(account, meter)

    def _included(self, account: Account, meter: Meter) -> int:
        return self._plans[account.plan].included[meter]

    def _beyond(self, account: Account) -> bool:
        """Whether calls beyond the included units are taken."""
        return account.overage_enabled and self._plans[account.plan].overage is not Overage.REFUSED
