"""Volume, area and box of parts that are known by formula, read from STEP in several units and from bare triangles.

The parts are those of `tests/made/parts.yaml`, built by code. `off by` is the relative difference from the formula; a
GLB has flat pieces where the part is round.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import Table
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from tests.made import MadeFile, write_made_corpus


def tables() -> Iterator[Table]:
    with TemporaryDirectory() as folder:
        rows = tuple(_row(file) for file in write_made_corpus(Path(folder)))
    yield Table("", ("file", "volume mm3", "off by", "area mm2", "off by", "box off by", "bodies"), rows)


def _row(file: MadeFile) -> tuple[str, ...]:
    truth = file.part
    part = load(file.path.read_bytes(), file.path.name, MeshOptions(), file.units).part
    area_mm2 = sum(face.area_mm2 for face in part.faces)
    box = max(abs(ours / known - 1.0) for ours, known in zip(part.size_mm, file.box_mm, strict=True))
    return (
        *(file.path.name, f"{truth.volume_mm3:.3f}", f"{abs(part.volume_mm3 / truth.volume_mm3 - 1.0):.1e}"),
        *(f"{truth.area_mm2:.3f}", f"{abs(area_mm2 / truth.area_mm2 - 1.0):.1e}", f"{box:.1e}"),
        f"{len(part.bodies)} of {truth.bodies}",
    )
