"""What a looser tolerance saves, against the price of a file that really asks for it."""

from __future__ import annotations

import re
from functools import cache

import pytest

import fettle
from fettle.analysis import Analysis
from fettle.plan.facts import making_facts
from fettle.quote.process_price import price_once
from fettle.quote.savings import find_savings
from fettle.rules import RuleContext, judge_module, shipped_modules
from tests.geometry.pmi_files import plate

QUANTITY = 100
IT11_UM = 90
"""ISO 286, 6 to 10 mm: what a drill holds."""


@cache
def bored_within(width_um: float) -> Analysis:
    """A plate whose file asks for a bore of 8 mm within some micrometers, and for nothing else."""
    sized = plate().toleranced().replace(b"LENGTH_MEASURE(0.036)", f"LENGTH_MEASURE({width_um / 1000})".encode())
    return fettle.analyze(fettle.read(re.sub(rb"#900(27|29|30)=[^;]*;", b"", sized), name="plate.step"))


@pytest.mark.parametrize(("grade", "width_um"), [(6, 9), (7, 15), (8, 22)])
@pytest.mark.parametrize("configuration", ["3-axis", "5-axis"])
def test_loosening_saves_the_difference_of_two_quotes(grade: int, width_um: float, configuration: str) -> None:
    tight, loose = bored_within(width_um), bored_within(IT11_UM)
    process = f"cnc:{configuration}"
    module = next(one for one in shipped_modules() if one.key == "cnc")
    (verdict,) = judge_module(RuleContext(tight), module, [configuration]).configurations
    (before,), (after,) = making_facts(tight, lambda _: None), making_facts(loose, lambda _: None)
    (saving,) = find_savings(before, process, QUANTITY, verdict)
    built = price_once(before, process, QUANTITY).unit_price - price_once(after, process, QUANTITY).unit_price
    assert built > 0
    assert saving.saves_each == built
    assert saving.message == f"Tolerance grade IT {grade} to 11 saves {built} each at {QUANTITY}."
