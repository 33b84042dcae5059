"""Wall thickness of parts whose walls are known, as modeled and turned about an oblique axis, at three mesh densities.

`least` and `most` are the smallest and largest of all readings, in mm. A wall is measured exactly on planes, cylinders
and spheres; on the taper the thickness at the distance x from its tip is x tan(10 deg), and `off by` is the largest
relative difference from that, away from its ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import Table
from tests.measure.parts import CsgTree, box, context, normals_near, rod, thickness, tilt, tilted

CURVATURES = (12.0, 24.0, 48.0)
"""Elements per turn."""
TAPER_DEG = 10.0
WALLS: dict[str, tuple[CsgTree, float]] = {
    "plate of 3": ({"box": [100, 60, 3]}, 3.0),
    "plate of 0.8": ({"box": [50, 30, 0.8]}, 0.8),
    "plate of 5, chamfered": ({"chamfer": {"of": {"box": [50, 40, 5]}, "c": 1, "edges": "all"}}, 5.0),
    "plate of 5, rounded": ({"fillet": {"of": {"box": [50, 40, 5]}, "r": 1, "edges": "all"}}, 5.0),
    "cube of 10": ({"box": [10, 10, 10]}, 10.0),
    "tube 40 x 2": ({"cut": [{"cylinder": {"d": 40, "h": 60}}, {"cylinder": {"d": 36, "h": 60}}]}, 2.0),
    "ball of 30": ({"sphere": {"d": 30}}, 30.0),
    "hole 0.6 from the side": ({"cut": [box(60, 40, 4), rod(10, 10, "z", (30, 5.6, -3))]}, 0.6),
}
"""Parts with their thinnest wall in mm."""


def tables() -> Iterator[Table]:
    rows = [
        _row(f"{name}{word}, {curvature:g} a turn", way(tree), wall_mm, curvature)
        for name, (tree, wall_mm) in WALLS.items()
        for word, way in (("", lambda tree: tree), (", turned", tilted))
        for curvature in CURVATURES
    ]
    yield Table("Thinnest wall", ("part", "known mm", "least mm", "off by", "most mm", "points"), tuple(rows))
    yield Table("Taper of 10 degrees", ("part", "points", "off by"), (_taper("as modeled"), _taper("turned")))


def _row(name: str, tree: CsgTree, wall_mm: float, curvature: float) -> tuple[str, ...]:
    value_mm = thickness(context(tree, curvature=curvature)).value_mm
    least, most = float(np.nanmin(value_mm)), float(np.nanmax(value_mm))
    off = f"{abs(least / wall_mm - 1.0):.1e}"
    return name, f"{wall_mm:g}", f"{least:.6f}", off, f"{most:.3f}", str(np.isfinite(value_mm).sum())


def _taper(name: str) -> tuple[str, ...]:
    slope = math.tan(math.radians(TAPER_DEG))
    tree: CsgTree = {"prism": {"points": [[0, 0], [40, 0], [40, 40 * slope]], "h": 30}}
    on = context(tree if name == "as modeled" else tilted(tree))

    def way(x: float, y: float, z: float) -> NDArray[np.float64]:
        return np.array([x, y, z]) if name == "as modeled" else tilt((x, y, z))

    x, z, down = on.mesh.points @ way(1, 0, 0), on.mesh.points @ way(0, 0, 1), way(0, -1, 0)
    inner = normals_near(on.mesh, (down[0], down[1], down[2])) & (x > 2) & (x < 38) & (np.abs(z - 15) < 12)
    value_mm = thickness(on).value_mm[inner]
    return name, str(inner.sum()), f"{float(np.abs(value_mm / (x[inner] * slope) - 1.0).max()):.1e}"
