"""Instances of STEP files, found in texts whose instances are counted by hand."""

from __future__ import annotations

import pytest

from fettle.geometry.pmi.instance_scan import find_instances, fingerprint_of
from fettle.geometry.pmi.part21 import Enum, Ref, StepFile, Typed, Unreadable

HEADER = b"ISO-10303-21;HEADER;FILE_NAME('of a plate');ENDSEC;DATA;"
END = b"ENDSEC;END-ISO-10303-21;"


def found(data: bytes) -> list[tuple[int, bytes, bytes]]:
    """Number, keyword and text of every instance."""
    text = HEADER + data + END
    rows = zip(*(column.tolist() for column in find_instances(text)[:4]), strict=True)
    return [(number, text[start:keyword_end], text[start:end]) for number, start, keyword_end, end in rows]


def test_instances_are_found_with_their_keywords_in_the_order_of_the_file() -> None:
    data = b"\n#7=PLANE('',#2);\r\n #2 =\tLINE_2(1.);#30=( A()B());"
    assert found(data) == [
        (7, b"PLANE", b"PLANE('',#2)"),
        (2, b"LINE_2", b"LINE_2(1.)"),
        (30, b"", b"( A()B());ENDSEC;END-ISO-10303-21;"),
    ]


def test_what_stands_in_a_string_is_no_instance() -> None:
    assert [number for number, *_ in found(b"#1=A('; #2=B(''); #3=C(');#4=D();")] == [1, 4]


def test_an_apostrophe_too_many_in_the_header_hides_nothing() -> None:
    text = HEADER.replace(b"of a", b"of Bob's") + b"#1=A('x');#2=B();" + END
    assert find_instances(text).number.tolist() == [1, 2]


def test_what_only_begins_like_an_instance_is_none() -> None:
    assert [number for number, *_ in found(b"#=A();#1 B();#2=C();#1000000000000000000000=D();#3=E();;#")] == [2, 3]


def test_more_instances_than_were_counted_on_are_found() -> None:
    assert [number for number, *_ in found(b"".join(b"#%d=A();" % number for number in range(1, 3001)))] == list(
        range(1, 3001)
    )


def test_fingerprints_are_those_of_fnv() -> None:
    """Published values of FNV-1a in 64 bits."""
    assert fingerprint_of("") == 0xCBF29CE484222325
    assert find_instances(HEADER + b"#1=A();").fingerprint.tolist() == [fingerprint_of("A")]
    assert fingerprint_of("A") == (0xCBF29CE484222325 ^ ord("A")) * 0x100000001B3 % 2**64


def test_values_are_told_apart_by_how_they_begin() -> None:
    file = StepFile(HEADER + b"#1=A('it''s; (1)', #2 ,.T., $,*,-1.5E-3,.5,(3,#4),LENGTH_MEASURE(2.));" + END)
    assert file[1].parts == {
        "A": ["it's; (1)", Ref(2), Enum("T"), None, None, -0.0015, 0.5, [3.0, Ref(4)], Typed("LENGTH_MEASURE", [2.0])]
    }


@pytest.mark.parametrize("value", ["#", "-", "'open", ".", ".5-.", "(", ")", "?", "1.2.3"])
def test_a_damaged_value_makes_its_instance_unreadable(value: str) -> None:
    with pytest.raises(Unreadable):
        StepFile(HEADER + f"#1=A({value});".encode() + END)[1]
