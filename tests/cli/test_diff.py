"""`fettle diff`: what changed between two revisions, and that nothing did."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from fettle.cli.diff import app
from fettle.geometry.csg import build


def drilled(path: Path, diameter: float) -> Path:
    hole = {"move": {"of": {"cylinder": {"d": diameter, "h": 20}}, "by": [20, 20, -5]}}
    path.write_bytes(build({"cut": [{"box": [60, 40, 10]}, hole]}))
    return path


def test_a_part_against_itself_has_no_change(tmp_path: Path) -> None:
    part = str(drilled(tmp_path / "a.step", 8))
    said = CliRunner().invoke(app, [part, part])
    assert said.exit_code == 0
    assert said.stdout.splitlines()[2:] == ["  No change: faces, features, findings and price are the same."]
    assert json.loads(CliRunner().invoke(app, [part, part, "--format", "json"]).stdout)["same"] is True


def test_another_hole_is_a_change(tmp_path: Path) -> None:
    parts = [str(drilled(tmp_path / f"{d}.step", d)) for d in (8, 10)]
    changed = CliRunner().invoke(app, parts).stdout
    assert "No change" not in changed
    assert "diameter 8 mm -> 10 mm" in changed
