"""Rate cards that an account edited: checked when they are kept, every version kept, the newest in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound
from fettle.app.state.store import Store, rate_cards
from fettle.errors import BadRequest, CatalogFault
from fettle.plan.casting.sand import SandData
from fettle.plan.milling.cutting_data import MillingData
from fettle.plan.molding.press import MoldingData
from fettle.plan.printing.build import PrinterData
from fettle.plan.rate_card import ProcessRates, parse_rates, typed_data
from fettle.plan.sheet.planner import SheetData
from fettle.plan.turning.cutting_data import TurningData
from fettle.rules.yaml_document import read_document

PROCESS_DATA: dict[str, Any] = {
    "cnc": MillingData,
    "turning": TurningData,
    "sheet-metal": SheetData,
    "injection": MoldingData,
    "casting": SandData,
    "additive": dict[str, PrinterData],
}
"""Type of the `process_data` of each card, as its planner reads it."""
MAX_CARD_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class AccountCard:
    """A version of a card, counted from 1; no `text`: the operator's card is in force again."""

    process: str
    number: int
    text: str | None
    created_at: datetime


def keep(store: Store, account: Account, process: str, text: str, operator: ProcessRates) -> AccountCard:
    """Store the next version of a card; raises BadRequest where it is no card of the process.

    Machines and purchases keep the keys of the operator's card, because plans name them; a card with other numbers has
    another `version`, because quotes name it.
    """
    card = _parsed(process, text)
    for what, own, needed in (
        ("machines", card.machines, operator.machines),
        ("purchases", card.purchases, operator.purchases),
    ):
        missing = sorted(needed.keys() - own.keys())
        if missing:
            raise BadRequest(f"The rate card of {process} lacks {what} that plans need: {', '.join(missing)}.")
    if card.currency != operator.currency:
        raise BadRequest(f"The rate card is in {card.currency}; all prices here are in {operator.currency}.")
    if card.version == operator.version and card != operator:
        raise BadRequest(f"The rate card has changed, but its version is still {card.version!r}; give it another.")
    return _add(store, account, process, text)


def reset(store: Store, account: Account, process: str) -> AccountCard:
    """Put the operator's card in force again."""
    return _add(store, account, process, None)


def read_all(store: Store, account: Account) -> Mapping[str, ProcessRates]:
    """The account's own cards in force, by process."""
    found = {card.process: card.text for card in history(store, account)}
    return {process: _parsed(process, text) for process, text in found.items() if text is not None}


def history(store: Store, account: Account, process: str | None = None) -> list[AccountCard]:
    """Versions of the cards, the oldest first."""
    query = sa.select(rate_cards).where(rate_cards.c.account_id == account.id)
    if process is not None:
        query = query.where(rate_cards.c.process == process)
    with store.read() as connection:
        rows = connection.execute(query.order_by(rate_cards.c.process, rate_cards.c.number)).all()
    return [AccountCard(row.process, row.number, row.text, row.created_at) for row in rows]


def check_process(process: str) -> str:
    """Refuses what has no rate card."""
    if process not in PROCESS_DATA:
        raise NotFound(f"No rate card is called {process[:64]!r}.")
    return process


def _add(store: Store, account: Account, process: str, text: str | None) -> AccountCard:
    of_process = (rate_cards.c.account_id == account.id, rate_cards.c.process == process)
    with store.write() as connection:
        last = connection.scalar(sa.select(sa.func.max(rate_cards.c.number)).where(*of_process)) or 0
        kept = AccountCard(process, last + 1, text, datetime.now(UTC))
        row = {"account_id": account.id, "process": process, "number": kept.number}
        connection.execute(rate_cards.insert(), {**row, "text": text, "created_at": kept.created_at})
    return kept


@lru_cache(maxsize=64)
def _parsed(process: str, text: str) -> ProcessRates:
    """A card with its process data checked; raises BadRequest."""
    if len(text.encode()) > MAX_CARD_BYTES:
        raise BadRequest(f"The rate card has {len(text.encode())} bytes; it may have {MAX_CARD_BYTES}.")
    try:
        card = parse_rates(process, read_document(text.encode(), "the rate card"))
        typed_data(card, PROCESS_DATA[process])
    except CatalogFault as fault:
        raise BadRequest(str(fault)) from fault
    return card
