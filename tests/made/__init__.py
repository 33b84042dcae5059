"""A small corpus of our own: parts described in `parts.yaml`, written as files of several formats and units."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


@dataclass(frozen=True)
class MadePart:
    """What is true of a part, in mm, mm2 and mm3. `severity`: worst verdict by `module:configuration`."""

    name: str
    recipe: Mapping[str, object]
    step_unit: str
    box_mm: tuple[float, float, float]
    volume_mm3: float
    area_mm2: float
    bodies: int
    features: Mapping[str, int]
    severity: Mapping[str, str]


@dataclass(frozen=True)
class MadeFile:
    """A part as a file. `units`: what the reader must be told; `tolerance`: relative, of volume and area."""

    part: MadePart
    path: Path
    units: str
    tolerance: float

    @property
    def box_mm(self) -> tuple[float, float, float]:
        """As the file has it: in a GLB the part stands upright with Y up."""
        x, y, z = self.part.box_mm
        return (x, z, y) if self.path.suffix == ".glb" else (x, y, z)


def made_parts() -> dict[str, MadePart]:
    document = yaml.safe_load((Path(__file__).parent / "parts.yaml").read_text(encoding="utf-8"))
    return {name: _part(name, truth) for name, truth in document["parts"].items()}


def write_made_corpus(folder: Path) -> list[MadeFile]:
    """Every part as STEP in its unit and as GLB in meters; the last also as a GLB whose numbers are millimeters."""
    from fettle.geometry.csg import build  # the kernel, which only its users wait for
    from fettle.geometry.gltf.writer import write_glb
    from fettle.geometry.load import load

    files = []
    for part in made_parts().values():
        step = folder / f"{part.name}.step"
        step.write_bytes(build(part.recipe, part.step_unit))
        files.append(MadeFile(part, step, "m", 1e-6))
        glb = folder / f"{part.name}.glb"
        glb.write_bytes(write_glb(load(step.read_bytes(), step.name).mesh))
        files.append(MadeFile(part, glb, "m", 5e-3))  # round faces are flat pieces there
    large = load(build({"scale": {"of": part.recipe, "by": 1000}}), "large.step")
    in_mm = folder / f"{part.name}-mm.glb"
    in_mm.write_bytes(write_glb(large.mesh))
    return [*files, MadeFile(part, in_mm, "mm", 1e-4)]


def _part(name: str, truth: dict[str, Any]) -> MadePart:
    return MadePart(
        name=name,
        recipe=truth["recipe"],
        step_unit=truth["step_unit"],
        box_mm=tuple(truth["box_mm"]),
        volume_mm3=_number(ast.parse(str(truth["volume_mm3"]), mode="eval").body),
        area_mm2=_number(ast.parse(str(truth["area_mm2"]), mode="eval").body),
        bodies=truth["bodies"],
        features=truth["features"],
        severity=truth["severity"],
    )


def _number(node: ast.expr) -> float:
    """The value of a formula of numbers, pi and the four operations and powers."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id="pi"):
            return math.pi
        case ast.BinOp(left=left, op=op, right=right):
            return float(_OPERATIONS[type(op)](_number(left), _number(right)))
    raise ValueError(f"no part of a formula: {ast.dump(node)}")
