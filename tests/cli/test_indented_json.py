"""The indented writer against the standard library's."""

from __future__ import annotations

import json
import math
from enum import IntEnum, StrEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fettle.cli.formats.indented_json import indented

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner)
)


@given(VALUES)
def test_it_writes_what_the_standard_library_writes(value: object) -> None:
    assert indented(value) == json.dumps(value, indent=2)


class Word(StrEnum):
    CUT = "cut"


@pytest.mark.parametrize("value", [np.float64(0.1), Word.CUT, IntEnum("Code", "ONE").ONE])
def test_values_of_derived_types_are_written_as_their_base(value: object) -> None:
    for held in (value, [value], {"a": value}):
        assert indented(held) == json.dumps(held, indent=2)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        indented({"a": [number]})
