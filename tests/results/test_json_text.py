"""The writers of JSON against the standard library's."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    | st.integers(-(2**63), 2**63 - 1)  # larger ones are refused
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))  # lone surrogates have no UTF-8
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(VALUES)
def test_the_standard_library_reads_the_same_value(value: object) -> None:
    """Its texts differ in the exponents of numbers alone: 1e-07 and 1e-7."""
    for text in (indented(value), encode(value).decode()):
        assert repr(json.loads(text)) == repr(value)
    standard = json.dumps(value, indent=2)
    assert indented(value).count("\n") == standard.count("\n")
    assert indented(value).isascii()


@pytest.mark.parametrize("text", ["Ø 5", "\u20ac", "\U0001d11e and \U0010ffff", '"\\\x00\n'])
def test_people_get_what_the_standard_library_writes(text: str) -> None:
    value = {text: [text, {"a": [], "b": {}}]}
    assert indented(value) == json.dumps(value, indent=2)


@pytest.mark.parametrize("before", range(4))
def test_no_character_of_a_long_text_is_cut_in_two(before: int) -> None:
    value = "x" * before + "\U0001d11e\u20acØ" * 400 + "plain " * 400 + "°"
    assert indented(value) == json.dumps(value)


class Word(StrEnum):
    CUT = "Ø cut"


@pytest.mark.parametrize("value", [np.float64(0.1), Word.CUT, IntEnum("Code", "ONE").ONE])
def test_values_of_derived_types_are_written_as_their_base(value: object) -> None:
    for held in (value, [value], {"a": value}):
        assert indented(held) == json.dumps(held, indent=2)
        assert encode(held).decode() == json.dumps(held, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Place(Record):
    """A record inside another."""

    point: Annotated[tuple[float, float, float] | None, "A point."]
    wall_mm: Annotated[float | None, "A number, or none."]
    area_mm2: Annotated[float, "A number."]
    holds: Annotated[bool, "Yes or no."]
    words: Annotated[Mapping[str, Any], "Anything."]


@dataclass(frozen=True, slots=True)
class Plan(Record):
    """A record that holds others, at two depths."""

    name: Annotated[str, "In any language."]
    mode: Annotated[Literal["up", "down"], "One of two words."]
    first: Annotated[Place | None, "One."]
    places: Annotated[tuple[Place, ...], "Several."]


PLACE = Place((0.0, 1.0, 2.5), 1.0, 2.0, True, {"whole": 1, "float": 1.0, "true": True, "list": [1, 1.0, -0.0]})
PLAN = Plan(
    'Ø 5 "x" {start}',
    "up",
    PLACE,
    (replace(PLACE, words={}), replace(PLACE, point=(-0.0, 0.0, 1.0)), replace(PLACE, point=None, wall_mm=None)),
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
    assert indented(value) == json.dumps(plain, indent=2)
    assert encode(value).decode() == json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def test_numbers_that_are_finite_are_written_whatever_they_sum_to() -> None:
    largest = sys.float_info.max
    assert replace(PLACE, point=(largest, largest, -largest)).to_dict()["point"] == [largest, largest, -largest]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_record_with_a_number_that_is_not_finite_is_refused(number: float) -> None:
    """Wherever it stands: JSON has no word for it, and null would say that nothing was measured."""
    for changes in (
        {"point": (0.0, number, 0.0)},
        {"wall_mm": number},
        {"area_mm2": number},
        {"words": {"deep": [{"inside": (1.0, number)}]}},
    ):
        place = replace(PLACE, **changes)
        for held in (place, replace(PLAN, places=(place,))):
            for write in (encode, indented, Record.to_dict):
                with pytest.raises(ValueError, match="has no JSON"):
                    write(held)
