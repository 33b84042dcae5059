"""`fettle info` and `fettle convert` as a person or a script runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from fettle.cli import convert, info
from fettle.geometry.csg import build
from fettle.geometry.gltf.reader import read_triangles
from tests.geometry.gltf_files import Builder
from tests.geometry.meshes import CUBE_CORNERS, CUBE_TRIANGLES
from tests.geometry.pmi_files import plate


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bored plate and a hollow box in STEP, a cube in GLB, half a file."""
    folder = tmp_path_factory.mktemp("parts")
    plate = build(
        {"cut": [{"box": [40, 30, 10]}, {"move": {"of": {"cylinder": {"d": 8, "h": 10}}, "by": [20, 15, 0]}}]}, "in"
    )
    (folder / "plate.step").write_bytes(plate)
    (folder / "half.step").write_bytes(plate[: len(plate) // 2])
    (folder / "hollow.stp").write_bytes(build({"shell": {"of": {"box": [30, 30, 30]}, "t": 5}}))
    cube = Builder()
    cube.primitive(cube.add(CUBE_CORNERS), cube.add(CUBE_TRIANGLES.ravel(), "u2"))
    (folder / "cube.glb").write_bytes(cube.glb())
    return folder


def run(command: Any, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command.app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_info_in_json_has_quick_infos_geometry_and_what_else_is_known(folder: Path) -> None:
    code, out, _ = run(info, str(folder / "plate.step"), "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["geometry"]["volume_cm3"] == pytest.approx(12 - np.pi * 0.16, rel=1e-6)
    assert answer["geometry"]["surface_area_cm2"] == pytest.approx(38 - 2 * np.pi * 0.16 + np.pi * 0.8, rel=1e-6)
    assert answer["geometry"]["bounding_box_mm"] == pytest.approx({"x": 40, "y": 30, "z": 10})
    assert answer["stats"]["n_faces"] == 7
    assert answer["stats"]["n_edges"] == 14
    rest = {
        key: answer[key]
        for key in ("bodies", "voids", "watertight", "format", "schema", "length_unit", "exact", "warnings")
    }
    assert rest == {
        "bodies": 1,
        "voids": 0,
        "watertight": True,
        "format": "STEP",
        "schema": "AP214",
        "length_unit": "inch",
        "exact": True,
        "warnings": [],
    }


@pytest.mark.parametrize(("units", "side_cm"), [("m", 100.0), ("mm", 0.1)])
def test_info_of_a_glb(folder: Path, units: str, side_cm: float) -> None:
    code, out, _ = run(info, str(folder / "cube.glb"), "--json", "--units", units)
    answer = json.loads(out)
    assert code == 0
    assert answer["geometry"]["volume_cm3"] == pytest.approx(side_cm**3)
    assert answer["stats"]["n_faces"] == 6
    assert (answer["format"], answer["exact"]) == ("GLB", False)


def test_info_of_several_files_says_all_and_ends_with_one_when_one_was_refused(folder: Path) -> None:
    files = [str(folder / name) for name in ("hollow.stp", "half.step")]
    code, out, err = run(info, *files)
    assert code == 1
    assert "19 cm3" in out
    assert "voids 1" in out
    assert "truncated" in err
    code, out, _ = run(info, "--json", *files)
    good, refused = json.loads(out)["results"]
    assert code == 1
    assert good["geometry"]["volume_cm3"] == pytest.approx(19)
    assert refused["code"] == "damaged_file"
    assert "send it again" in refused["error"]


def test_wrong_usage_ends_with_two(folder: Path) -> None:
    assert run(info, str(folder / "absent.step"))[0] == 2
    assert run(info)[0] == 2
    assert run(convert, str(folder / "absent.step"))[0] == 2
    assert run(convert, str(folder / "cube.glb"))[0] == 2  # it would overwrite itself
    assert run(convert, str(folder / "plate.step"), "-o", str(folder / "no" / "such" / "folder.glb"))[0] == 2
    code, _, err = run(info, str(folder / "cube.glb"), "--units", "yd")
    assert code == 2
    assert "yd" in err


def test_convert_writes_a_glb_in_metres_that_reads_back(folder: Path) -> None:
    target = folder / "out.glb"
    code, out, _ = run(convert, str(folder / "hollow.stp"), "-o", str(target), "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["output_bytes"] == target.stat().st_size
    assert answer["volume_cm3"] == pytest.approx(19)
    assert answer["bounding_box"] == pytest.approx({"x_mm": 30, "y_mm": 30, "z_mm": 30})
    corners = read_triangles(target.read_bytes(), "out.glb", "m").corners
    a, b, c = (corners[:, k] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(19000, rel=1e-5)


def test_convert_refuses_with_one_and_writes_nothing(folder: Path) -> None:
    code, _, err = run(convert, str(folder / "half.step"))
    assert code == 1
    assert "truncated" in err
    assert not (folder / "half.glb").exists()


def test_info_lists_the_tolerances_of_a_file_and_says_where_there_are_none(folder: Path) -> None:
    bored = folder / "toleranced.step"
    bored.write_bytes(plate().toleranced(nominal=8.5))
    code, out, _ = run(info, str(bored), "--pmi", "--format", "json")
    pmi = json.loads(out)["pmi"]
    (size,) = pmi["dimensions"]
    assert code == 0
    assert (size["kind"], size["nominal_mm"], size["lower"], size["upper"]) == ("diameter", 8.5, 8.5, 8.536)
    assert size["it_grade"] == 9
    assert size["fids"] == size["features"]
    assert [one["kind"] for one in pmi["tolerances"]] == ["flatness", "perpendicularity"]
    assert [(one["label"], len(one["fids"])) for one in pmi["datums"]] == [("A", 1)]
    assert [(one["standard"], one["tolerance_class"], one["geometry_class"]) for one in pmi["general"]] == [
        ("ISO 2768", "m", "K")
    ]
    assert [(one["kind"], one["ra_um"]) for one in pmi["call_outs"]] == [("diameter", None), ("finish", 1.6)]
    assert [(one["rule"], one["stated"], one["found"]) for one in pmi["checks"]] == [("nominal_differs", 8.5, 8.0)]
    _, out, _ = run(info, str(bored), str(folder / "plate.step"), "--pmi")
    assert "perpendicularity diameter 0.1 mm (M) | A" in out
    assert "pmi      none: the file carries no dimensions or tolerances" in out
    _, out, _ = run(info, str(folder / "plate.step"), "--json")
    assert "pmi" not in json.loads(out)
