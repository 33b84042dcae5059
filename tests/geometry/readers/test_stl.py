"""STL: volumes of known solids in every unit, the holes of a part, and hostile files."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.errors import Damaged, InputRefused, NoSolid, NotThatFormat, OutOfBounds, TooDetailed
from fettle.geometry.csg import build
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.part import Cylinder, Part, Plane
from fettle.geometry.segmentation.triangles import MAX_TRIANGLES
from tests.geometry.meshes import CUBE_CORNERS, CUBE_TRIANGLES

CUBE = CUBE_CORNERS[CUBE_TRIANGLES]
"""Corners (12, 3, 3) of a cube of side 1."""


def binary(corners: NDArray[np.float64], header: bytes = b"made by hand", count: int | None = None) -> bytes:
    rows = np.zeros(len(corners), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    rows["corners"] = corners
    return header.ljust(80, b" ") + struct.pack("<I", len(corners) if count is None else count) + rows.tobytes()


def text(corners: NDArray[np.float64], solid: str = "cube") -> bytes:
    lines = [f"solid {solid}"]
    for triangle in corners:
        vertices = [f"   vertex {x:.9e} {y:.9e} {z:.9e}" for x, y, z in triangle.tolist()]
        lines += [" facet normal 0 0 0", "  outer loop", *vertices, "  endloop", " endfacet"]
    return "\n".join([*lines, f"endsolid {solid}", ""]).encode()


@pytest.mark.parametrize(("units", "side_mm"), [(None, 1.0), ("mm", 1.0), ("cm", 10.0), ("m", 1000.0), ("in", 25.4)])
@pytest.mark.parametrize("write", [binary, text])
def test_a_cube_of_one_unit(write: object, units: str | None, side_mm: float) -> None:
    part = load(write(CUBE), "cube.STL", units=units).part  # type: ignore[operator]
    assert part.volume_mm3 == pytest.approx(side_mm**3, rel=1e-6)
    assert [type(face.surface) for face in part.faces] == [Plane] * 6
    assert (part.source.format, part.source.length_unit, part.source.exact) == ("STL", units or "mm", False)


def test_a_binary_file_may_begin_with_the_word_solid_and_a_text_may_hold_two_solids() -> None:
    assert load(binary(CUBE, b"solid exported by some system"), "cube.stl").part.volume_mm3 == pytest.approx(1.0)
    both = text(CUBE) + text(CUBE + np.array([3.0, 0.0, 0.0]), "vertex of another").replace(b"\n", b"\r\n")
    part = load(both, "two.stl").part
    assert len(part.bodies) == 2
    assert part.volume_mm3 == pytest.approx(2.0)


def bores(part: Part) -> list[tuple[float, bool]]:
    surfaces = [(face.surface, face.convex) for face in part.faces]
    return sorted((round(one.radius_mm, 2), bool(convex)) for one, convex in surfaces if isinstance(one, Cylinder))


def test_the_holes_of_a_part_are_those_that_gltf_gives() -> None:
    bore = [{"move": {"of": {"cylinder": {"d": d, "h": 12}}, "by": [x, 15, -1]}} for d, x in ((8, 12), (5, 28))]
    mesh = load(build({"cut": [{"box": [40, 30, 10]}, *bore]}), "plate.step").mesh
    part = load(binary(mesh.points[mesh.triangles]), "plate.stl").part
    assert bores(part) == bores(load(write_glb(mesh), "plate.glb").part) == [(2.5, False), (4.0, False)]
    # chords of the bores leave a little more material than the exact part has
    assert part.volume_mm3 == pytest.approx(12000 - 10 * math.pi * (4**2 + 2.5**2), rel=1e-2)


HOSTILE: dict[str, tuple[bytes, type[Exception], str]] = {
    "count above length": (binary(CUBE, count=13), Damaged, "announces 13 triangles"),
    "count of four billion": (binary(CUBE, count=2**32 - 1), Damaged, "4294967295 triangles"),
    "bytes after the end": (binary(CUBE) + b"more", Damaged, "688"),
    "too short": (b"\x00" * 83, NotThatFormat, "long enough"),
    "no triangles": (binary(CUBE[:0]), NoSolid, "no triangles"),
    "not a number": (binary(np.where(CUBE == 1.0, np.nan, CUBE)), Damaged, "finite"),
    "far away": (binary(CUBE * 1e9), OutOfBounds, "no part is there"),
    "one side open": (binary(CUBE[:10]), NoSolid, "open"),
    "truncated text": (text(CUBE)[:-40], Damaged, "truncated"),
    "no endsolid": (text(CUBE).replace(b"endsolid cube", b""), Damaged, "endsolid"),
    "words for numbers": (text(CUBE).replace(b"vertex 0.000000000e+00", b"vertex zero", 1), Damaged, "not a number"),
    "infinite text": (text(CUBE).replace(b"1.000000000e+00", b"inf"), Damaged, "finite"),
    "two vertices": (text(CUBE).replace(b"   vertex", b"   edge", 1), Damaged, "35 vertices in 12 facets"),
    "too many": (b"solid a\n" + b"endfacet\n" * (MAX_TRIANGLES + 1), TooDetailed, "coarser"),
    "another format": (b"ISO-10303-21;", NotThatFormat, "STEP file; name it .step"),
}


@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused_with_the_reason(case: tuple[bytes, type[Exception], str]) -> None:
    data, error, reason = case
    with pytest.raises(error, match=reason) as refused:
        load(data, "part.stl")
    assert isinstance(refused.value, InputRefused | TooDetailed)
