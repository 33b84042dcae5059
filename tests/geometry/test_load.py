"""`load` from the bytes of every format, in every unit."""

from __future__ import annotations

import pytest

from fettle.errors import BadRequest
from fettle.geometry.load import load
from fettle.geometry.part import Convexity, Plane
from tests.geometry.gltf_files import Builder
from tests.geometry.meshes import CUBE_CORNERS, CUBE_TRIANGLES


def unit_cube() -> Builder:
    builder = Builder()
    builder.primitive(builder.add(CUBE_CORNERS), builder.add(CUBE_TRIANGLES.ravel(), "u2"))
    return builder


@pytest.mark.parametrize(("units", "side_mm"), [("m", 1000.0), ("cm", 10.0), ("mm", 1.0), ("in", 25.4)])
def test_a_gltf_cube_of_one_unit(units: str, side_mm: float) -> None:
    model = load(unit_cube().glb(), "cube.GLB", units=units)
    part = model.part
    assert part.volume_mm3 == pytest.approx(side_mm**3, rel=1e-9)
    assert part.area_mm2 == pytest.approx(6 * side_mm**2, rel=1e-9)
    assert part.size_mm == pytest.approx([side_mm] * 3, rel=1e-9)
    assert [type(face.surface) for face in part.faces] == [Plane] * 6
    assert [edge.convexity for edge in part.edges] == [Convexity.CONVEX] * 12
    assert (part.source.format, part.source.length_unit, part.source.exact) == ("GLB", units, False)
    assert part.watertight
    assert len(model.mesh.triangles) == 12


def test_a_gltf_is_in_meters_unless_another_unit_is_named() -> None:
    assert load(unit_cube().gltf(), "cube.gltf").part.volume_mm3 == pytest.approx(1e9)


def test_an_unknown_unit_is_the_callers_fault() -> None:
    with pytest.raises(BadRequest, match="yd"):
        load(unit_cube().glb(), "cube.glb", units="yd")
