"""Surfaces of faces as numbers: their kind, frame and sizes, as the kernel keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane, GeomAbs_Sphere, GeomAbs_Torus
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, TORUS

Array = NDArray[np.float64]

WIDTH = 14
# as numbers: comparing the bindings' enumerations takes longer than reading a surface
_SIMPLE = {
    int(GeomAbs_Plane): (PLANE, "Plane", 12),
    int(GeomAbs_Cylinder): (CYLINDER, "Cylinder", 13),
    int(GeomAbs_Cone): (CONE, "Cone", 14),
    int(GeomAbs_Sphere): (SPHERE, "Sphere", 13),
    int(GeomAbs_Torus): (TORUS, "Torus", 14),
}
"""Code, what the adaptor calls it, and of how many numbers it is made."""


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
        # restricting the adaptor to the trim costs ten times as much and is not needed here
        adaptor = BRepAdaptor_Surface(face, False)
        simple = _SIMPLE.get(int(adaptor.GetType()))
        if simple is not None:
            kinds[number], name, _ = simple
            found.setdefault(simple[0], []).append(getattr(adaptor, name)())
    for kind, _, count in _SIMPLE.values():
        if kind in found:
            frames[kinds == kind, :count] = kernel_arrays.components_of(found[kind], count)
    return SurfaceFrames(kinds, frames)
