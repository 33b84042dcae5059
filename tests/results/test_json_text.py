"""The writers of JSON against the standard library's."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fettle.results.json_text import encode, indented
from fettle.results.record import Record

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))  # lone surrogates have no UTF-8
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner)
)


@given(VALUES)
def test_it_writes_what_the_standard_library_writes(value: object) -> None:
    assert indented(value) == json.dumps(value, indent=2)
    assert encode(value).decode() == json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Word(StrEnum):
    CUT = "Ø cut"


@pytest.mark.parametrize("value", [np.float64(0.1), Word.CUT, IntEnum("Code", "ONE").ONE])
def test_values_of_derived_types_are_written_as_their_base(value: object) -> None:
    for held in (value, [value], {"a": value}):
        assert indented(held) == json.dumps(held, indent=2)
        assert encode(held).decode() == json.dumps(held, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    for write in (encode, indented):
        with pytest.raises(ValueError, match="no JSON"):
            write({"a": [number]})


@dataclass(frozen=True, slots=True)
class Place(Record):
    """A record inside another, with values that are equal or the same object in several places."""

    point: Annotated[tuple[float, float, float] | None, "A point."]
    holds: Annotated[bool, "Yes or no."]
    words: Annotated[Mapping[str, Any], "Anything."]


@dataclass(frozen=True, slots=True)
class Plan(Record):
    """A record that holds others, at two depths."""

    name: Annotated[str, "In any language."]
    mode: Annotated[Literal["up", "down"], "One of two words."]
    first: Annotated[Place | None, "One."]
    places: Annotated[tuple[Place, ...], "Several."]


SHARED = (0.0, 1.0, 1e-7)
EQUAL_NUMBERS = (-0.0, 0.0, 1.0)
PLAN = Plan(
    'Ø 5 "x" {start}',
    "up",
    Place(SHARED, True, {"whole": 1, "float": 1.0, "true": True, "list": [1, 1.0, -0.0], "none": {}}),
    (Place(SHARED, False, {}), Place(EQUAL_NUMBERS, True, {"at": SHARED}), Place(None, True, {"": ()})),
)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (PLAN, PLAN.to_dict()),
        ((PLAN, PLAN), [PLAN.to_dict(), PLAN.to_dict()]),
        ({"of": [PLAN.places, PLAN]}, {"of": [PLAN.to_dict()["places"], PLAN.to_dict()]}),
    ],
)
def test_a_record_is_written_as_its_dict(value: object, plain: object) -> None:
    """Also where one tuple stands at two depths, and where numbers are equal and their texts are not."""
    assert indented(value) == json.dumps(plain, indent=2)
    assert encode(value).decode() == json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
