"""`fettle rules` as a process engineer uses it: lint, rehearse and explain a pack of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from fettle.cli.rules import app
from fettle.rules import parse_module, shipped_modules

PACK = """
key: shop
name: Our shop
configurations:
  usual: {name: Usual, parameters: {smallest_hole_mm: 3}}
rules:
  - key: holes
    name: Holes
    scope: per_feature
    selector: {set: holes}
    metric: hole.diameter
    tiers:
      - {level: fail, op: lt, rhs: {param: smallest_hole_mm}}
      - {level: pass}
    messages: {fail: "Hole {fid} is {metric:.1f} mm, our smallest drill has {threshold:.1f} mm."}
"""
CASES = """
cases:
  - name: a hole of 2 mm
    part: {cut: [{box: [20, 20, 5]}, {move: {of: {cylinder: {d: 2, h: 5}}, by: [10, 10, 0]}}]}
    expect: {usual: {holes: fail}}
  - name: a hole of 3 mm
    part: {cut: [{box: [20, 20, 5]}, {move: {of: {cylinder: {d: 3, h: 5}}, by: [10, 10, 0]}}]}
    expect: {"*": {holes: pass}}
"""


def fettle_rules(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.yaml").write_text(PACK)
    (tmp_path / "shop.cases.yaml").write_text(CASES)
    return tmp_path


def test_list_names_every_pack_and_rule() -> None:
    code, out, _ = fettle_rules("list")
    assert code == 0
    for module in shipped_modules():
        assert module.key in out
        assert all(rule.key in out for rule in module.rules)


def test_list_and_show_know_the_packs_of_the_catalog_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "packs").mkdir()
    (folder / "shop.yaml").rename(folder / "packs" / "shop.yaml")
    monkeypatch.setenv("FETTLE_CATALOG_DIR", str(folder))
    assert "shop: Our shop (usual)" in fettle_rules("list")[1]
    assert parse_module(yaml.safe_load(fettle_rules("show", "shop")[1])).name == "Our shop"


def test_show_prints_a_module_that_can_be_used(tmp_path: Path) -> None:
    code, out, _ = fettle_rules("show", "sheet-metal")
    assert code == 0
    assert parse_module(yaml.safe_load(out)) == shipped_modules()[4]


def test_show_suggests_the_nearest_key() -> None:
    code, _, err = fettle_rules("show", "casing")
    assert code == 2
    assert "the nearest is 'casting'" in err


def test_lint_passes_a_good_pack_and_names_each_fault(folder: Path) -> None:
    assert fettle_rules("lint", str(folder / "shop.yaml"))[0] == 0
    bad = PACK.replace("hole.diameter", "hole.diametr").replace("smallest_hole_mm: 3", "smallest_hole: 3")
    (folder / "bad.yaml").write_text(bad)
    code, _, err = fettle_rules("lint", str(folder / "bad.yaml"))
    assert code == 1
    assert "bad.yaml: /rules/0/metric: no metric 'hole.diametr'; the nearest is 'hole.diameter'" in err


def test_lint_of_what_is_no_document(folder: Path) -> None:
    (folder / "torn.yaml").write_text("key: [")
    code, _, err = fettle_rules("lint", str(folder / "torn.yaml"))
    assert code == 1
    assert "neither YAML nor JSON" in err
    assert fettle_rules("lint", str(folder / "absent.yaml"))[0] == 2


def test_explain_says_when_a_rule_fires(folder: Path) -> None:
    code, out, _ = fettle_rules("explain", str(folder / "shop.yaml"))
    assert code == 0
    assert "| fail | `hole.diameter` below `smallest_hole_mm` | 3 mm |" in out


def test_test_runs_the_cases(folder: Path) -> None:
    code, out, err = fettle_rules("test", str(folder))
    assert (code, err) == (0, "")
    assert out == "shop: 2 of 2 cases as expected, 0 verdicts without a case\n"


def test_test_tells_a_wrong_verdict_and_a_missing_case(folder: Path) -> None:
    (folder / "shop.cases.yaml").write_text(CASES.replace("holes: fail", "holes: pass"))
    code, out, err = fettle_rules("test", str(folder))
    assert code == 1
    assert "a hole of 2 mm: usual holes is fail, expected pass: Hole 7 is 2.0 mm, our smallest drill has 3.0 mm." in err
    assert "no case where holes gives fail in usual" in err
    assert "1 of 2 cases as expected, 1 verdicts without a case" in out


def test_test_tells_faults_of_the_cases(folder: Path) -> None:
    (folder / "shop.cases.yaml").write_text(
        CASES.replace("usual:", "usal:").replace("{box: [20, 20, 5]}", "{box: [0]}")
    )
    code, _, err = fettle_rules("test", str(folder))
    assert code == 1
    assert "/cases/0/expect/usal: no configuration 'usal'; the nearest is 'usual'" in err
    (folder / "shop.cases.yaml").write_text(CASES.replace("{box: [20, 20, 5]}", "{box: [0]}", 1))
    code, _, err = fettle_rules("test", str(folder))
    assert code == 1
    assert "recipe.cut[0].box: expected a list of 3 items" in err


def test_test_of_a_folder_without_cases(tmp_path: Path) -> None:
    assert fettle_rules("test", str(tmp_path))[0] == 2


def test_a_shipped_pack_is_explained_by_its_key() -> None:
    code, said, _ = fettle_rules("explain", "cnc")
    assert code == 0
    assert "CNC machining" in said
    code, _, complaint = fettle_rules("explain", "cmc")
    assert (code, "cnc" in complaint) == (2, True)


def test_the_modules_are_listed_as_data() -> None:
    _, said, _ = fettle_rules("list", "--format", "json")
    assert [one["key"] for one in json.loads(said)["modules"]] == [module.key for module in shipped_modules()]
