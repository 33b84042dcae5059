"""Connected components of things joined in pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def components(count: int, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int32]:
    """Component (count,) of each of `count` things, first[i] and second[i] being joined; components are numbered in the
    order of their smallest members."""
    links = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
    label: NDArray[np.int32] = connected_components(links, directed=False)[1]
    return label
