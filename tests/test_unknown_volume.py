"""A part whose volume and area are not known goes through everything, with null where they would be."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from typer import Typer
from typer.testing import CliRunner

from fettle.agent import create_server
from fettle.agent.local_backend import LocalBackend
from fettle.analysis import Analysis, analyze
from fettle.app.build_result import build_result
from fettle.assembly import analyze_model, refine_model
from fettle.cli.analyze import app as analyze_app
from fettle.cli.diff import app as diff_app
from fettle.cli.info import app as info_app
from fettle.cli.quote import app as quote_app
from fettle.cli.report import app as report_app
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.results import AnalysisResult
from fettle.rules import judge, shipped_modules
from tests.geometry import kernel_shapes as kernel

REASON = "area and volume cannot be told"
NOT_A_NUMBER = re.compile(r"\bnan\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unknown")
    (folder / "sound.step").write_bytes(step_bytes(kernel.box(20.0, 10.0, 30.0), "mm"))
    (folder / "unknown.step").write_bytes(step_bytes(kernel.half_cylinder_of_a_wrong_radius(), "mm"))
    return folder


@pytest.fixture(scope="module")
def analysis(folder: Path) -> Analysis:
    model = load((folder / "unknown.step").read_bytes(), "unknown.step")
    return analyze(model.part, refine(model.mesh, model.part, model.options))


@pytest.fixture(scope="module")
def result(analysis: Analysis) -> AnalysisResult:
    return build_result(analysis, "0" * 64)


def run(app: Typer, *arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert not NOT_A_NUMBER.search(done.output)
    return done.exit_code, done.output


def test_nothing_is_judged_on_what_is_not_known(analysis: Analysis, result: AnalysisResult) -> None:
    assert math.isnan(analysis.part.volume_mm3)
    assert result.geometry.volume_cm3 is None
    assert result.geometry.surface_area_cm2 is None
    assert any(REASON in warning for warning in analysis.part.source.warnings)
    metrics = ("part.volume_mm3", "part.area_mm2", "part.box_fill", "part.planar_fraction", "part.support_share")
    for module in result.modules.modules:
        for verdict in module.configurations:
            for rule in verdict.rules:
                # a rule may still be decided by another metric of one of its tiers
                assert all(finding.metric not in metrics for finding in rule.findings), rule.key
    assert all(process.fit == 0.0 for process in result.processes if process.fit is not None)


def test_facts_of_the_library_say_unknown(analysis: Analysis) -> None:
    facts = analysis.facts()
    assert (facts["volume"], facts["area"]) == ("unknown", "unknown")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github", "markdown"])
def test_every_format_of_the_command_line(folder: Path, form: str) -> None:
    code, text = run(analyze_app, folder / "unknown.step", "--format", form)
    assert code in (0, 1)
    if form == "json":
        json.loads(text[text.index("{") :], parse_constant=pytest.fail)


def test_info_quote_and_diff(folder: Path) -> None:
    _, told = run(info_app, folder / "unknown.step")
    assert REASON in told
    code, told = run(quote_app, folder / "unknown.step", "--material", "Aluminium A356", "--quantity", "5")
    assert code == 1
    assert "geometry.volume_cm3 is unknown, so nothing can be priced" in told
    for old, new in (("sound", "unknown"), ("unknown", "sound")):
        code, told = run(diff_app, folder / f"{old}.step", folder / f"{new}.step")
        assert code in (0, 1)
        assert "faces:" in told


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_reports(folder: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"report.{kind}"
    run(report_app, folder / "unknown.step", "-o", out)
    assert out.stat().st_size > 1000
    if kind == "html":
        page = out.read_text(encoding="utf-8")
        assert "volume unknown · area unknown" in page
        assert REASON in page


def test_tools_of_agents(folder: Path) -> None:
    async def talk() -> None:
        async with Client(create_server(LocalBackend(folder))) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                return await client.call_tool(tool, arguments)

            overview = (await call("analyze", file="unknown.step")).structured_content
            assert overview["geometry"]["volume_cm3"] is None
            handle = overview["handle"]
            priced = await call("price", handle=handle, material="Aluminium A356", quantity=5)
            assert "unknown" in priced.content[0].text
            for tool in ("list_findings", "get_features"):
                assert not (await call(tool, handle=handle)).is_error
            other = (await call("analyze", file="sound.step")).structured_content["handle"]
            assert not (await call("compare", old=other, new=handle)).is_error

    asyncio.run(talk())


def test_no_message_speaks_of_a_share_of_an_unknown_volume(analysis: Analysis) -> None:
    additive = next(module for module in shipped_modules() if module.key == "additive")
    judged = judge(analysis, additive, "fdm", any_fit=True).rules
    (overhangs,) = (rule for rule in judged if rule.metric == "part.support_share")
    assert overhangs.n_inspected == 1
    assert "Not known: part.support_share" in overhangs.message
    assert "of its volume" not in overhangs.message


def test_an_assembly_with_such_a_body_still_judges_the_others() -> None:
    unknown = kernel.half_cylinder_of_a_wrong_radius()
    boxes = [kernel.placed(kernel.box(20.0 + k, 10.0, 30.0), (100.0 * (k + 1), 0.0, 0.0)) for k in range(3)]
    model = load(kernel.native_bytes(kernel.compound([unknown, *boxes])), "part.brep")
    result = build_result(analyze_model(refine_model(model, model.options)), "")
    assert result.geometry.volume_cm3 is None
    assert [body.geometry.volume_cm3 for body in result.bodies] == [None, 6.0, 6.3, 6.6]
    assert all(body.processes[0].severity == "pass" for body in result.bodies[1:])
    assert any(REASON in warning for warning in result.warnings)
