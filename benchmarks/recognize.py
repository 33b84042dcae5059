"""CPU time of recognition, on real parts against the stock kernel (`floor`), on plates with more and more holes and on
shafts with more and more grooves.

Smallest CPU time in ms of five rounds in which recognition and floor alternate. The floor is the time of the stock
kernel to read and mesh the file. Real parts are all of the corpus with enough faces for it to matter.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.floor import Clock, floor, real_parts
from benchmarks.table import Table
from fettle.errors import InputRefused
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.part import (
    Body,
    Circle,
    Convexity,
    Cylinder,
    Edge,
    Face,
    Line,
    Loop,
    Part,
    Plane,
    Shell,
    Source,
    Vector,
)
from fettle.recognize import recognize
from fettle.recognize.graph_building import build_graph

PITCH, DIAMETER, THICKNESS = 10.0, 5.0, 20.0
ROUNDS = 5
FROM_FACES, ALLOWED_RATIO = 150, 0.15
"""Recognition of a real part of at least so many faces may take so much of the floor."""
NAN = (math.nan, math.nan)


def tables() -> Iterator[Table]:
    recognize(hole_plate(10))  # compiles
    columns = ("found", "faces", "ms", "us a face")
    plates = tuple(_counted(hole_plate(side), "HOLE") for side in (10, 20, 40, 80, 141))
    yield Table("Plate of holes", columns, plates)
    shafts = (load(build(grooved_shaft(count)), "part.step").part for count in (50, 200, 800, 5000))
    yield Table("Shaft with grooves", columns, tuple(_counted(shaft, "GROOVE") for shaft in shafts))
    real = ("part", "faces", "ms", "floor ms", "of the floor", "area in features")
    title = f"Real parts of {FROM_FACES} faces and more (at most {ALLOWED_RATIO} of the floor)"
    yield Table(title, real, tuple(_real_parts()))


def _counted(part: Part, kind: str) -> tuple[str, ...]:
    """Features of a kind that recognition finds, and its time."""
    start = time.process_time()
    found = recognize(part)
    spent = (time.process_time() - start) * 1e3
    count = sum(feature.kind == kind for feature in found.features)
    return str(count), str(len(part.faces)), f"{spent:.0f}", f"{spent * 1e3 / len(part.faces):.0f}"


def _real_parts() -> Iterator[tuple[str, ...]]:
    for path in real_parts():
        data = path.read_bytes()
        try:
            part = load(data, path.name).part
        except InputRefused:
            continue
        if len(part.faces) >= FROM_FACES:
            yield _real(path.name, data, part)


def _real(name: str, data: bytes, part: Part) -> tuple[str, ...]:
    clock = Clock()
    for _ in range(ROUNDS):
        build_graph.cache_clear()  # kept for the last part, which a part just read never is
        found = clock.time("recognize", recognize, part)
        clock.time("floor", floor, data)
    spent, floor_ms = clock.best_ms["recognize"], clock.best_ms["floor"]
    ratio, covered = f"{spent / floor_ms:.2f}", f"{found.coverage_area:.4f}"
    return name, str(len(part.faces)), f"{spent:.0f}", f"{floor_ms:.0f}", ratio, covered


def grooved_shaft(count: int) -> dict[str, Any]:
    """A shaft of 20 mm with a groove of 1 mm every 3 mm."""
    outline = [[0.0, 0.0], [10.0, 0.0]]
    for k in range(count):
        z = 3.0 * k + 2.0
        outline += [[10.0, z], [9.0, z], [9.0, z + 1.0], [10.0, z + 1.0]]
    end = 3.0 * count + 2.0
    return {"revolve": {"points": [*outline, [10.0, end], [0.0, end]]}}


def hole_plate(side: int) -> Part:
    """A plate with side x side through holes, built as plain data: the kernel would take minutes to cut it."""
    size = side * PITCH
    corners = np.array([[x, y, z] for z in (0.0, THICKNESS) for x, y in ((0, 0), (size, 0), (size, size), (0, size))])
    edges: list[Edge] = []

    def line(first: int, last: int, faces: tuple[int, int]) -> None:
        chord = corners[last] - corners[first]
        length = float(np.linalg.norm(chord))
        points = corners[[first, last]]
        edges.append(
            Edge(faces, Convexity.CONVEX, 90.0, (90.0, 90.0), length, Line(chord / length), (first, last), points)
        )

    for k in range(4):
        line(k, (k + 1) % 4, (0, 2 + k))
    for k in range(4):
        line(4 + k, 4 + (k + 1) % 4, (1, 2 + k))
    for k in range(4):
        line(k, 4 + k, (2 + k, 2 + (k - 1) % 4))
    bottom = [Loop((3, 2, 1, 0), (True,) * 4, True)]
    top = [Loop((4, 5, 6, 7), (False,) * 4, True)]
    walls = [Loop((k, 8 + (k + 1) % 4, 4 + k, 8 + k), (False, False, True, True), True) for k in range(4)]
    up = np.array([0.0, 0.0, 1.0])
    turn = np.linspace(0.0, 2 * math.pi, 25)
    ring = DIAMETER / 2 * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(25)])
    holes: list[Face] = []
    for i in range(side):
        for j in range(side):
            center = np.array([(i + 0.5) * PITCH, (j + 0.5) * PITCH, 0.0])
            number = 6 + len(holes)
            loops = []
            for face, z, loop_list in ((0, 0.0, bottom), (1, THICKNESS, top)):
                at = center + z * up
                curve = Circle(at, up, DIAMETER / 2, 360.0)
                vertex = 8 + len(edges)
                edges.append(
                    Edge(
                        (face, number),
                        Convexity.CONVEX,
                        90.0,
                        (90.0, 90.0),
                        math.pi * DIAMETER,
                        curve,
                        (vertex, vertex),
                        at + ring,
                    )
                )
                loop_list.append(Loop((len(edges) - 1,), (face == 1,), False))
                loops.append(Loop((len(edges) - 1,), (face == 0,), False))
            box = np.array([center - DIAMETER / 2, center + DIAMETER / 2])
            box[:, 2] = (0.0, THICKNESS)
            point = center + np.array([DIAMETER / 2, 0.0, THICKNESS / 2])
            holes.append(
                Face(
                    surface=Cylinder(center, up, DIAMETER / 2),
                    area_mm2=math.pi * DIAMETER * THICKNESS,
                    convex=False,
                    loops=tuple(loops),
                    shell=0,
                    body=0,
                    point=point,
                    normal=np.array([-1.0, 0.0, 0.0]),
                    centroid=center + THICKNESS / 2 * up,
                    u_range_rad=(0.0, 2 * math.pi),
                    v_range_mm=(0.0, THICKNESS),
                    box=box,
                )
            )
    open_area = size * size - len(holes) * math.pi * DIAMETER**2 / 4
    faces = [
        _flat(corners[0], -up, open_area, bottom, corners[:4]),
        _flat(corners[4], up, open_area, top, corners[4:]),
    ]
    for k, normal in enumerate(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))):
        around = corners[[k, (k + 1) % 4, 4 + k, 4 + (k + 1) % 4]]
        faces.append(_flat(corners[k], np.array(normal), size * THICKNESS, [walls[k]], around))
    volume = open_area * THICKNESS
    area = sum(face.area_mm2 for face in [*faces, *holes])
    every = (*faces, *holes)
    shell = Shell(tuple(range(len(every))), closed=True, volume_mm3=volume)
    box = np.array([corners.min(axis=0), corners.max(axis=0)])
    body = Body(0, (), volume, area, box)
    source = Source("STEP", "", "mm", exact=True, warnings=())
    return Part(every, tuple(edges), (shell,), (body,), volume, area, box, True, source)


def _flat(origin: Vector, normal: Vector, area: float, loops: list[Loop], around: Vector) -> Face:
    return Face(
        surface=Plane(origin, normal),
        area_mm2=area,
        convex=None,
        loops=tuple(loops),
        shell=0,
        body=0,
        point=around.mean(axis=0),
        normal=normal,
        centroid=around.mean(axis=0),
        u_range_rad=NAN,
        v_range_mm=NAN,
        box=np.array([around.min(axis=0), around.max(axis=0)]),
    )
