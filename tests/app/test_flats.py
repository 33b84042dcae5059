"""The flat as DXF and SVG, read back by a reader that shares no code with the writer."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fettle.app.flats.dxf import write_dxf
from fettle.app.flats.request import FlatRequest
from fettle.app.flats.svg import write_svg
from fettle.app.flats.unfolding import unfold_part
from fettle.errors import BadRequest
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.results.flat import FlatPattern
from tests.app.dxf_reader import closed_loops, read_dxf
from tests.recognize.sheets import SHEETS
from tests.sheet.parts import CONE, FOLDED, cone
from tests.sheet.test_unfold import read

MADE = ("made/prusa-mini/MINI-bearing-clip.stp", "made/analysis-situs/rear_camera_mount.stp")


def part_named(name: str) -> Part:
    if name == "cone":
        return read(cone(**CONE))
    return read(FOLDED[name].recipe if name in FOLDED else SHEETS[name][0])


def check_dxf(flat: FlatPattern) -> None:
    found = read_dxf(write_dxf(flat))
    assert (found.version, found.units) == ("AC1018", 4)
    assert {"CUT", "BEND_UP", "BEND_DOWN", "ENGRAVE"} <= set(found.layers)
    assert {one.kind for one in found.entities} <= {"LINE", "ARC", "CIRCLE"}
    loops = closed_loops(found.on("CUT"))
    areas = sorted((area for area, _ in loops), reverse=True)
    assert len(areas) == flat.pierces
    assert areas[0] - sum(areas[1:]) == pytest.approx(flat.area_mm2, rel=1e-6)
    shown = [(one.kind, sorted(one.codes.items())) for one in found.entities]
    unique = {str([pair for pair in codes if pair[0] != 5]) + kind for kind, codes in shown}
    assert len(unique) == len(shown), "an entity stands there twice"
    for direction in ("up", "down"):
        drawn = sum(math.dist(*one.ends()) for one in found.on(f"BEND_{direction.upper()}"))
        told = sum(bend.length_mm for bend in flat.bends if bend.direction == direction)
        assert drawn == pytest.approx(told, rel=1e-6)


@pytest.mark.parametrize(
    "name",
    [
        "channel",
        "Z bracket",
        "tray with four flanges",
        "hole across a bend",
        "plate with holes",
        "bend cut by a slot",
        "collar",
        "curl",
        "rolled 300 degrees",
        "cone",
    ],
)
def test_dxf_read_back(name: str) -> None:
    check_dxf(unfold_part(part_named(name), FlatRequest()))


@pytest.mark.parametrize("name", MADE)
def test_real_sheet_parts(corpus: Path, name: str) -> None:
    part = load((corpus / name).read_bytes(), name).part
    flat = unfold_part(part, FlatRequest(k_factor=0.5))
    assert flat.area_mm2 * flat.thickness_mm == pytest.approx(part.volume_mm3, rel=1e-6)
    assert flat.refold.max_deviation_mm < 0.01
    assert flat.refold.box_error_mm is not None
    assert flat.refold.box_error_mm < 0.01
    check_dxf(flat)


def test_same_flat_same_bytes() -> None:
    flat = unfold_part(part_named("channel"), FlatRequest())
    assert write_dxf(flat) == write_dxf(flat)


def test_svg_is_a_drawing_of_every_loop_and_bend() -> None:
    flat = unfold_part(part_named("bend cut by a slot"), FlatRequest())
    root = ElementTree.fromstring(write_svg(flat))
    kinds = [one.tag.rsplit("}", 1)[-1] for one in root.iter()]
    assert kinds.count("line") == 2
    (path,) = (one for one in root.iter() if one.get("class") == "cut")
    assert (path.get("d") or "").count("M") == 2


def test_record() -> None:
    flat = unfold_part(part_named("channel"), FlatRequest(k_factor=0.43, material="S235"))
    assert flat.size_mm[0] == pytest.approx(192.98495499, abs=1e-6)
    assert flat.mass_kg == pytest.approx(192.98495499 * 40 * 2 * 7.85e-6, rel=1e-6)
    assert flat.allowance.to_dict() == {"method": "k-factor", "k_factor": 0.43, "source": "given"}
    assert [bend.deduction_mm for bend in flat.bends] == pytest.approx([3.5075225] * 2)
    # 8 t of die: 1.42 x 435 x 4 x 40 / 16 N
    assert flat.bends[0].force_kn == pytest.approx(1.42 * 435 * 4 * 40 / 16 / 1000)
    fids = [fid for panel in flat.panels for fid in panel.fids]
    assert len(fids) == len(set(fids)) == 10
    assert FlatPattern.from_dict(flat.to_dict()).to_dict() == flat.to_dict()
    # rows: (2000 - 20 + 2) // (192.98 + 2) = 10 by (1000 - 20 + 2) // 42 = 23; turned 47 by 5
    assert (flat.sheets[0].count, flat.sheets[0].turned) == (235, True)


def test_one_way_to_develop_bends() -> None:
    with pytest.raises(BadRequest, match="one of"):
        FlatRequest(k_factor=0.4, din_6935=True)
