"""What a headline says of shipped packs: the configuration that a shop takes first, corners that are sharp,
and that of sealed cavities none is allowed."""

from __future__ import annotations

from fettle.app.build_result import Process, build_result
from fettle.rules import shipped_modules
from tests.rules.conftest import Analyzer
from tests.rules.seeded.additive import bracket
from tests.rules.seeded.case import box, cut
from tests.rules.seeded.cnc import BLOCK, pocketed

MODULES = {module.key: module for module in shipped_modules()}


def headline(analyzed: Analyzer, module: str, recipe: dict[str, object]) -> str:
    return build_result(analyzed(recipe).analysis, "", [Process(MODULES[module])]).headline


def test_a_printed_bracket_is_printed_in_filament(analyzed: Analyzer) -> None:
    assert "(Filament, FDM)" in headline(analyzed, "additive", bracket(3.0))


def test_a_wall_too_thin_for_filament_names_the_process_that_prints_it(analyzed: Analyzer) -> None:
    """0.42 mm: below 0.45 for filament and 0.5 for resin, above 0.4 for metal powder."""
    assert "(Metal powder bed, DMLS)" in headline(analyzed, "additive", bracket(0.42))


def test_a_sharp_corner_is_called_sharp(analyzed: Analyzer) -> None:
    said = headline(analyzed, "cnc", pocketed(8, 0))
    assert said.endswith("CNC machining (3-axis mill) fails on radius of inside corners (sharp).")


def test_two_sealed_cavities_are_two_where_none_may_be(analyzed: Analyzer) -> None:
    hollow = cut(cut(BLOCK, box(5, 5, 5, (5, 5, 5))), box(5, 5, 5, (25, 25, 25)))
    assert "fails on one solid without sealed cavities (2), " in headline(analyzed, "cnc", hollow)
