"""Two oracles for the holes of the NIST test cases that share nothing with recognition.

`callouts`: the diameters that the file's own PMI asks for, each with the round faces it is tied to, read from the
file's text. `plain_bores`: every internal cylinder that closes around its axis, straight from the kernel: faces on one
axis line with one radius, angles added up. No part reader and no face graph of ours is involved.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_SurfaceType
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS


@dataclass(frozen=True, slots=True)
class Callout:
    """A diameter of the PMI, in the file's unit, with the axes (origin, direction) of the round faces it is tied to."""

    diameter: float
    axes: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlainBore:
    """A closed internal cylinder; `low_mm`, `high_mm` along `axis` from `origin`."""

    origin: NDArray[np.float64]
    axis: NDArray[np.float64]
    radius_mm: float
    low_mm: float
    high_mm: float


def callouts(path: Path) -> list[Callout]:
    """Every diameter dimension of the file that has a value and is tied to cylinders."""
    entities = _entities(path)
    tied: dict[int, list[int]] = {}
    parts: dict[int, list[int]] = {}
    values: dict[int, float] = {}
    for body in entities.values():
        name, numbers = body.split("(")[0].strip(), _references(body)
        if name == "GEOMETRIC_ITEM_SPECIFIC_USAGE":
            tied.setdefault(numbers[0], []).extend(numbers[2:])
        elif name == "SHAPE_ASPECT_RELATIONSHIP":
            parts.setdefault(numbers[0], []).append(numbers[1])
        elif name == "DIMENSIONAL_CHARACTERISTIC_REPRESENTATION":
            sizes = [
                re.search(r"LENGTH_MEASURE\(([^)]*)\)", entities[item]) for item in _references(entities[numbers[1]])
            ]
            given = [float(size[1]) for size in sizes if size]
            if given:
                values[numbers[0]] = given[0]

    def faces(aspect: int) -> list[int]:
        return [*tied.get(aspect, ()), *(face for one in parts.get(aspect, ()) for face in faces(one))]

    found = []
    for number, body in sorted(entities.items()):
        if body.startswith("DIMENSIONAL_SIZE") and "'diameter'" in body and number in values:
            axes = {axis for face in faces(_references(body)[0]) if (axis := _axis(entities, face)) is not None}
            if axes:
                found.append(Callout(values[number], tuple(sorted(axes))))
    return found


def _entities(path: Path) -> dict[int, str]:
    text = path.read_text(errors="replace").replace("\r", "").replace("\n", "")
    return {int(number): body.strip() for number, body in re.findall(r"#(\d+)\s*=\s*(.*?);(?=\s*(?:#|ENDSEC))", text)}


def _references(body: str) -> list[int]:
    return [int(number) for number in re.findall(r"#(\d+)", body)]


def _axis(entities: dict[int, str], face: int) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Origin and direction of the cylinder under an ADVANCED_FACE."""
    if not entities[face].startswith("ADVANCED_FACE"):
        return None
    surface = entities[_references(entities[face])[-1]]
    if not surface.startswith("CYLINDRICAL_SURFACE"):
        return None
    origin, direction = _references(entities[_references(surface)[0]])[:2]
    return _numbers(entities[origin]), _numbers(entities[direction])


def _numbers(body: str) -> tuple[float, ...]:
    inner = re.search(r"\(([^()]*)\)\s*\)", body)
    if inner is None:
        raise ValueError(f"no coordinates in {body}")
    return tuple(float(number) for number in inner[1].split(","))


def plain_bores(path: Path) -> list[PlainBore]:
    """Every internal cylinder of at least 350 degrees, faces of one radius on one stretch of one axis together."""
    reader = STEPControl_Reader()
    if reader.ReadFile(str(path)) != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise ValueError(f"the kernel cannot read {path.name}")
    reader.TransferRoots()
    explorer = TopExp_Explorer(reader.OneShape(), TopAbs_ShapeEnum.TopAbs_FACE)
    rows: list[tuple[PlainBore, float]] = []
    while explorer.More():
        face = TopoDS.Face(explorer.Current())
        explorer.Next()
        surface = BRepAdaptor_Surface(face)
        if surface.GetType() != GeomAbs_SurfaceType.GeomAbs_Cylinder:
            continue
        cylinder = surface.Cylinder()
        outward = (face.Orientation() == TopAbs_Orientation.TopAbs_FORWARD) == cylinder.Position().Direct()
        if outward:
            continue
        place, way = cylinder.Axis().Location(), cylinder.Axis().Direction()
        bore = PlainBore(
            origin=np.array([place.X(), place.Y(), place.Z()]),
            axis=np.array([way.X(), way.Y(), way.Z()]),
            radius_mm=cylinder.Radius(),
            low_mm=surface.FirstVParameter(),
            high_mm=surface.LastVParameter(),
        )
        rows.append((bore, surface.LastUParameter() - surface.FirstUParameter()))
    return _closed(rows)


def _closed(rows: list[tuple[PlainBore, float]]) -> list[PlainBore]:
    found: list[tuple[PlainBore, float]] = []
    for bore, angle in rows:
        for index, (other, so_far) in enumerate(found):
            span = _span_on(other, bore)
            if span is None:
                continue
            common = min(other.high_mm, span[1]) - max(other.low_mm, span[0])
            if common > 0.5 * (span[1] - span[0]):
                low, high = min(other.low_mm, span[0]), max(other.high_mm, span[1])
                found[index] = (PlainBore(other.origin, other.axis, other.radius_mm, low, high), so_far + angle)
                break
        else:
            found.append((bore, angle))
    return [bore for bore, angle in found if angle >= math.radians(350.0)]


def _span_on(one: PlainBore, two: PlainBore) -> tuple[float, float] | None:
    """Axial range of the second along the first, None when they are not one cylinder."""
    if abs(one.radius_mm - two.radius_mm) > 1e-3 or not on_line(one.origin, one.axis, two.origin, two.axis):
        return None
    start = float((two.origin - one.origin) @ one.axis)
    sense = 1.0 if float(one.axis @ two.axis) > 0 else -1.0
    low, high = sorted((start + sense * two.low_mm, start + sense * two.high_mm))
    return low, high


def on_line(
    origin: NDArray[np.float64], axis: NDArray[np.float64], point: NDArray[np.float64], direction: NDArray[np.float64]
) -> bool:
    """Whether a second axis lies on the first, within 1e-2 mm."""
    away = point - origin
    beside = float(np.linalg.norm(away - float(away @ axis) * axis))
    return beside < 1e-2 and float(np.linalg.norm(np.cross(axis, direction))) < 1e-4
