"""IGES: volumes against formulas and against the same part in STEP, units, loose surfaces, and what is refused."""

from __future__ import annotations

import io
import math

import pytest
from OCP.IGESControl import IGESControl_Controller, IGESControl_Writer
from OCP.Message import Message
from OCP.TopoDS import TopoDS_Shape

from fettle.errors import Damaged, NoSolid, NotThatFormat
from fettle.geometry.kernel import solids
from fettle.geometry.load import load
from fettle.geometry.part import Cylinder
from tests.geometry import kernel_shapes as kernel

FACES, SOLIDS = 0, 1
"""How the writer puts a solid: as loose trimmed surfaces, or as a boundary representation."""


def iges_bytes(shape: TopoDS_Shape, unit: str = "MM", mode: int = SOLIDS) -> bytes:
    IGESControl_Controller.Init_s()
    Message.DefaultMessenger_s().ChangePrinters().Clear()
    writer = IGESControl_Writer(unit, mode)
    assert writer.AddShape(shape)
    writer.ComputeModel()
    written = io.BytesIO()
    assert writer.Write(written)
    return written.getvalue()


def bored_plate() -> TopoDS_Shape:
    bore = kernel.placed(solids.cylinder(8.0, 20.0), (20.0, 15.0, -5.0))
    return solids.cut(kernel.box(40, 30, 10), [bore])


PLATE_MM3 = 40 * 30 * 10 - math.pi * 4**2 * 10


@pytest.mark.parametrize("unit", ["MM", "IN"])
@pytest.mark.parametrize("mode", [FACES, SOLIDS])
def test_a_bored_plate_in_every_unit_as_solid_and_as_loose_surfaces(unit: str, mode: int) -> None:
    part = load(iges_bytes(bored_plate(), unit, mode), "plate.igs").part
    assert part.volume_mm3 == pytest.approx(PLATE_MM3, rel=1e-6)
    assert part.size_mm == pytest.approx([40, 30, 10], rel=1e-6)
    (bore,) = [face.surface for face in part.faces if isinstance(face.surface, Cylinder)]
    assert bore.radius_mm == pytest.approx(4.0, abs=1e-4)
    assert (part.source.format, part.source.schema, part.source.exact) == ("IGES", "5.3", True)
    assert part.source.length_unit == {"MM": "mm", "IN": "inch"}[unit]
    assert bool(part.source.warnings) == (mode == FACES)


@pytest.mark.parametrize("mode", [FACES, SOLIDS])
def test_the_same_part_in_step_has_the_same_volume(mode: int) -> None:
    funnel = kernel.placed(solids.cone(10.0, 20.0, 20.0), (15.0, 15.0, 0.0))
    block = solids.cut(kernel.box(30, 30, 20), [funnel])
    twin = load(solids.step_bytes(block, "mm"), "block.step").part
    part = load(iges_bytes(block, mode=mode), "block.iges").part
    assert twin.volume_mm3 == pytest.approx(30 * 30 * 20 - math.pi * 20 / 3 * (5**2 + 5 * 10 + 10**2), rel=1e-6)
    assert part.volume_mm3 == pytest.approx(twin.volume_mm3, rel=1e-6)


def test_refusals_say_what_is_wrong() -> None:
    data = iges_bytes(kernel.box(10, 10, 10))
    with pytest.raises(Damaged, match="truncated"):
        load(data[: len(data) // 2], "box.igs")
    with pytest.raises(NoSolid, match="surfaces only"):
        load(iges_bytes(kernel.compound(kernel.faces(kernel.box(10, 10, 10))[:5]), mode=FACES), "open.igs")
    with pytest.raises(NotThatFormat, match=r"it is an IGES file; name it \.igs"):
        load(data, "box.step")
    with pytest.raises(NotThatFormat, match="80-column"):
        load(b"hello", "box.igs")
