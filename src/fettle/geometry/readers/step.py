"""STEP (ISO 10303-21), read by the geometry kernel."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fettle.geometry.reader import BOM, Reader

if TYPE_CHECKING:
    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

_START = re.compile(rb"(?>\s|/\*.*?\*/)*+ISO-10303-21\s*;", re.DOTALL)
"""Nothing that was passed is tried another way: where a comment may end at any later end of one, thirty comments before
the wrong word would take hours, in the process that answers everybody."""


def _matches(data: bytes) -> bool:
    return _START.match(data.removeprefix(BOM)[:65536]) is not None


def _read(data: bytes, name: str, options: MeshOptions, unit: str) -> Model:
    from fettle.geometry.kernel.shape_to_part import read_part
    from fettle.geometry.kernel.step import read_step
    from fettle.geometry.kernel.step_pmi import with_pmi
    from fettle.geometry.model import Model
    from fettle.geometry.part import Source

    step = read_step(data, name)
    source = Source("STEP", step.schema, step.length_unit, exact=True, warnings=step.warnings)
    part, mesh = read_part(step.shape, options, source, name, step.names, step.sampled)
    return Model(with_pmi(part, step), mesh, options)


READERS = (
    Reader(
        name="STEP",
        extensions=(".step", ".stp"),
        media_type="model/step",
        matches=_matches,
        mismatch="does not start with 'ISO-10303-21;'",
        recognized_as="a STEP file; name it .step",
        read=_read,
        exact=True,
        over_http=True,
    ),
)
