"""Parts to rehearse an analysis with, as `geometry.csg` builds them: what is compiled and loaded for them is there for
every part that comes after."""

from __future__ import annotations

from fettle.geometry.csg import CsgNode

HOLLOW: CsgNode = {
    "cut": [
        {"box": [20, 16, 8]},
        {"move": {"of": {"cylinder": {"d": 5, "h": 8}}, "by": [10, 8, 0]}},
        {"move": {"of": {"box": [16, 12, 4]}, "by": [2, 2, 2]}},
    ]
}
"""The hollow behind its hole has sharp inside corners, and supports do not come out of it."""

_MILLED: CsgNode = {
    "cut": [
        {"box": [60, 30, 20]},
        {"move": {"of": {"fillet": {"of": {"box": [20, 14, 12]}, "r": 3, "edges": "z"}}, "by": [6, 8, 8]}},
        {"move": {"of": {"fillet": {"of": {"box": [14, 12, 20]}, "r": 3, "edges": "z"}}, "by": [36, 10, 0]}},
    ]
}
"""A pocket and a passage, both with rounded corners."""
_TURNED: CsgNode = {
    "cut": [
        {
            "revolve": {
                "points": [[0, 0], [10, 0], [10, 8], [8, 8], [8, 12], [10, 12], [10, 30], [6, 34], [6, 40], [0, 40]]
            }
        },
        {"move": {"of": {"box": [20, 20, 10]}, "by": [4, -10, 32]}},
    ]
}
"""A shaft with a groove, a taper and a flat."""
_BORE: CsgNode = {"turn": {"of": {"cylinder": {"d": 6, "h": 4}}, "axis": [0, 1, 0], "deg": 90}}
_FORK: CsgNode = {
    "cut": [
        {"box": [20, 20, 20]},
        {"move": {"of": {"box": [4, 20, 10]}, "by": [4, 0, 10]}},
        {"move": {"of": {"box": [4, 20, 10]}, "by": [12, 0, 10]}},
        {"move": {"of": _BORE, "by": [0, 10, 15]}},
        {"move": {"of": _BORE, "by": [16, 10, 15]}},
    ]
}
"""Two bores in line, and a tongue without one between them."""
SEVERAL: CsgNode = {
    "bodies": [_MILLED, {"move": {"of": _TURNED, "by": [16, 15, 20]}}, {"move": {"of": _FORK, "by": [80, 0, 0]}}]
}
"""The shaft stands on the block, over the pocket; the fork stands apart."""

SPLINED: CsgNode = {
    "splines": {
        "of": {
            "bodies": [
                {"fillet": {"of": {"cylinder": {"d": 10, "h": 20}}, "r": 2, "edges": "all"}},
                {"move": {"of": {"cone": {"d": 10, "d2": 6, "h": 20}}, "by": [20, 0, 0]}},
                {"move": {"of": {"sphere": {"d": 10}}, "by": [40, 0, 0]}},
                {"move": {"of": {"box": [10, 10, 10]}, "by": [60, 0, 0]}},
            ]
        }
    }
}
"""A plane, a cylinder, a cone, a sphere and a torus, each as splines; the box has edges that are followed."""
