"""Pickles of models and analyses, which are thousands of small records and small arrays.

Left to themselves, a data class looks its fields up at every object, and numpy finds out anew for every array how it is
rebuilt: that was a tenth of a job. What is written here is read by `pickle.loads`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from io import BytesIO
from operator import attrgetter
from typing import Any

import numpy as np

SMALL_BYTES = 64 * 1024
"""Larger arrays are written by numpy, which copies them once less."""
NUMBERS = "biuf"
"""Kinds of arrays whose bytes are their numbers."""


@dataclass(frozen=True, slots=True)
class _Example:
    """Has the way of being pickled that `dataclass` gives frozen classes with slots."""


_GENERATED: Any = _Example.__getstate__


def to_pickle(value: object) -> bytes:
    """The pickle of plain data; arrays that must not be written to come back as such."""
    stream = BytesIO()
    _Pickler(stream, protocol=5).dump(value)
    return stream.getvalue()


def restore(kind: Any, values: Sequence[Any]) -> Any:
    """An object with these values of its fields, in their order. Named in what is stored."""
    made = object.__new__(kind)
    for put, value in zip(_putters(kind), values, strict=True):
        put(made, value)
    return made


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        kind: Any = type(value)
        if kind is np.ndarray:
            return _array(value)
        values_of = _getter(kind)
        return NotImplemented if values_of is None else (restore, (kind, values_of(value)))


def _array(array: Any) -> Any:
    flags, kind = array.flags, array.dtype
    if array.nbytes > SMALL_BYTES or kind.kind not in NUMBERS or not flags.c_contiguous:
        return NotImplemented
    return np.ndarray, (array.shape, kind, bytearray(array.data) if flags.writeable else array.tobytes())


@cache
def _getter(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """Gives the fields of a record; None for everything else, and for a class with a way of its own."""
    own_way = kind.__reduce__ is not object.__reduce__ or kind.__getstate__ is not _GENERATED
    if own_way or not is_dataclass(kind):
        return None
    names = [one.name for one in fields(kind)]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


@cache
def _putters(kind: Any) -> tuple[Callable[[Any, Any], None], ...]:
    """Sets the fields of a frozen record, as only the one who makes it may."""
    return tuple(getattr(kind, one.name).__set__ for one in fields(kind))
