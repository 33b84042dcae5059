"""Warm-up: compiles and sets up what is compiled or set up on first use."""

from __future__ import annotations

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.pmi.instance_scan import find_instances

BORED: CsgNode = {"cut": [{"box": [20, 16, 8]}, {"move": {"of": {"cylinder": {"d": 5, "h": 8}}, "by": [10, 8, 0]}}]}
SAMPLE: CsgNode = {"bodies": [BORED, {"move": {"of": {"splines": {"of": BORED}}, "by": [30, 0, 0]}}]}
"""Analytic and freeform, flat and round."""


def warm_up() -> None:
    """Read, refine, write and read back a small part, as if it had tolerances; starts no thread, so a process may fork
    after it."""
    data = build(SAMPLE)
    model = load(data, "sample.step")
    find_instances(data)
    refine(model.mesh, model.part, MeshOptions())
    load(write_glb(model.mesh), "sample.glb")
