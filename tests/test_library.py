"""The public library: names, lazy imports, and the steps from a file to verdicts and a price."""

from __future__ import annotations

import ast
import inspect
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

import fettle
from fettle.app.options import JobOptions
from fettle.errors import BadRequest, Damaged, KernelTimedOut
from fettle.geometry.csg import build
from fettle.web.jobs import ANALYZE_FORM
from tests.parts import BLOCK


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "block.step"
    path.write_bytes(build(BLOCK))
    return path


@pytest.fixture(scope="module")
def analysis(block: Path) -> fettle.Analysis:
    return fettle.analyze(fettle.read(block), pull="0,0,1")


def test_every_public_name_exists_and_is_declared_for_type_checkers() -> None:
    assert sorted(fettle.__all__) == fettle.__all__
    for name in fettle.__all__:
        assert getattr(fettle, name) is not None
    tree = ast.parse(inspect.getsource(fettle))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    declared = {alias.name for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert declared == set(fettle.__all__)
    with pytest.raises(AttributeError, match="no attribute 'analyse'"):
        fettle.analyse  # noqa: B018 - asking for the name is the test


def test_importing_fettle_loads_neither_numpy_nor_the_kernel() -> None:
    code = "import fettle, sys; print(sorted({'numpy', 'OCP', 'pydantic', 'typer'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_reading_leaves_the_kernel_out_of_this_process(block: Path) -> None:
    code = (
        f"import fettle, sys; model = fettle.read({str(block)!r}); print(len(model.part.faces), 'OCP' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7", "False"]


def test_the_limits_of_the_settings_hold_for_the_library_too(block: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FETTLE_KERNEL_WALL_S", "0.001")
    with pytest.raises(KernelTimedOut, match=r"limit of 0\.001 s"):
        fettle.read(block)


def test_the_angles_have_the_same_defaults_everywhere() -> None:
    analyze = inspect.signature(fettle.analyze).parameters
    for options in (fettle.Options(), JobOptions()):
        assert (options.alpha_min_deg, options.alpha_warn_deg) == (0.5, 3.0)
    assert (analyze["alpha_min_deg"].default, analyze["alpha_warn_deg"].default) == (0.5, 3.0)
    assert (ANALYZE_FORM["alpha_min"]["default"], ANALYZE_FORM["alpha_warn"]["default"]) == (0.5, 3.0)


def test_a_part_has_the_dimensions_of_its_csg_tree(analysis: fettle.Analysis) -> None:
    assert analysis.part.volume_mm3 == pytest.approx(60 * 40 * 30 - math.pi * 25 * 30, rel=1e-6)
    (hole,) = (feature for feature in analysis.recognition.features if feature.kind == "HOLE")
    assert hole.diameter_mm == pytest.approx(10)
    assert analysis.draft.pull == pytest.approx((0, 0, 1))


def test_summary_says_size_features_and_pull(analysis: fettle.Analysis) -> None:
    summary = analysis.summary()
    assert "60 x 40 x 30 mm" in summary
    assert "1 hole" in summary
    assert "pull     0, 0, 1: 0 undercuts" in summary
    html = analysis._repr_html_()
    assert html.startswith("<table>")
    assert "60 x 40 x 30 mm" in html


def test_judge_by_key_by_mapping_and_by_file(analysis: fettle.Analysis, tmp_path: Path) -> None:
    shipped = {module.key: module for module in fettle.shipped_modules()}
    by_key = fettle.judge(analysis, "cnc", "3-axis")
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(shipped["cnc"].spec()))
    assert by_key == fettle.judge(analysis, shipped["cnc"].spec(), "3-axis") == fettle.judge(analysis, file, "3-axis")
    with pytest.raises(BadRequest, match="nearest is 'cnc'"):
        fettle.judge(analysis, "cncc", "3-axis")


def test_a_verdict_is_typed_and_its_dict_is_the_object_of_the_api(analysis: fettle.Analysis) -> None:
    """A hole of 10 mm through 30 mm: depth to diameter is 3, above the limit of 1 that is asked for."""
    verdict = fettle.judge(analysis, "cnc", "3-axis", {"max_hole_ratio": 1.0, "rec_hole_ratio": 1.0})
    assert verdict.severity == "fail"
    (rule,) = (rule for rule in verdict.rules if rule.key == "hole_depth_to_diameter")
    assert (rule.severity, rule.value, rule.op, rule.threshold) == ("fail", 3.0, "gt", 1.0)
    shown = verdict.to_dict()
    assert list(shown) == ["configuration_key", "result"]
    assert list(shown["result"]) == ["overall_severity", "summary", "rules", "causes"]
    assert list(shown["result"]["summary"]) == ["pass", "warning", "fail"]
    assert json.loads(json.dumps(shown)) == shown


def test_result_is_the_object_of_the_api(analysis: fettle.Analysis, block: Path) -> None:
    result = fettle.result(analysis)
    assert set(result.to_dict()) >= {
        "features",
        "modules",
        "geometry",
        "input_sha256",
        "engine_version",
        "result_sha256",
    }
    import hashlib

    assert result.input_sha256 == hashlib.sha256(block.read_bytes()).hexdigest()
    json.dumps(result.to_dict(), allow_nan=False)


def test_price_of_more_costs_less_each(analysis: fettle.Analysis) -> None:
    one, many = (fettle.price(analysis, "Aluminium A356", quantity) for quantity in (1, 100))
    assert many.unit_price < one.unit_price
    assert many.total_price == many.unit_price * 100


def test_mesh_options_reach_the_refined_mesh(block: Path) -> None:
    model = fettle.read(block, max_edge_mm=5.0)
    assert fettle.analyze(model).mesh.max_edge_mm == 5.0


def test_bytes_need_a_name_and_brep_comes_in() -> None:
    with pytest.raises(BadRequest, match="name"):
        fettle.read(build(BLOCK))
    import io

    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
    from OCP.BRepTools import BRepTools

    written = io.BytesIO()
    BRepTools.Write_s(BRepPrimAPI_MakeBox(10.0, 20.0, 30.0).Shape(), written)
    model = fettle.read(written.getvalue(), name="box.brep")
    assert model.part.volume_mm3 == pytest.approx(6000)
    assert model.part.source.format == "BREP"
    with pytest.raises(Damaged, match="BREP"):
        fettle.read(written.getvalue()[:900], name="box.brep")
