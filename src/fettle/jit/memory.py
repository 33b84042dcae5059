# mypy: allow-untyped-defs, allow-untyped-calls
"""Memory of another library, read by a compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from fettle.jit import njit

_instructions: Any = intrinsic  # which takes off the first argument, and does not say so in its types


@_instructions
def _pointer(typing, address):
    """To words of 64 bits from an address on."""

    def place(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.int64)(types.int64), place


@njit(cache=True)
def read_words(addresses: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Shape (n, count): words of 64 bits from some addresses (n,) on."""
    words = np.empty((len(addresses), count), np.int64)
    for row in range(len(addresses)):
        own = carray(_pointer(addresses[row]), count)
        for k in range(count):
            words[row, k] = own[k]
    return words
