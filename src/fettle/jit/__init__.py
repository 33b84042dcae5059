"""Compiles hot loops with numba, stores the machine code and finds it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import numba
from numba.core.dispatcher import Dispatcher

from fettle.jit.loading import StoredFunctions

__all__ = ["njit", "njit_inner"]

Compiled = TypeVar("Compiled", bound=Callable[..., Any])


def njit(*, cache: Literal[True], **options: Any) -> Callable[[Compiled], Dispatcher[Compiled]]:
    """Compile a function at its first call, as `numba.njit`, and store it our way: see `storage` and `loading`.

    It runs without the interpreter's lock, so that another thread can go on: see `fettle.cores`.
    """

    def compiled(function: Compiled) -> Dispatcher[Compiled]:
        dispatcher: Any = numba.njit(nogil=True, **options)(function)
        dispatcher._cache = StoredFunctions(function)
        typed: Dispatcher[Compiled] = dispatcher
        return typed

    return compiled


def njit_inner(function: Compiled) -> Dispatcher[Compiled]:
    """Compile a function that makes no arrays, for other compiled functions to call in their loops.

    numba counts references to every array that a function takes, at each of its calls; where the function is small
    that takes as long as its work (refining a mesh took twice as long). Making an array does not compile here. It is
    part of the machine code of its caller: to hand over an array is to hand over seven numbers (refining a mesh took
    half as long again).
    """
    return njit(cache=True, error_model="numpy", _nrt=False, forceinline=True)(function)
