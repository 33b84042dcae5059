"""Message templates: numbers that differ look different, and only placeholders are allowed in braces."""

from __future__ import annotations

import pytest

from fettle.rules.template import BadTemplate, parse_template


@pytest.mark.parametrize(
    ("text", "value", "threshold", "written"),
    [
        ("Face {fid}: {metric:.2f} of {threshold:.2f} ({n_inspected})", 0.4, 0.5, "Face 7: 0.40 of 0.50 (3)"),
        ("{metric:.0f}", 2.5, 2.5, "2"),
        ("{metric} and {threshold}", 1, 2, "1.00 and 2.00"),
        ("{metric:.2f} below {threshold:.2f}", 0.7996, 0.8, "0.7996 below 0.8000"),
        ("{metric:.0f} above {threshold:.0f}", 45.2, 45, "45.2 above 45.0"),
        ("{metric:.0f} above {threshold:.0f}", 2.5, 1.5, "2.5 above 1.5"),
        ("{metric:.2f} is {threshold:.2f}", 0.8, 0.8, "0.80 is 0.80"),
        ("nothing: {metric:.2f}", None, None, "nothing: none"),
        ("no placeholder", 1, 2, "no placeholder"),
    ],
)
def test_rendering(text: str, value: float | None, threshold: float | None, written: str) -> None:
    assert parse_template(text).render("7", value, threshold, 3) == written


@pytest.mark.parametrize(
    "text", ["{", "}", "{}", "{ fid }", "{fid}}", "{metric:.10f}", "{metric:2f}", "{threshold!s}", "{0}"]
)
def test_anything_else_in_braces_is_refused(text: str) -> None:
    with pytest.raises(BadTemplate):
        parse_template(text)
