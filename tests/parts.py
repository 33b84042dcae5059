"""Sample parts for the tests of library, command line, HTTP API and agent tools, as CSG trees; lengths in mm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fettle.geometry.csg import build


def hole(d: float, x: float, y: float, h: float = 60.0) -> dict[str, Any]:
    """A cylinder to cut with, along Z, from below the part."""
    return {"move": {"of": {"cylinder": {"d": d, "h": h}}, "by": [x, y, -5]}}


BLOCK = {"cut": [{"box": [60, 40, 30]}, hole(10, 20, 20)]}
"""72 - 0.75 pi cm3; one through hole of 10 mm."""

DRILLED = {"cut": [{"box": [60, 40, 30]}, hole(12, 20, 20), hole(1, 50, 20)]}
"""The block revised: its hole is 12 mm wide, and there is one of 1 mm, 30 diameters deep."""

TRAY = {"shell": {"of": {"box": [50, 40, 20]}, "t": 2, "open": [[25, 20, 20]]}}
PEG = {"union": [{"box": [40, 40, 6]}, {"move": {"of": {"cylinder": {"d": 12, "h": 20}}, "by": [20, 20, 6]}}]}
STEPPED = {"cut": [{"box": [50, 30, 20]}, {"move": {"of": {"box": [20, 30, 8]}, "by": [15, 0, 12]}}]}

CSG_TREES: dict[str, dict[str, Any]] = {"block": BLOCK, "tray": TRAY, "peg": PEG, "stepped": STEPPED}


def write_parts(folder: Path) -> dict[str, Path]:
    """Write four STEP files and one GLB file into a folder; their paths by name."""
    from fettle.geometry.gltf.writer import write_glb
    from fettle.geometry.load import load

    paths = {}
    for name, tree in CSG_TREES.items():
        paths[name] = folder / f"{name}.step"
        paths[name].write_bytes(build(tree))
    mesh = load(paths["stepped"].read_bytes(), "stepped.step").mesh
    paths["mesh"] = folder / "mesh.glb"
    paths["mesh"].write_bytes(write_glb(mesh))
    return paths
