"""What is told of faces and bodies whose numbers were hard to come by, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.trim_gaps import OpenVolume
from fettle.geometry.part import fid

Array = NDArray[np.float64]

NAMED = 10
"""Most faces or bodies that one sentence names."""

NOTABLE_SPREAD = 1e-4
"""Share of a volume below which an uncertainty needs no word: a hundredth of what a shop weighs material by. Smaller
ones are figures of the body."""


def coarse_mesh(faces: Sequence[int]) -> tuple[str, ...]:
    if not faces:
        return ()
    text = (
        f"the mesh does not follow {_which(faces)} closely: area and volume come from the exact surfaces, but what "
        "is measured on the mesh there (wall thickness, clearance) may be wrong; a part that is small beside the "
        "whole file is better sent alone"
    )
    return (text,)


def joined(groups: Sequence[Sequence[int]]) -> tuple[str, ...]:
    if not groups:
        return ()
    named = "; ".join(_named(group) for group in groups)
    text = (
        f"faces ({named}) are pieces of a strip, cut along a line that leaves it: none of them bounds an area alone. "
        "They were measured together and share the area equally; the mesh, and what is measured on it there (wall "
        "thickness, clearance), may be wrong; repair in the CAD system and export again"
    )
    return (text,)


def unknown(faces: Sequence[int], told: Sequence[tuple[Array, Array]], astray: Sequence[int]) -> tuple[str, ...]:
    """`told`: of each of `faces` two rows (area, flux) that contradict each other; `astray`: faces whose trimming
    curves leave their edges."""
    texts = []
    if faces:
        one, other = (sum(float(pair[k][0]) for pair in told) for k in range(2))
        texts.append(
            f"area and volume cannot be told: two ways to measure {_which(faces)} give {one:.6g} and {other:.6g} mm2; "
            "repair in the CAD system and export again"
        )
    if astray:
        texts.append(
            f"area and volume cannot be told: the trimming curves of {_which(astray)} leave the edges they belong to; "
            "repair in the CAD system and export again"
        )
    return tuple(texts)


def renewed_trims(faces: Sequence[int]) -> tuple[str, ...]:
    if not faces:
        return ()
    text = (
        f"the trimming curves of {_which(faces)} left the edges they belong to and were computed anew from the edges; "
        "check the part in the CAD system"
    )
    return (text,)


def contradicted(exact: Array, meshed: Array, bodies: Sequence[int]) -> tuple[str, ...]:
    """`exact`, `meshed` (bodies,) mm3: the two volumes of every body; `bodies`: those for which they differ."""
    if not bodies:
        return ()
    pairs = ", ".join(f"body {body + 1} {exact[body]:.6g} and {meshed[body]:.6g}" for body in bodies[:NAMED])
    text = (
        f"volume cannot be told: exact surfaces and mesh give {pairs} mm3, further apart than the mesh is coarse; "
        "repair in the CAD system and export again"
    )
    return (text,)


def loose_edges(volumes: Array, opened: OpenVolume, guessed: NDArray[np.bool_]) -> tuple[str, ...]:
    """Bodies with edges so far off their faces that the volume is less certain than a shop would think, or, where
    `guessed` (bodies,), not known at all. `volumes` (bodies,) mm3, nan where it is unknown for another reason."""
    off = opened.spread_mm3 > NOTABLE_SPREAD * np.abs(volumes)
    texts = []
    for found, what in (
        (np.flatnonzero(off & ~guessed).tolist(), "the volume is only known to about"),
        (np.flatnonzero(guessed).tolist(), "area and volume cannot be told: the volume is somewhere about"),
    ):
        if found:
            edges, widest = int(opened.edges[found].sum()), float(opened.widest_mm[found].max())
            figures = [_plus_minus(body, volumes, opened) for body in found[:NAMED]]
            texts.append(
                f"edges lie up to {widest:.2g} mm off the faces that meet there ({edges} by more than a tenth of that)"
                f", so {what} {', '.join(figures)}{', ...' if len(found) > NAMED else ''}"
            )
    return tuple(texts)


def _plus_minus(body: int, volumes: Array, opened: OpenVolume) -> str:
    named = f" (body {body + 1})" if len(volumes) > 1 else ""
    return f"{volumes[body]:.9g} +- {opened.spread_mm3[body]:.2g} mm3{named}"


def _which(faces: Sequence[int]) -> str:
    return f"face {_named(faces)}" if len(faces) == 1 else f"{len(faces)} faces ({_named(faces)})"


def _named(faces: Sequence[int]) -> str:
    return ", ".join(fid(face) for face in faces[:NAMED]) + (", ..." if len(faces) > NAMED else "")
