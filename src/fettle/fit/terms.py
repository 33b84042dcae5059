"""A fit is the product of a few terms from 0 to 1, each with the measured fact behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

DECISIVE = 0.5
"""A term below this explains a low fit; a fit whose terms are all above it is explained by its leading terms."""
LEADING = 2
"""How many terms the reason of a high fit names."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`process`: key such as sheet-metal; `value`: 0 (no candidate) to 1; `reason`: one sentence with measured values."""

    process: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class Term:
    """`value` from 0 to 1; `fact`: a clause with the measured value, without a capital or a full stop."""

    value: float
    fact: str


def combine(process: str, terms: Sequence[Term]) -> Fit:
    """Multiply the terms. The reason names the first ones, or the lowest one where it decides."""
    value = math.prod(term.value for term in terms)
    lowest = min(terms, key=lambda term: term.value)
    named = [lowest] if lowest.value < DECISIVE else list(terms[:LEADING])
    reason = " and ".join(term.fact for term in named if term.fact)
    return Fit(process, min(max(value, 0.0), 1.0), f"{reason[:1].upper()}{reason[1:]}.")


def rising(value: float, low: float, high: float) -> float:
    """0 up to `low`, 1 from `high` on, linear between; 0 for nan."""
    if not value > low:
        return 0.0
    return min((value - low) / (high - low), 1.0)


def falling(value: float, low: float, high: float) -> float:
    """1 up to `low`, 0 from `high` on, linear between; 0 for nan."""
    return 0.0 if math.isnan(value) else 1.0 - rising(value, low, high)


def either(*values: float) -> float:
    """Independent pieces of evidence together: 1 minus the product of what each leaves open."""
    return 1.0 - math.prod(1.0 - value for value in values)


def percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"


def counted(number: int, noun: str) -> str:
    """`no bend`, `1 bend`, `3 bends`."""
    return f"{number or 'no'} {noun}{'s' if number > 1 else ''}"
