"""The declared kinds: codes, colors, texts, fields, and an order of recognition that follows from the declarations."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from graphlib import CycleError
from itertools import combinations
from pkgutil import resolve_name
from typing import get_args, get_type_hints

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.geometry.csg import build
from fettle.geometry.gltf.colors import NO_READING, linear_colors
from fettle.geometry.load import load
from fettle.recognize.declarations import Recognizer
from fettle.recognize.kinds import feature_classes, feature_kinds, role_table
from fettle.recognize.order import claims_before, in_order, recognition_order
from fettle.recognize.recognition import recognize
from tests.recognize.words import at, box, chamfer, cut, cyl, fillet, prism

ROLE_TITLES = [
    "Unclassified", "Hole wall", "Hole bottom", "Countersink", "Boss wall", "Boss top", "Slot wall", "Slot floor",
    "Fin wall", "Fin top", "Pocket wall", "Pocket floor", "Protrusion wall", "Protrusion top", "Round", "Fillet",
    "Bend", "Outer wall", "Inner wall", "Slab face", "Chamfer",
]  # fmt: skip
"""Titles of role codes 0 to 20, which the API has promised."""

VISION = {
    "all cones": np.eye(3),
    "no red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
}
"""What linear RGB looks like without a kind of cone (G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A
physiologically-based model for simulation of color vision deficiency", 2009, full severity)."""
LEAST_DISTANCE = 0.12
"""Least OKLab distance of two colors of kinds: about five just noticeable differences."""
ONE_COLOR = [
    {"BOSS", "SHAFT_STEP"},
    {"PROTRUSION", "TAPER"},
    {"SLOT", "GROOVE", "KEYWAY"},
    {"STEP", "FLAT"},
    {"WALL", "SHOULDER"},
]
"""Kinds of turned parts with the color of what they would be on other parts: no more than about twenty colors keep
that distance, and no part has many of both."""


def test_role_codes_are_the_promised_ones() -> None:
    table = role_table()
    assert [table[code].title for code in range(len(ROLE_TITLES))] == ROLE_TITLES
    assert list(table) == list(range(len(table)))


def test_every_field_says_what_it_means() -> None:
    for kind, shown in feature_classes().items():
        hints = get_type_hints(shown, include_extras=True)
        for field in dataclasses.fields(shown):
            meaning = get_args(hints[field.name])[1:]
            assert meaning, f"{kind}.{field.name}"
            assert str(meaning[0]).endswith("."), f"{kind}.{field.name}"


def test_declarations_load_neither_kernel_nor_compiler() -> None:
    code = (
        "import sys; from fettle.recognize.kinds import feature_classes; feature_classes();"
        "print(sorted({'OCP', 'numba', 'scipy'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_recognizers_take_what_they_are_declared_to_need() -> None:
    for recognizer in recognition_order():
        function = resolve_name(recognizer.function)
        assert set(inspect.signature(function).parameters) == set(recognizer.needs), recognizer.name


def test_recognizers_come_after_their_needs_and_walls_last() -> None:
    names = [recognizer.name for recognizer in recognition_order()]
    assert names[-1] == "walls"
    for recognizer in recognition_order():
        before = names[: names.index(recognizer.name)]
        results = set(recognizer.needs) - {"graph", "confidence", "taken"}
        assert {*results, *recognizer.yields_to} <= set(before), recognizer.name


def test_order_does_not_depend_on_the_order_of_declaration() -> None:
    order = recognition_order()
    assert in_order(order[::-1]) == order


def test_cycle_missing_need_and_twin_are_refused() -> None:
    one = Recognizer(name="one", function="a:b", needs=("graph", "two"))
    two = Recognizer(name="two", function="a:b", needs=(), yields_to=("one",))
    with pytest.raises(CycleError):
        in_order([one, two])
    with pytest.raises(ValueError, match="one depends on two, which no recognizer provides"):
        in_order([one])
    with pytest.raises(ValueError, match="two recognizers are called two"):
        in_order([two, two])


def test_claims_come_first_through_all_that_a_recognizer_yields_to() -> None:
    first = Recognizer(name="first", function="a:b", needs=())
    second = Recognizer(name="second", function="a:b", needs=(), yields_to=("first",))
    third = Recognizer(name="third", function="a:b", needs=(), yields_to=("second",))
    rest = Recognizer(name="a rest", function="a:b", needs=(), takes_the_rest=True)
    ordered = in_order([rest, third, second, first])
    assert [one.name for one in ordered] == ["first", "second", "third", "a rest"]
    before = claims_before(ordered)
    assert before["third"] == {"first", "second"}
    assert before["a rest"] == {"first", "second", "third"}


def test_roles_of_a_part_are_among_those_that_its_recognizers_claim() -> None:
    block = cut(box(60, 50, 40), at(cyl(8, 60), 12, 34, -5), at(box(20, 20, 30), 30, 10, 25))
    corners = prism([[0, 0], [9, 0], [0, 9]], 20)
    part = load(
        build(fillet(chamfer(cut(block, at(corners, 0, 0, 30)), 1, [[60, 25, 40]]), 2, [[60, 25, 0]])), "a.step"
    )
    claimed = {role.code for recognizer in recognition_order() for role in recognizer.claims}
    roles = set(recognize(part.part).roles.tolist())
    assert len(roles) >= 6
    assert roles <= claimed


def test_colors_stay_apart_for_every_color_vision() -> None:
    kinds = feature_kinds()
    linear = np.vstack([linear_colors([kind.color for kind in kinds]), NO_READING])
    names = [*(kind.name for kind in kinds), "no feature"]
    shown = {kind.name: kind.color for kind in kinds}
    assert all(len({shown[name] for name in family}) == 1 for family in ONE_COLOR)
    for vision, matrix in VISION.items():
        seen = _oklab(np.clip(linear @ np.array(matrix).T, 0.0, 1.0))
        for one, two in combinations(range(len(names)), 2):
            if any({names[one], names[two]} <= family for family in ONE_COLOR):
                continue
            apart = float(np.linalg.norm(seen[one] - seen[two]))
            assert apart >= LEAST_DISTANCE, f"{names[one]} and {names[two]} to eyes with {vision}"


def _oklab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """OKLab coordinates of linear RGB, shape (n, 3) (B. Ottosson, 2020)."""
    to_cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    to_cones.append([0.0883024619, 0.2817188376, 0.6299787005])
    to_lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
    to_lab.append([0.0259040371, 0.7827717662, -0.8086757660])
    return np.cbrt(linear @ np.array(to_cones).T) @ np.array(to_lab).T
