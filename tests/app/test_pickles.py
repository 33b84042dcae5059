"""What is stored of an analysis comes back as it was, by `pickle.loads` alone."""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fettle.app.kernel_tasks.measuring import measure
from fettle.app.kernel_tasks.pickles import SMALL_BYTES, to_pickle
from fettle.app.options import JobOptions
from fettle.geometry.load import load


def copied(value: Any) -> Any:
    return pickle.loads(to_pickle(value))


@dataclass(frozen=True, slots=True)
class Pair:
    one: float
    other: object


@dataclass(frozen=True, slots=True)
class Single:
    only: str


@dataclass(frozen=True, slots=True)
class WithItsOwnWay:
    kept: int
    dropped: int = 0

    def __reduce__(self) -> tuple[type[WithItsOwnWay], tuple[int]]:
        return WithItsOwnWay, (self.kept,)


@dataclass
class Open:
    value: int


def test_records_come_back_equal_and_shared_ones_stay_one() -> None:
    shared = Single("x")
    came = copied(Pair(0.1, (shared, shared, Open(3))))
    assert came == Pair(0.1, (shared, shared, Open(3)))
    assert came.other[0] is came.other[1]


def test_a_class_with_a_way_of_its_own_keeps_it() -> None:
    assert copied(WithItsOwnWay(1, 2)) == WithItsOwnWay(1, 0)


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.5, -0.0, np.nan]),
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.array([True, False]),
        np.zeros((0, 3)),
        np.array(2.5),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(10.0)[::2],
        np.array(["one", "two"]),
        np.array([1, "one"], dtype=object),
        np.array([(1, 2.0)], dtype=[("a", np.int32), ("b", np.float64)]),
        np.zeros(SMALL_BYTES // 8 + 1),
        np.arange(3, dtype=">f8"),
    ],
)
@pytest.mark.parametrize("writeable", [True, False])
def test_arrays_keep_numbers_type_shape_order_and_whether_they_may_be_written_to(
    array: np.ndarray[Any, Any], writeable: bool
) -> None:
    array = array.copy(order="A") if array.flags.c_contiguous or array.flags.f_contiguous else array.view()
    array.setflags(write=writeable)
    came = copied(array)
    assert (came.dtype, came.shape) == (array.dtype, array.shape)
    assert came.tobytes() == array.tobytes() or array.dtype.hasobject
    assert came.tolist() == array.tolist() or np.isnan(array).any()
    assert came.flags.writeable == pickle.loads(pickle.dumps(array, protocol=5)).flags.writeable
    assert came.flags.f_contiguous == pickle.loads(pickle.dumps(array, protocol=5)).flags.f_contiguous


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two values differ."""
    if type(one) is not type(other):
        return [path]
    if isinstance(one, np.ndarray):
        same = one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
        return [] if same else [path]
    if is_dataclass(one):
        names = [field.name for field in fields(one) if field.name != "visibility"]
        return [at for name in names for at in differences(getattr(one, name), getattr(other, name), f"{path}.{name}")]
    if isinstance(one, (tuple, list)):
        if len(one) != len(other):
            return [path]
        return [at for k, pair in enumerate(zip(one, other, strict=True)) for at in differences(*pair, f"{path}[{k}]")]
    if isinstance(one, dict):
        if list(one) != list(other):
            return [path]
        return [at for key in one for at in differences(one[key], other[key], f"{path}[{key!r}]")]
    if isinstance(one, Enum):
        return [] if one is other else [path]
    return [] if one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other)) else [path]


def test_an_analysis_of_several_bodies_comes_back_whole(corpus: Path) -> None:
    part = corpus / "made/e3d/Tool-Changer_Cover.step"
    analysis = measure(load(part.read_bytes(), part.name, JobOptions().mesh()), JobOptions(), lambda line: None)
    came = copied(analysis)
    assert len(came.bodies) == 4
    assert differences(analysis, came) == []
    assert not came.part.edges[0].points.flags.writeable
