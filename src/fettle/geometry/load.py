"""Bytes to a `Model`: the part and its base mesh. The only pass that needs the kernel."""

from __future__ import annotations

from pathlib import PurePath

from fettle.geometry.formats import Format, identify
from fettle.geometry.kernel.brep_file import read_native
from fettle.geometry.kernel.shape_to_part import read_part
from fettle.geometry.kernel.step import read_step
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.model import Model
from fettle.geometry.part import Source
from fettle.geometry.segmentation.mesh_part import read_gltf


def load(data: bytes, filename: str, options: MeshOptions = MeshOptions(), units: str = "m") -> Model:
    """Read a STEP, glTF or BREP file. `units` is the length unit of a glTF; a STEP file says its own, BREP is mm."""
    kind = identify(data, filename)
    name = PurePath(filename).name
    if kind is Format.BREP:
        solids, warnings = read_native(data, name)
        source = Source(kind.value, "Open CASCADE", "mm", exact=True, warnings=tuple(warnings))
        return Model(*read_part(solids, options, source, name), options)
    if kind is not Format.STEP:
        return Model(*read_gltf(data, name, units), options)
    step = read_step(data, name)
    source = Source(kind.value, step.schema, step.length_unit, exact=True, warnings=step.warnings)
    return Model(*read_part(step.shape, options, source, name), options)
