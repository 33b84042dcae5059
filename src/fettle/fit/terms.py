"""A fit is the product of a few terms from 0 to 1, each with the measured fact behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

DECISIVE = 0.5
"""A fit below this is explained by its lowest term, one above it by its main terms."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`process`: key such as sheet-metal; `value`: 0 (no candidate) to 1; `reason`: a sentence with measured values;
    `made`: what the part is if this process makes it, such as "Bent sheet of 1.5 mm"."""

    process: str
    value: float
    reason: str
    made: str = "Part"


# not frozen, and so several times faster to make: a part has dozens
@dataclass(slots=True)
class Term:
    """`value` from 0 to 1; `fact`: a clause with the measured value, without a capital or a full stop; `main`: the
    fact explains a high fit; other facts explain only low ones."""

    value: float
    fact: str
    main: bool = False


def combine(process: str, made: str, terms: Sequence[Term]) -> Fit:
    """Multiply the terms. The reason of a low fit names the lowest one."""
    value = math.prod(term.value for term in terms)
    lowest = min(terms, key=lambda term: term.value)
    named = [lowest] if value < DECISIVE else [term for term in terms if term.main]
    reason = " and ".join(term.fact for term in named)
    return Fit(process, min(max(value, 0.0), 1.0), f"{reason[:1].upper()}{reason[1:]}.", made)


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
