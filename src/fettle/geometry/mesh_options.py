"""Density of the mesh: what callers may choose, and the defaults.

Plain numbers: the API and the workers import this module too, without a numerical library.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt

from fettle.errors import BadRequest

AUTO_CURVATURE = 24.0
AUTO_EDGES_PER_DIAGONAL = 45.0
"""Matters where a part has much surface for its size: round and compact, or many walls."""
AUTO_EDGES_PER_ROOT_AREA = 73.0
"""A refined face has about four triangles per square of the longest edge: 73 * 73 * 4 = 21,300."""

MIN_CURVATURE = 6.0
MAX_CURVATURE = 360.0


@dataclass(frozen=True, slots=True, eq=False)
class MeshOptions:
    """None means auto: derived from the box diagonal so that the triangle count stays roughly flat.

    `curvature` is elements per full turn on curved faces.
    """

    max_edge_mm: float | None = None
    curvature: float | None = None

    def __post_init__(self) -> None:
        if self.max_edge_mm is not None and not (isfinite(self.max_edge_mm) and self.max_edge_mm > 0.0):
            raise BadRequest(f"max_edge must be a length above 0 mm, not {self.max_edge_mm}; leave it out for auto")
        if self.curvature is not None and not MIN_CURVATURE <= self.curvature <= MAX_CURVATURE:
            raise BadRequest(
                f"curvature must be {MIN_CURVATURE:g} to {MAX_CURVATURE:g} elements per full turn, not "
                f"{self.curvature}; leave it out for auto ({AUTO_CURVATURE:g})"
            )

    @property
    def curvature_used(self) -> float:
        return AUTO_CURVATURE if self.curvature is None else self.curvature

    def max_edge_used_mm(self, diagonal_mm: float, area_mm2: float) -> float:
        """Longest edge in mm, from the part's exact box diagonal and area.

        Auto follows the diagonal; a part with little surface for its size (a rod, a thin plate) gets a finer mesh, so
        that its triangles are not far fewer than those of others.
        """
        if self.max_edge_mm is not None:
            return self.max_edge_mm
        return min(diagonal_mm / AUTO_EDGES_PER_DIAGONAL, sqrt(area_mm2) / AUTO_EDGES_PER_ROOT_AREA)
