"""The benchmark page: every benchmark stands on it once, and it is what its stored figures say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS
from benchmarks.report import figures, page
from benchmarks.report.__main__ import PAGE
from benchmarks.report.figures import Figures
from benchmarks.report.sections import CHAPTERS
from benchmarks.table import Table

SMALL = Table("Two parts", ("part", "mm"), (("a_1", "0.5"), ("b|c", "12.0")), ("All < 13.",))


def test_every_benchmark_stands_on_the_page_once() -> None:
    assert Counter(section.benchmark for sections in CHAPTERS.values() for section in sections) == Counter(BENCHMARKS)


def test_the_page_is_written_from_its_stored_figures() -> None:
    assert PAGE.read_text(encoding="utf-8") == page.render(figures.read())


def test_a_table_on_a_terminal_has_aligned_columns() -> None:
    assert SMALL.text().splitlines() == ["Two parts", "part    mm", "a_1    0.5", "b|c   12.0", "All < 13."]


def test_a_table_in_markdown_keeps_its_cells_apart() -> None:
    assert SMALL.markdown().splitlines() == [
        *("**Two parts**", "", "| part | mm |", "| --- | --: |"),
        *("| a_1 | 0.5 |", "| b\\|c | 12.0 |", "", "All &lt; 13."),
    ]


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="2 columns, but a row is"):
        Table("Two parts", ("part", "mm"), (("a", "0.5", "more"),))


def test_figures_are_kept_from_run_to_run(tmp_path: Path) -> None:
    measured = {"rules": Figures((SMALL,), "2026-01-02", "abc", "2 cores", 0.3, 2, 4.0)}
    figures.write(measured, tmp_path / "figures.json")
    assert figures.read(tmp_path / "figures.json") == measured
    assert figures.read(tmp_path / "none.json") == {}


@pytest.mark.parametrize(("load", "is_said"), [(0.9, False), (1.1, True)])
def test_times_of_a_busy_machine_are_marked(load: float, is_said: bool) -> None:
    """Above half a process for each of two cores."""
    one = Figures((SMALL,), "2026-01-02", "abc", "2 cores", load, 2, 4.0)
    assert ("Other work ran on the machine" in page.render({"rules": one})) == is_said
    assert "Other work ran on the machine" not in page.render({"labeled": one})
