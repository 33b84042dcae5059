"""Connected components of items joined in pairs.

In plain Python, because the graphs are small and many (one for each axis of a part): on three items
`scipy.sparse.csgraph` takes 60 times as long, on ten thousand a third of the time.
"""

from __future__ import annotations

from collections.abc import Iterable


def connected_groups(items: Iterable[int], pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Items joined directly or through others, in the order of the items; groups in the order of their first item."""
    parent = {item: item for item in items}

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for one, two in pairs:
        first, second = root(one), root(two)
        if first != second:
            parent[max(first, second)] = min(first, second)
    groups: dict[int, list[int]] = {}
    for item in parent:
        groups.setdefault(root(item), []).append(item)
    return list(groups.values())
