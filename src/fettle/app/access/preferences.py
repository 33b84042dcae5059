"""What an account chose for itself: how long analyses are kept, what quotes say, whether it sees its margin."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.state.dashboard_tables import account_settings
from fettle.app.state.store import Store, insert_into
from fettle.errors import BadRequest

LONGEST_NAME = 200
LONGEST_TERMS = 4000
TERMS = (
    "Prices are net, without value added tax and shipping. The lead time counts in working days from the order. "
    "Tolerances are those of the drawing; without one, ISO 2768-m applies."
)
"""What a quote says until the account writes its own terms."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """`retention_days`: how long a finished analysis is kept, None for the operator's period; `shows_margin`: on the
    account's own pages, never in what it sends; `quote_name`, `quote_terms`: sender and terms of new quotes."""

    retention_days: float | None = None
    shows_margin: bool = False
    quote_name: str = ""
    quote_terms: str = TERMS


def read(store: Store, account: Account) -> Preferences:
    """The account's choices, or the usual ones."""
    with store.read() as connection:
        query = sa.select(account_settings).where(account_settings.c.account_id == account.id)
        row = connection.execute(query).one_or_none()
    if row is None:
        return Preferences()
    return Preferences(row.retention_days, row.shows_margin, row.quote_name, row.quote_terms)


def keep(store: Store, account: Account, chosen: Preferences, longest_days: float) -> None:
    """Store the choices; BadRequest where one is out of its range. `longest_days`: the operator's limit."""
    days = chosen.retention_days
    if days is not None and not 1 <= days <= longest_days:
        raise BadRequest(f"Analyses can be kept from 1 to {longest_days:g} days here; {days:g} were asked for.")
    for what, text, most in (
        ("The name", chosen.quote_name, LONGEST_NAME),
        ("The text of the terms", chosen.quote_terms, LONGEST_TERMS),
    ):
        if len(text) > most:
            raise BadRequest(f"{what} has {len(text):,} characters; it may have {most:,}.")
    values = asdict(chosen)
    with store.write() as connection:
        connection.execute(
            insert_into(connection, account_settings)
            .values(account_id=account.id, **values)
            .on_conflict_do_update(index_elements=[account_settings.c.account_id], set_=values)
        )
