"""Surfaces of faces as numbers: their kind, frame and sizes, as the kernel keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.Geom import (
    Geom_ConicalSurface,
    Geom_CylindricalSurface,
    Geom_Plane,
    Geom_RectangularTrimmedSurface,
    Geom_SphericalSurface,
    Geom_ToroidalSurface,
)
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, TORUS

Array = NDArray[np.float64]

WIDTH = 14
_SIMPLE = {
    Geom_Plane: (PLANE, "Pln", 12),
    Geom_CylindricalSurface: (CYLINDER, "Cylinder", 13),
    Geom_ConicalSurface: (CONE, "Cone", 14),
    Geom_SphericalSurface: (SPHERE, "Sphere", 13),
    Geom_ToroidalSurface: (TORUS, "Torus", 14),
}
"""Code, what the kernel calls its frame and sizes, and of how many numbers these are made."""


class SurfaceFrames(NamedTuple):
    """Kinds (faces,), codes of `surfaces.encoding`, and frames (faces, 14): origin, Z, Y, X, then a radius; a cone's
    radius and half angle; a torus' radii. Frames of freeform surfaces are nan, and so is what a kind has not."""

    kinds: NDArray[np.int8]
    frames: Array


def read_frames(faces: Sequence[TopoDS_Face]) -> SurfaceFrames:
    """Kinds and frames of the surfaces that faces lie on, where they lie."""
    kernel_arrays.check_layout()  # before anything of a shape is read through it
    kinds = np.full(len(faces), FREEFORM, np.int8)
    frames = np.full((len(faces), WIDTH), np.nan)
    found: dict[int, list[object]] = {}
    for number, face in enumerate(faces):
        # asked of the surface itself: the kernel's adaptor takes twice as long
        surface = BRep_Tool.Surface_s(face)
        while isinstance(surface, Geom_RectangularTrimmedSurface):
            surface = surface.BasisSurface()
        simple = _SIMPLE.get(type(surface))
        if simple is not None:
            kinds[number], name, _ = simple
            found.setdefault(simple[0], []).append(getattr(surface, name)())
    for kind, _, count in _SIMPLE.values():
        if kind in found:
            frames[kinds == kind, :count] = kernel_arrays.components_of(found[kind], count)
    return SurfaceFrames(kinds, frames)
