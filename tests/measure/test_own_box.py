"""Size of a body along its own axes, in any position."""

from __future__ import annotations

import pytest

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.measure.own_box import own_size_mm
from tests.assemblies import BRACKET, HEX_BOLT, PLATE, SPACER

WEDGE: CsgNode = {
    "turn": {"of": {"prism": {"points": [[0, 0], [60, 0], [0, 25]], "h": 20}}, "axis": [1, 0, 0], "deg": 90}
}
"""A ramp: its largest side is aslant, its box is that of the other sides."""


@pytest.mark.parametrize(
    ("recipe", "size_mm"),
    [
        (BRACKET, [60, 40, 50]),
        (PLATE, [80, 60, 6]),
        (SPACER, [14, 14, 20]),
        (WEDGE, [60, 20, 25]),
        (HEX_BOLT, [16 / 3**0.5, 8, 23.5]),
    ],
    ids=["bracket", "plate", "spacer", "wedge", "bolt"],
)
def test_sizes_do_not_turn_with_the_body(recipe: CsgNode, size_mm: list[float]) -> None:
    straight = load(build(recipe), "part.step")
    assert own_size_mm(straight.part, straight.mesh) == pytest.approx(size_mm, abs=1e-5)
    turned = load(build({"turn": {"of": recipe, "axis": [3, 1, 2], "deg": 51}}), "part.step")
    assert own_size_mm(turned.part, turned.mesh) == pytest.approx(sorted(size_mm, reverse=True), abs=1e-5)
