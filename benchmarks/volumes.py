"""Volume of every solid file of the corpus against the kernel's own integral and against what the mesh encloses.

A file is flagged where our exact volume differs from the kernel's by more than a millionth. The kernel's integral is
itself only good to a per mille on splines, so the mesh's volume is printed beside it.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.floor import corpus
from fettle.errors import FettleError
from fettle.geometry.kernel.step import read_step
from fettle.geometry.load import load

SAME = 1e-6
"""Relative difference between two exact integrals of one volume that needs no word."""
EVERY = {"mfcad": 10, "cadnet": 4}
"""Of folders with many parts of one kind, every so many."""
BUDGET_S = float(os.environ.get("FETTLE_VOLUMES_S", "1e9"))
"""Seconds after which no further file is begun."""


def step_files(root: Path) -> list[Path]:
    """STEP files of the corpus that are not meant to be hostile."""
    found = sorted(path for path in root.rglob("*") if path.suffix.lower() in (".step", ".stp"))
    kept = [path for path in found if "hostile" not in path.parts]
    return [path for number, path in enumerate(kept) if number % EVERY.get(path.parent.name, 1) == 0]


def kernel_volume(data: bytes, name: str) -> float:
    """Sum of the kernel's volumes of the file's solids, mm3."""
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps

    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(read_step(data, name).shape, properties)
    return abs(float(properties.Mass()))


def main() -> None:
    root = corpus().resolve()
    started, same, flagged, refused = time.monotonic(), 0, 0, 0
    for path in step_files(root):
        if time.monotonic() - started > BUDGET_S:
            sys.stdout.write(f"stopped after {BUDGET_S:.0f} s\n")
            break
        data, name = path.read_bytes(), path.relative_to(root).as_posix()
        try:
            model = load(data, path.name)
        except FettleError as error:
            refused += 1
            sys.stdout.write(f"refused  {name}: {str(error)[:80]}\n")
            continue
        ours, kernel = model.part.volume_mm3, kernel_volume(data, path.name)
        if abs(ours - kernel) <= SAME * kernel:
            same += 1
            continue
        flagged += 1
        middle = model.part.box.mean(axis=0)
        a, b, c = (model.mesh.points[model.mesh.triangles[:, k]] - middle for k in range(3))
        mesh = float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)
        sys.stdout.write(
            f"flagged  {name}: {ours:.9g} mm3, kernel {kernel / ours - 1.0:+.1e}, mesh {mesh / ours - 1.0:+.1e}"
            f"{'; warned' if model.part.source.warnings else ''}\n"
        )
        sys.stdout.flush()
    sys.stdout.write(f"\n{same} within {SAME:g} of the kernel's integral, {flagged} flagged, {refused} refused\n")


if __name__ == "__main__":
    main()
