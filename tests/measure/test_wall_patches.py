"""Walls of known thickness and size: what counts as a thin wall, and what is only a tip or a spot."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.measure.wall_patches import measure_wall_patches, sort_readings
from tests.measure.parts import CsgTree, box, context, rod, thickness, tilted


def thinnest(recipe: CsgTree, patch_mm2: float) -> float:
    """Thickness of the thinnest patch of a part, nan where no face has one."""
    on = context(recipe)
    readings = sort_readings(on.part, on.mesh, thickness(on))
    patches = measure_wall_patches(on.part, readings, patch_mm2).thickness_mm
    return float(np.nanmin(patches)) if np.isfinite(patches).any() else float("nan")


def test_a_plate_is_a_wall() -> None:
    assert thinnest(box(30, 20, 0.6), 16.0) == pytest.approx(0.6)
    assert thinnest(tilted(box(30, 20, 0.6)), 16.0) == pytest.approx(0.6)


def test_the_edge_of_a_wedge_is_no_wall() -> None:
    """Towards its edge of 30 degrees a blade gets as thin as you like: below 0.5 mm over 26 mm2 of its side."""
    blade: CsgTree = {"prism": {"points": [[0, 0], [4, 0], [0, 2.309]], "h": 30}}
    assert not thinnest(blade, 4.0) < 1.0


@pytest.mark.parametrize(("d", "is_wall"), [(3.0, False), (6.0, True)])
def test_a_spot_counts_from_a_patch_on(d: float, is_wall: bool) -> None:
    """Below a blind hole 0.3 mm are left: 7 mm2 of them, or 28."""
    part: CsgTree = {"cut": [box(15, 15, 10), rod(d, 9.7, "z", (7.5, 7.5, 0.3))]}
    assert (thinnest(part, 16.0) < 0.4) == is_wall
    assert thinnest(part, 4.0) == pytest.approx(0.3)


def test_a_wall_in_strips_is_a_wall() -> None:
    """A tube of 0.4 mm in 60 facets of 12 mm2, none of them as large as a patch."""
    around = [(np.cos(turn), np.sin(turn)) for turn in np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)]

    def polygon(radius: float) -> CsgTree:
        return {"prism": {"points": [[radius * x, radius * y] for x, y in around], "h": 12}}

    assert thinnest({"cut": [polygon(10.0), polygon(9.6)]}, 16.0) == pytest.approx(0.4, abs=0.01)
