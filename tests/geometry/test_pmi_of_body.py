"""Tolerances of a file of two cubes of six faces each go to the cube they are on."""

from __future__ import annotations

from dataclasses import replace

from fettle.geometry.bodies import split_bodies
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.pmi.records import GeometricTolerance, Note, Place, Pmi, StatedDimension

TWO = {"bodies": [{"box": [10, 10, 10]}, {"move": {"of": {"box": [10, 10, 10]}, "by": [30, 0, 0]}}]}


def distance(one: int, other: int) -> StatedDimension:
    place = Place((one, other), ((one,), (other,)))
    return StatedDimension("linear_distance", False, 10.0, 9.9, 10.1, "", (), place)


def flatness(face: int) -> GeometricTolerance:
    return GeometricTolerance("flatness", 0.05, "", (), (), (), Place((face,)))


def test_each_body_has_its_own() -> None:
    model = load(build(TWO), "two.step")
    pmi = Pmi((distance(0, 1), distance(6, 7), distance(5, 6)), (flatness(11),), (), (Note("ISO 2768-m"),))
    one, other = (body.part.pmi for body in split_bodies(replace(model, part=replace(model.part, pmi=pmi))))
    assert one is not None
    assert other is not None
    assert [dimension.place for dimension in one.dimensions] == [Place((0, 1), ((0,), (1,)))]
    assert [dimension.place for dimension in other.dimensions] == [Place((0, 1), ((0,), (1,)))]
    assert (len(one.tolerances), [found.place for found in other.tolerances]) == (0, [Place((5,))])
    assert one.notes == other.notes == (Note("ISO 2768-m"),), "holds for every body"


def test_bodies_without_any_have_none() -> None:
    model = load(build(TWO), "two.step")
    pmi = Pmi(tolerances=(flatness(11),))
    one, other = (body.part.pmi for body in split_bodies(replace(model, part=replace(model.part, pmi=pmi))))
    assert one is None
    assert other is not None
