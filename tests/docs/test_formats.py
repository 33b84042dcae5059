"""The page of file formats follows from the table of readers."""

from __future__ import annotations

from docs.generate_formats import PAGE, page


def test_the_page_is_the_tables() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m docs.generate_formats`"
