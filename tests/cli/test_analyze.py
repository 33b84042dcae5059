"""`fettle analyze` as a program: what it prints, what it ends with, and which findings count."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fettle.cli.analyze import app
from fettle.geometry.csg import build
from fettle.rules import shipped_modules
from tests.parts import BLOCK, DRILLED
from tests.patience import slowness

CNC = ["--process", "cnc:3-axis"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """good.step has nothing to complain about for 3-axis milling; in bad.step a hole is 30 diameters deep."""
    folder = tmp_path_factory.mktemp("parts")
    (folder / "good.step").write_bytes(build(BLOCK))
    (folder / "bad.step").write_bytes(build(DRILLED))
    (folder / "broken.step").write_bytes(build(BLOCK)[:2000])
    return folder


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_clean_part_ends_with_0(folder: Path) -> None:
    code, out, _ = run(folder / "good.step", *CNC)
    assert code == 0
    headline, process, *_ = out.splitlines()
    assert headline == f"{folder}/good.step: Part milled from solid: CNC machining (3-axis mill) passes."
    assert process.startswith("  1. cnc (fit 1.00): 3-axis pass; nothing to check for ")
    assert out.endswith("1 file analyzed, 0 failures, 0 warnings\n")


def test_the_packs_of_the_catalog_folder_judge_every_part(folder: Path, tmp_path: Path) -> None:
    """Three-axis milling under another key, in a process of its own: its kernel children are new as well."""
    (tmp_path / "packs").mkdir()
    shipped = next(module for module in shipped_modules() if module.key == "cnc").spec()
    (tmp_path / "packs" / "ours.yaml").write_text(json.dumps({**shipped, "key": "ours"}))
    done = subprocess.run(
        [sys.executable, "-m", "fettle", "analyze", str(folder / "bad.step"), "--format", "json"],
        env={**os.environ, "FETTLE_CATALOG_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    modules = json.loads(done.stdout)["modules"]["modules"]
    assert [module["module_key"] for module in modules] == [*(module.key for module in shipped_modules()), "ours"]
    assert modules[-1]["configurations"] == modules[0]["configurations"]


def test_a_finding_has_file_face_severity_rule_value_and_limit(folder: Path) -> None:
    code, out, _ = run(folder / "bad.step", *CNC)
    assert code == 1
    line = next(line for line in out.splitlines() if "hole_depth_to_diameter" in line)
    found = re.fullmatch(r"  face (\d+): fail cnc/hole_depth_to_diameter \[3-axis\] .* \(30 > 10\)", line)
    assert found is not None, line


def test_fail_on_decides_what_counts(folder: Path) -> None:
    assert run(folder / "bad.step", *CNC, "--fail-on", "never")[0] == 0
    warned, _, _ = run(folder / "good.step", "--process", "injection:standard", "--fail-on", "warning")
    assert warned == 1


def test_json_of_one_file_is_the_api_object_and_of_several_a_list(folder: Path) -> None:
    code, out, _ = run(folder / "good.step", *CNC, "--format", "json")
    one = json.loads(out)
    assert code == 0
    assert set(one) >= {"file", "features", "modules", "geometry", "result_sha256"}
    assert [entry["module_key"] for entry in one["modules"]["modules"]] == ["cnc"]
    _, out, _ = run(folder / "bad.step", folder / "good.step", *CNC, "--format", "json")
    files = [entry["file"] for entry in json.loads(out)["results"]]
    assert files == [str(folder / "bad.step"), str(folder / "good.step")]


def test_a_refused_file_is_told_and_does_not_stop_the_others(folder: Path) -> None:
    alone, out, _ = run(folder / "broken.step", *CNC)
    assert alone == 1
    assert "not analyzed: broken.step is truncated" in out
    several, out, _ = run(folder / "broken.step", folder / "good.step", *CNC)
    assert several == 3
    assert "1 file analyzed, 1 not analyzed" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["absent.step"], "No such file"),
        (["good.step", "--process", "cmc:3-axis"], "nearest is 'cnc'"),
        (["good.step", "--process", "cnc:3axis"], "nearest is '3-axis'"),
        (["good.step", "--pull", "up"], "pull"),
        (["good.step", "--curvature", "2"], "curvature"),
        (["good.step", "--units", "yd"], "units"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_wrong(folder: Path, arguments: list[str], told: str) -> None:
    code, _, err = run(folder / arguments[0], *arguments[1:])
    assert code == 2
    assert told in err


def test_own_rules_are_judged(folder: Path, tmp_path: Path) -> None:
    rules = tmp_path / "shop.yaml"
    rules.write_text(
        "key: shop\nname: Our shop\n"
        "configurations: {small: {name: Small mill, parameters: {max_length_mm: 50}}}\n"
        "rules:\n"
        "  - {key: fits, name: Fits the vice, scope: whole_part, metric: part.largest_side,\n"
        "     tiers: [{level: fail, op: gt, rhs: {param: max_length_mm}}],\n"
        "     messages: {fail: 'The part is {metric:.0f} mm long, above {threshold:.0f} mm.'}}\n"
    )
    code, out, err = run(folder / "good.step", "--rules", rules)
    assert code == 1, err
    assert "fail shop/fits [small] The part is 60 mm long, above 50 mm. (60 mm > 50 mm)" in out
    assert "cnc" not in out
    rules.write_text("key: shop\n")
    code, _, err = run(folder / "good.step", "--rules", rules)
    assert code == 2
    assert "fault" in err


def test_with_a_baseline_only_new_findings_count(folder: Path, tmp_path: Path) -> None:
    _, known, _ = run(folder / "bad.step", *CNC, "--format", "json")
    baseline = tmp_path / "baseline.json"
    baseline.write_text(known)
    code, out, _ = run(folder / "bad.step", *CNC, "--baseline", baseline)
    assert code == 0
    assert "known from the baseline" in out
    other = tmp_path / "good.step"
    other.write_bytes((folder / "bad.step").read_bytes())
    assert run(other, *CNC, "--baseline", baseline)[0] == 1, "another file's findings are not known"
    baseline.write_text("[]")
    assert run(folder / "bad.step", "--baseline", baseline)[0] == 2


def test_help_is_light() -> None:
    """Below 150 ms of CPU; measured three times, the best counts, because the machine may be busy."""
    best = min(_cpu_s("--help") for _ in range(3))
    assert best < 0.150 or best < 0.150 * slowness()


def _cpu_s(*arguments: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "fettle", *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
