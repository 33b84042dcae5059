"""The way of every made part, from its file to the verdict, on each surface: library, command line, HTTP."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from typer.testing import CliRunner

import fettle
from fettle.cli import analyze
from tests.made import MadeFile, made_parts


def test_the_formulas_are_those_of_the_parts_we_know() -> None:
    parts = made_parts()
    assert parts["wedge"].volume_mm3 == 3000
    assert parts["hollow"].area_mm2 == 7800
    assert parts["block"].volume_mm3 == pytest.approx(69643.8, abs=0.1)


def test_every_file_reads_as_the_part_it_is(made_corpus: list[MadeFile]) -> None:
    for file in made_corpus:
        model = fettle.read(file.path, units=file.units)
        part, name = model.part, file.path.name
        assert part.volume_mm3 == pytest.approx(file.part.volume_mm3, rel=file.tolerance), name
        assert sum(face.area_mm2 for face in part.faces) == pytest.approx(file.part.area_mm2, rel=file.tolerance), name
        assert part.size_mm == pytest.approx(file.box_mm, rel=file.tolerance), name
        assert len(part.bodies) == file.part.bodies, name


@pytest.mark.slow
def test_the_command_line_counts_features_and_judges(made_corpus: list[MadeFile]) -> None:
    files = [file for file in made_corpus if file.path.suffix == ".step"]
    done = CliRunner().invoke(analyze.app, [*(str(file.path) for file in files), "--format", "json"])
    results: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    for file, result in zip(files, results, strict=True):
        kinds = Counter(feature["kind"] for feature in result["features"]["features"])
        assert {kind: kinds[kind] for kind in file.part.features} == dict(file.part.features), file.part.name
        found = {
            f"{module['module_key']}:{one['configuration_key']}": one["result"]["overall_severity"]
            for module in result["modules"]["modules"]
            for one in module["configurations"]
        }
        assert {name: found[name] for name in file.part.severity} == dict(file.part.severity), file.part.name
