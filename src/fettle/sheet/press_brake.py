"""Bending on a press brake: die and force."""

from __future__ import annotations

DIE_THICKNESSES = 8.0
"""Opening of the V die in thicknesses: the rule of brake makers for sheet up to 10 mm (air bending)."""
FORCE_FACTOR = 1.42
"""F = 1.42 Rm t^2 L / V, as brake makers publish for air bending."""


def die_opening_mm(thickness_mm: float) -> float:
    """Usual opening of the V die."""
    return DIE_THICKNESSES * thickness_mm


def bending_force_n(tensile_mpa: float, thickness_mm: float, length_mm: float, opening_mm: float) -> float:
    """Force to air-bend a length of sheet over a V die, N."""
    return FORCE_FACTOR * tensile_mpa * thickness_mm**2 * length_mm / opening_mm
