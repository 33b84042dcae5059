"""Lines of a price for paper: equal ones together, amounts as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from fettle.app.wording import amount, cost, counted


def grouped_lines(lines: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    """What, how much, amount: a row for all lines of the same text and kind, `100 × Drill 5 mm, 10.0 deep`.

    `lines`: price lines as JSON has them.
    """
    groups: dict[tuple[str, str, float, str], list[Mapping[str, Any]]] = {}
    for line in lines:
        groups.setdefault((line["what"], line["kind"], line["count"], line["unit"]), []).append(line)
    return [_row(*key, same) for key, same in groups.items()]


def _row(what: str, kind: str, count: float, unit: str, same: list[Mapping[str, Any]]) -> list[str]:
    text = f"{what} (set up)" if kind == "setup" else what
    total = sum((Decimal(str(line["amount"])) for line in same), Decimal(0))
    return [
        f"{len(same)} × {text}" if len(same) > 1 else text,
        quantity_text(count, unit),
        cost(total, same[0]["rate"]),
    ]


def quantity_text(count: float, unit: str) -> str:
    """`10 pieces`, `1 order`, `7.491 kg`."""
    return counted(int(count), unit) if unit in ("piece", "order") else f"{amount(count)} {unit}".strip()
