"""Counts and amounts as people write them: `1 body`, `2 bodies`, `14,645`."""

from __future__ import annotations


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
