"""`fettle unfold` as a person or a script runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fettle.cli import unfold
from fettle.geometry.csg import build
from tests.app.dxf_reader import closed_loops, read_dxf
from tests.recognize.sheets import strip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets")
    (folder / "channel.step").write_bytes(build(strip([46, 92, 46], [90, 90], 2, 2, 40)))
    (folder / "block.step").write_bytes(build({"box": [40, 30, 28]}))
    ring = {"revolve": {"points": [[20, 0], [21, 0], [21, 40], [20, 40]], "deg": 360}}
    (folder / "tube.step").write_bytes(build(ring))
    (folder / "bends.csv").write_text(
        "thickness_mm,inner_radius_mm,angle_deg,deduction_mm\n2,2,90,3.6\n", encoding="utf-8"
    )
    return folder


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(unfold.app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_channel_as_json_and_dxf(folder: Path) -> None:
    target = folder / "flat.dxf"
    asked = (str(folder / "channel.step"), "-o", str(target), "--k-factor", "0.43", "--format", "json")
    code, out, _ = run(*asked)
    assert code == 0
    flat = json.loads(out)
    assert flat["size_mm"] == pytest.approx([192.98495499, 40], abs=1e-6)
    assert flat["allowance"] == {"method": "k-factor", "k_factor": 0.43, "source": "given"}
    assert [bend["direction"] for bend in flat["bends"]] == ["up", "up"]
    assert flat["refold"]["max_deviation_mm"] < 1e-9
    ((area, _),) = closed_loops(read_dxf(target.read_bytes()).on("CUT"))
    assert area == pytest.approx(192.98495499 * 40, rel=1e-6)


def test_methods(folder: Path) -> None:
    part = str(folder / "channel.step")
    _, by_din, _ = run(part, "--din-6935", "--format", "json")
    assert json.loads(by_din)["size_mm"][0] == pytest.approx(200 - 2 * 3.8373897, abs=1e-6)
    _, by_table, _ = run(part, "--table", str(folder / "bends.csv"), "--format", "json")
    assert json.loads(by_table)["size_mm"][0] == pytest.approx(200 - 2 * 3.6, abs=1e-6)
    assert {bend["method"] for bend in json.loads(by_table)["bends"]} == {"table"}


def test_text_and_svg(folder: Path) -> None:
    code, out, _ = run(str(folder / "channel.step"), "-o", str(folder / "flat.svg"), "--material", "S235")
    assert code == 0
    assert "sheet of 2 mm" in out
    assert "bend up 90 degrees, inside radius 2" in out
    assert (folder / "flat.svg").read_bytes().startswith(b"<svg")


@pytest.mark.parametrize(("name", "reason"), [("block.step", "plate or a block"), ("tube.step", "ring")])
def test_parts_without_a_flat(folder: Path, name: str, reason: str) -> None:
    code, out, err = run(str(folder / name))
    assert (code, out) == (1, "")
    assert reason in err
    code, out, _ = run(str(folder / name), "--format", "json")
    answer = json.loads(out)
    assert code == 1
    assert answer["code"] in ("not_sheet", "cannot_unfold")
    assert bool(answer["fids"]) == (name == "tube.step")


@pytest.mark.parametrize(
    "wrong",
    [("--k-factor", "0.4", "--din-6935"), ("--k-factor", "7"), ("-o", "flat.pdf"), ("--material", "cheese")],
)
def test_wrong_options(folder: Path, wrong: tuple[str, ...]) -> None:
    code, _, err = run(str(folder / "channel.step"), *wrong)
    assert code == 2
    assert err
