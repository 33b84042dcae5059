"""Counts, amounts, durations and costs as people write them: `1 body`, `2 bodies`, `14,645`, `4.2 s`, `< 0.01`."""

from __future__ import annotations

from decimal import Decimal


def counted(number: int, noun: str) -> str:
    """`1 hole`, `2 holes`, `2 bodies`, `2 days`, `2 bosses`."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}es" if noun.endswith("s") else f"{number:,} {noun}s"


def amount(value: float) -> str:
    """Four significant digits; from 1,000 on whole numbers with separators, never an exponent."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def duration(minutes: float) -> str:
    """`2.50 min`; below a minute in seconds, `4.2 s`, so that a short operation is not 0.00."""
    return f"{minutes:.2f} min" if minutes >= 1 else f"{float(f'{minutes * 60:.2g}'):g} s"


def cost(money: Decimal, rate: object) -> str:
    """Two decimals; what has a rate and comes to less than half a cent is `< 0.01`."""
    return "< 0.01" if rate and money == 0 else f"{money:,.2f}"


def deviation(length_mm: float) -> str:
    """`at most 0.012 mm`; what no shop measures is `less than 0.001 mm`, never an exponent."""
    return f"at most {length_mm:.2g} mm" if length_mm >= 0.001 else "less than 0.001 mm"
