"""A small DXF reader of our own, after Autodesk's DXF reference: pairs of a group code and a value, line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Entity:
    """An entity of the ENTITIES section: its type, layer, and first value of every group code."""

    kind: str
    layer: str
    codes: dict[int, str]

    def number(self, code: int) -> float:
        return float(self.codes[code])

    def ends(self) -> tuple[Point, Point]:
        """Start and end of a LINE or an ARC (counterclockwise, as the format has it)."""
        if self.kind == "LINE":
            return (self.number(10), self.number(20)), (self.number(11), self.number(21))
        return self._at(50), self._at(51)

    def _at(self, code: int) -> Point:
        angle = math.radians(self.number(code))
        radius = self.number(40)
        return self.number(10) + radius * math.cos(angle), self.number(20) + radius * math.sin(angle)


@dataclass(frozen=True)
class Dxf:
    version: str
    units: int
    layers: tuple[str, ...]
    entities: tuple[Entity, ...]

    def on(self, layer: str) -> list[Entity]:
        return [one for one in self.entities if one.layer == layer]


def read_dxf(data: bytes) -> Dxf:
    pairs = list(_pairs(data.decode("cp1252")))
    header: dict[str, str] = {}
    layers, entities = [], []
    section = table = variable = ""
    current: tuple[str, dict[int, str]] | None = None
    for position, (code, value) in enumerate(pairs):
        if code == 0:
            if current is not None:
                entities.append(Entity(current[0], current[1].get(8, ""), current[1]))
                current = None
            if value == "SECTION":
                section = pairs[position + 1][1]
            elif value == "TABLE":
                table = pairs[position + 1][1]
            elif value == "LAYER" and table == "LAYER" and section == "TABLES":
                layers.append(next(text for number, text in pairs[position:] if number == 2))
            elif section == "ENTITIES" and value != "ENDSEC":
                current = (value, {})
        elif code == 9:
            variable = value
        elif section == "HEADER" and variable not in header:
            header[variable] = value
        elif current is not None:
            current[1].setdefault(code, value)
    return Dxf(header["$ACADVER"], int(header["$INSUNITS"]), tuple(layers), tuple(entities))


def closed_loops(entities: list[Entity], within_mm: float = 1e-5) -> list[tuple[float, list[Entity]]]:
    """Chains of lines and arcs that close, and circles, each with its area."""
    loops = [(math.pi * one.number(40) ** 2, [one]) for one in entities if one.kind == "CIRCLE"]
    left = [one for one in entities if one.kind in ("LINE", "ARC")]
    while left:
        first = left.pop(0)
        start, end = first.ends()
        chain = [(first, start, end)]
        while math.dist(start, end) > within_mm:
            following = min(left, key=lambda one: min(math.dist(end, point) for point in one.ends()))
            one, two = following.ends()
            if math.dist(end, one) > math.dist(end, two):
                one, two = two, one
            assert math.dist(end, one) < within_mm, f"a gap of {math.dist(end, one)} mm at {end}"
            left.remove(following)
            chain.append((following, one, two))
            end = two
        loops.append((abs(_area(chain)), [one for one, _, _ in chain]))
    return loops


def _area(chain: list[tuple[Entity, Point, Point]]) -> float:
    total = 0.0
    for entity, start, end in chain:
        total += start[0] * end[1] - end[0] * start[1]
        if entity.kind == "ARC":
            sweep = math.radians((entity.number(51) - entity.number(50)) % 360.0)
            forward = math.dist(start, entity.ends()[0]) < math.dist(start, entity.ends()[1])
            bulge = entity.number(40) ** 2 * (sweep - math.sin(sweep))
            total += bulge if forward else -bulge
    return total / 2


def _pairs(text: str) -> Iterator[tuple[int, str]]:
    lines = text.replace("\r\n", "\n").split("\n")
    for position in range(0, len(lines) - 1, 2):
        yield int(lines[position]), lines[position + 1].strip()
