"""Names of bodies from STEP files: products, and solids where a product has several."""

from __future__ import annotations

from pathlib import Path

from fettle.geometry.csg import build
from fettle.geometry.load import load
from tests.assemblies import BRACKET, PIN, Placed, write_assembly
from tests.real_parts import read


def names_of(data: bytes) -> list[str]:
    return [body.name for body in load(data, "part.step").part.bodies]


def test_each_body_has_the_name_of_its_product() -> None:
    placed = [Placed("bracket"), Placed("Stift Ø4", move_mm=(100, 0, 0)), Placed("bracket", (1, 0, 0), 90, (0, 200, 0))]
    assert names_of(write_assembly({"bracket": BRACKET, "Stift Ø4": PIN}, placed)) == ["bracket", "Stift Ø4", "bracket"]


def test_a_name_that_the_kernel_gave_is_none() -> None:
    """As FreeCAD and others write products that nobody named."""
    first, second = "Open CASCADE STEP translator 7.8 1.1", "Open CASCADE STEP translator 7.8 1.2"
    placed = [Placed(first), Placed("Stift", move_mm=(100, 0, 0)), Placed(second, move_mm=(0, 200, 0))]
    assert names_of(write_assembly({first: BRACKET, "Stift": PIN, second: PIN}, placed)) == ["", "Stift", ""]
    one = write_assembly({first: BRACKET}, [Placed(first)])
    assert names_of(one) == ["assembly"]
    assert names_of(one.replace(b"'assembly'", f"'{second}'".encode())) == [""]


def test_one_body_has_the_name_of_the_part() -> None:
    assert names_of(build(PIN)) == ["part"]


def test_boxes_of_bodies_are_exact() -> None:
    data = write_assembly({"pin": PIN}, [Placed("pin"), Placed("pin", (0, 1, 0), 90, (50, 0, 0))])
    boxes = [(body.box[1] - body.box[0]).round(6).tolist() for body in load(data, "pins.step").part.bodies]
    assert boxes == [[4, 4, 20], [20, 4, 4]]


def test_names_of_real_files(corpus: Path) -> None:
    model = read(corpus / "made" / "voron" / "MiniSB_adxl_mount_ldo_15mm_c_c.step")
    names = [body.name for body in model.part.bodies]
    assert len(names) == 12
    assert [name for name in names if "SHCS" in name] == ["M2x6 SHCS:2", "M2x6 SHCS:3"]
    assert [name for name in names if "BHCS" in name] == ["M3x12 BHCS (2) Body1", "M3x12 BHCS (2) Body2"]


def test_sub_assemblies_that_hold_a_body_are_named(corpus: Path) -> None:
    model = read(corpus / "made" / "voron" / "Hotend_Mount_Bambu_X1C.step")
    bodies = {body.name: body.groups for body in model.part.bodies}
    assert bodies["2_nozzle"] == ("Bambulabs X1C Hotend",)
    assert bodies["M3x25 BHCS"] == ("Hardware",)
    assert bodies["Hotend_Mount_Bambu_X1C"] == ()
