"""What the tests let run in a sandbox's child: functions that give back little."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fettle.errors import FettleError
from fettle.geometry import warmup
from fettle.geometry.load import load
from fettle.geometry.meshing.weld import open_edges
from fettle.geometry.model import Model


@dataclass(frozen=True, slots=True)
class Facts:
    """Of a part that was read: `meshed_mm3` is the volume that its mesh encloses, `open_edges` counts the edges of
    triangles that no other has."""

    volume_mm3: float
    meshed_mm3: float
    area_mm2: float
    faces: int
    watertight: bool
    open_edges: int
    warnings: tuple[str, ...]


def warm_up() -> None:
    """Called once in the fork server."""
    warmup.warm_up()


def facts(data: bytes, filename: str) -> Facts:
    return facts_of(load(data, filename))


def facts_of(model: Model) -> Facts:
    a, b, c = (model.mesh.points[model.mesh.triangles[:, k]] for k in range(3))
    middle = model.part.box.mean(axis=0)
    meshed = float(np.einsum("ij,ij->", a - middle, np.cross(b - middle, c - middle)) / 6)
    part = model.part
    open_count = len(open_edges(model.mesh.welded))
    return Facts(
        part.volume_mm3, meshed, part.area_mm2, len(part.faces), part.watertight, open_count, part.source.warnings
    )


def outcomes(files: list[tuple[str, bytes]]) -> list[tuple[str, str | None]]:
    """For each file its name and the refusal's text, None where there is an answer."""
    said: list[tuple[str, str | None]] = []
    for name, data in files:
        try:
            facts(data, name)
        except FettleError as refused:
            said.append((name, str(refused)))
        else:
            said.append((name, None))
    return said
