"""What makes a quote a letter to a customer: who and what it is for, until when it holds, other quantities, terms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.access.preferences import Preferences
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import PriceablePart
from fettle.app.pricing.terms import PricingTerms
from fettle.app.state.dashboard_tables import quote_letters
from fettle.app.state.store import Store, insert_into
from fettle.errors import BadRequest
from fettle.quote.lines import LARGEST_QUANTITY, SMALLEST_QUANTITY

VALID = timedelta(days=30)
"""How long a quote holds unless another date is given."""
MOST_BREAKS = 8
LIMITS = {"customer": 200, "reference": 100, "notes": 4000}
"""Longest texts."""


@dataclass(frozen=True, slots=True)
class QuantityBreak:
    """The price of another quantity, finishes included."""

    quantity: int
    unit_price: Decimal
    total_price: Decimal
    lead_time_days: int


@dataclass(frozen=True, slots=True)
class LetterRequest:
    """What the writer of a quote says. `breaks`: other quantities to be priced."""

    customer: str = ""
    reference: str = ""
    valid_until: date | None = None
    notes: str = ""
    breaks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class QuoteLetter:
    """A letter as it is stored; `seller` and `terms` as the account had them when it was written."""

    customer: str
    reference: str
    valid_until: date
    notes: str
    seller: str
    terms: str
    breaks: tuple[QuantityBreak, ...]

    @property
    def has_expired(self) -> bool:
        return self.valid_until < datetime.now(UTC).date()


def read_breaks(text: str) -> tuple[int, ...]:
    """Quantities written with spaces or commas between them, ascending; BadRequest for anything else."""
    words = text.replace(",", " ").replace(";", " ").split()
    for word in words:
        if not word.isdecimal() or not SMALLEST_QUANTITY <= int(word) <= LARGEST_QUANTITY:
            raise BadRequest(
                f"{word[:20]!r} is no quantity; write whole numbers from {SMALLEST_QUANTITY} to {LARGEST_QUANTITY:,}."
            )
    numbers = sorted({int(word) for word in words})
    if len(numbers) > MOST_BREAKS:
        raise BadRequest(f"{len(numbers)} other quantities are given; a quote shows at most {MOST_BREAKS}.")
    return tuple(numbers)


def price_breaks(
    part: PriceablePart, order: OrderRequest, quantities: tuple[int, ...], terms: PricingTerms
) -> tuple[QuantityBreak, ...]:
    """The same order at other quantities."""
    priced = [
        price_part(part, OrderRequest(order.process, number, order.material, order.finishes), terms)
        for number in quantities
    ]
    return tuple(QuantityBreak(one.quantity, one.unit_price, one.total_price, one.lead_time_days) for one in priced)


def check(request: LetterRequest) -> None:
    """Refuses texts that are too long and dates that have passed."""
    for name, most in LIMITS.items():
        text = getattr(request, name)
        if len(text) > most:
            raise BadRequest(f"{name.capitalize()} has {len(text):,} characters; it may have {most:,}.")
    today = datetime.now(UTC).date()
    if request.valid_until is not None and request.valid_until < today:
        raise BadRequest(f"The quote would hold until {request.valid_until}, which has passed; today is {today}.")


def keep(
    store: Store, quote_id: str, request: LetterRequest, chosen: Preferences, breaks: tuple[QuantityBreak, ...]
) -> QuoteLetter:
    """Store the letter of a quote of the caller's own, or what was changed of it."""
    with store.write() as connection:
        return write(connection, quote_id, request, chosen, breaks)


def write(
    connection: Connection,
    quote_id: str,
    request: LetterRequest,
    chosen: Preferences,
    breaks: tuple[QuantityBreak, ...] = (),
) -> QuoteLetter:
    """The same within a transaction of the caller's."""
    check(request)
    until = request.valid_until or (datetime.now(UTC) + VALID).date()
    texts = (request.customer.strip(), request.reference.strip(), until, request.notes.strip())
    letter = QuoteLetter(*texts, chosen.quote_name, chosen.quote_terms, breaks)
    values = {
        "customer": letter.customer,
        "reference": letter.reference,
        "valid_until": letter.valid_until,
        "notes": letter.notes,
        "seller": letter.seller,
        "terms": letter.terms,
        "breaks": [
            [one.quantity, str(one.unit_price), str(one.total_price), one.lead_time_days] for one in letter.breaks
        ],
    }
    connection.execute(
        insert_into(connection, quote_letters)
        .values(quote_id=quote_id, **values)
        .on_conflict_do_update(index_elements=[quote_letters.c.quote_id], set_=values)
    )
    return letter


def read_all(store: Store, quote_ids: list[str]) -> dict[str, QuoteLetter]:
    """The letters of these quotes, by quote; one that was made over the API may have none."""
    query = sa.select(quote_letters).where(quote_letters.c.quote_id.in_(quote_ids))
    with store.read() as connection:
        rows = connection.execute(query).all()
    return {
        row.quote_id: QuoteLetter(
            customer=row.customer,
            reference=row.reference,
            valid_until=row.valid_until,
            notes=row.notes,
            seller=row.seller,
            terms=row.terms,
            breaks=tuple(
                QuantityBreak(number, Decimal(each), Decimal(total), days) for number, each, total, days in row.breaks
            ),
        )
        for row in rows
    }


def read(store: Store, quote_id: str) -> QuoteLetter | None:
    return read_all(store, [quote_id]).get(quote_id)
