"""Connected components of items joined in pairs.

In plain Python, because the graphs are small and many (one for each axis of a part): on three items
`scipy.sparse.csgraph` takes 60 times as long, on ten thousand a third of the time.
"""

from __future__ import annotations

from collections.abc import Iterable


def connected_groups(items: Iterable[int], pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Items joined directly or through others, in the order of the items; groups in the order of their first item."""
    parent = {item: item for item in items}
    # The way up is written out three times: a call for each took half of the time.
    for pair in pairs:
        one, two = pair
        while (above := parent[one]) != one:
            parent[one] = one = parent[above]
        while (above := parent[two]) != two:
            parent[two] = two = parent[above]
        if one < two:
            parent[two] = one
        elif two < one:
            parent[one] = two
    groups: dict[int, list[int]] = {}
    for item in parent:
        root = item
        while (above := parent[root]) != root:
            parent[root] = root = parent[above]
        groups.setdefault(root, []).append(item)
    return list(groups.values())
