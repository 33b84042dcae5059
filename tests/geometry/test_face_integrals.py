"""Area and flux of faces whose files make them hard: axes that start far away, boundaries that do not close."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.geometry.exact.integrals import integrate
from fettle.geometry.part import Cone, Cylinder, Line, Surface
from fettle.geometry.surfaces.encoding import pack_surfaces
from tests.real_parts import read

Array = NDArray[np.float64]

RADIUS_MM, HEIGHT_MM = 4.0, 6.0
FAR_MM = 500_000.0


def around(low: float, high: float, z: float, radius: float, gap: float = 0.0) -> tuple[Array, Array]:
    """Gauss nodes along an arc about Z, and their steps; `gap` makes it that much longer than it should be."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    half = (high - low) / 2
    turn = (high + low) / 2 + half * nodes
    points = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.full(24, z)])
    steps = (
        np.column_stack([-np.sin(turn), np.cos(turn), np.zeros(24)]) * (weights * radius * half * (1 + gap))[:, None]
    )
    return points, steps


def straight(start: Array, end: Array) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(2)
    share = (1 + nodes[:, None]) / 2
    return start + share * (end - start), weights[:, None] / 2 * (end - start)


def area_and_flux(surface: Surface, pieces: list[tuple[Array, Array]]) -> tuple[float, float]:
    points, steps = (np.concatenate([piece[k] for piece in pieces]) for k in range(2))
    ends = np.array([0, len(points)])
    kinds, rows = pack_surfaces([surface])
    (row,) = integrate(kinds, rows, np.ones(1), np.zeros(3), np.ones(1), points, steps, ends, np.array([0, 1]))
    return float(row[0]), float(row[1])


def half_tube(gap: float) -> list[tuple[Array, Array]]:
    left, right = np.array([-RADIUS_MM, 0.0, 0.0]), np.array([RADIUS_MM, 0.0, 0.0])
    up = np.array([0.0, 0.0, HEIGHT_MM])
    top_points, top_steps = around(0.0, math.pi, HEIGHT_MM, RADIUS_MM)
    return [
        around(0.0, math.pi, 0.0, RADIUS_MM, gap),
        straight(left, left + up),
        (top_points[::-1], -top_steps[::-1]),
        straight(right + up, right),
    ]


def test_an_axis_that_starts_half_a_kilometre_away_changes_nothing() -> None:
    far = Cylinder(np.array([0.0, 0.0, -FAR_MM]), np.array([0.0, 0.0, 1.0]), RADIUS_MM)
    area, flux = area_and_flux(far, half_tube(gap=1e-7))
    assert area == pytest.approx(math.pi * RADIUS_MM * HEIGHT_MM, rel=1e-6)
    assert flux == pytest.approx(math.pi * RADIUS_MM**2 * HEIGHT_MM / 3, rel=1e-6)


def test_a_cone_that_is_almost_a_cylinder() -> None:
    # a thousandth of a degree: its apex lies 229 m below
    half_deg = 1e-3
    cone = Cone(np.zeros(3), np.array([0.0, 0.0, 1.0]), RADIUS_MM, half_deg)
    wider = RADIUS_MM + HEIGHT_MM * math.tan(math.radians(half_deg))
    pieces = half_tube(gap=1e-7)
    points, steps = around(0.0, math.pi, HEIGHT_MM, wider)
    pieces[2] = (points[::-1], -steps[::-1])
    area, _ = area_and_flux(cone, pieces)
    slant = HEIGHT_MM / math.cos(math.radians(half_deg))
    assert area == pytest.approx(math.pi * (RADIUS_MM + wider) / 2 * slant, rel=1e-6)


def test_a_boundary_that_goes_round_once_bounds_nothing_on_a_cylinder() -> None:
    surface = Cylinder(np.zeros(3), np.array([0.0, 0.0, 1.0]), RADIUS_MM)
    area, flux = area_and_flux(
        surface, [around(0.0, math.pi, 0.0, RADIUS_MM), around(math.pi, 2 * math.pi, 0.0, RADIUS_MM)]
    )
    assert math.isnan(area)
    assert math.isnan(flux)


def test_pieces_of_a_thread_that_bound_nothing_alone_are_measured_together(corpus: Path) -> None:
    part = read(corpus / "machined" / "multi-body" / "916 Metal Button.step").part
    # crest and root of a turn are each cut in two along a line that leaves the strip, whose width is that of its two
    # straight ends; on a cylinder a strip of one turn has the area of a ring of its width
    for one, other in ((0, 25), (1, 10)):
        surface = part.faces[one].surface
        assert isinstance(surface, Cylinder)
        lines = [edge for edge in part.edges if isinstance(edge.curve, Line)]
        ends = [edge.length_mm for edge in lines if len({one, other}.intersection(edge.faces)) == 1]
        assert ends[1:] == pytest.approx(ends[:1])
        together = part.faces[one].area_mm2 + part.faces[other].area_mm2
        assert together == pytest.approx(2 * math.pi * surface.radius_mm * ends[0], rel=1e-3)
    warning = part.source.warnings[0]
    assert "faces (1, 26; 2, 11) are pieces of a strip" in warning
    assert "only known to about" in part.source.warnings[1]


def test_a_hollow_round_whose_axis_starts_far_away(corpus: Path) -> None:
    # cylinders of this part have their origin 500 m from it, and trims that close only to a micrometer
    model = read(corpus / "printed" / "odri" / "lower_leg_structure_base.STEP")
    far = [face for face in model.part.faces if isinstance(face.surface, Cylinder) and abs(face.v_range_mm[0]) > 1e5]
    assert far
    meshed = np.bincount(model.mesh.triangle_face, weights=model.mesh.triangle_areas_mm2())
    for number, face in enumerate(model.part.faces):
        if any(face is one for one in far):
            assert face.area_mm2 == pytest.approx(meshed[number], rel=0.01)
    # too little for a warning
    assert 1e-6 < model.part.volume_uncertainty_mm3 / model.part.volume_mm3 < 1e-4
