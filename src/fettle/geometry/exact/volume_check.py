"""Self-check of a body: its exact volume and the volume of its mesh are two measurements of one thing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def contradicted_bodies(
    face_body: NDArray[np.int64],
    count: int,
    exact_flux: Array,
    mesh_flux: Array,
    mesh_area: Array,
    compared: NDArray[np.bool_],
    distance_mm: float,
) -> NDArray[np.bool_]:
    """Shape (bodies,): the two volumes differ by more than a mesh within a distance of the surface can.

    Sums over the faces (faces,) of each of `count` bodies: flux of the exact surfaces and of the mesh, from one
    reference point, mm3; area of the mesh, mm2. Faces that are not `compared` have a mesh that is known to be wrong. A
    mesh that lies within a distance of its surface is off by no more volume than area times distance."""
    body, area = face_body[compared], mesh_area[compared]
    difference = np.bincount(body, weights=(exact_flux - mesh_flux)[compared], minlength=count)
    bound = distance_mm * np.bincount(body, weights=area, minlength=count)
    contradicted: NDArray[np.bool_] = np.abs(difference) > bound
    return contradicted
