"""The agent tools, called by the protocol's own client."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from fettle.agent import create_server
from fettle.agent.local_backend import LocalBackend
from fettle.geometry.csg import build
from tests.parts import BLOCK, DRILLED

CONTEXT_CHARACTERS = 12_000
"""An answer longer than this crowds a context window."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("agent")
    (folder / "block.step").write_bytes(build(BLOCK))
    (folder / "drilled.step").write_bytes(build(DRILLED))
    return folder


@pytest.fixture(scope="module")
def bench(folder: Path) -> LocalBackend:
    return LocalBackend(folder)


Call = Callable[..., Awaitable[Any]]


def talk(bench: LocalBackend, conversation: Callable[[Call, Client], Awaitable[None]]) -> None:
    async def connected() -> None:
        async with Client(create_server(bench)) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, answer.content[0].text
                assert len(answer.content[0].text) < CONTEXT_CHARACTERS or tool == "rule_vocabulary"
                return answer.structured_content

            await conversation(call, client)

    asyncio.run(connected())


def test_from_a_file_to_an_explained_finding(bench: LocalBackend) -> None:
    async def conversation(call: Call, client: Client) -> None:
        overview = await call("analyze", file="drilled.step")
        assert overview["geometry"]["bounding_box_mm"] == {"x": 60.0, "y": 40.0, "z": 30.0}
        assert overview["verdicts"]["cnc"]["3-axis"] == "fail"
        assert overview["headline"].startswith("Part milled from solid: CNC machining ")
        best, *others = overview["processes"]
        assert (best["process"], best["candidate"]) == ("cnc", True)
        assert [one["process"] for one in others if not one["candidate"]] == ["injection", "sheet-metal", "turning"]
        assert overview["n_causes"] >= 1
        assert overview["worst_causes"][0]["count"] >= 1
        handle = overview["handle"]
        found = await call("list_findings", handle=handle, process="cnc:3-axis", severity="fail")
        (deep,) = [one for one in found["findings"] if one["rule"] == "cnc/hole_depth_to_diameter"]
        explained = await call("explain", handle=handle, number=deep["number"])
        assert explained["features_there"][0]["diameter_mm"] == 1.0
        assert "max_hole_ratio" in explained["rule_in_words"]
        holes = await call("get_features", handle=handle, kind="hole")
        assert sorted(one["diameter_mm"] for one in holes["features"]) == [1.0, 12.0]
        whole = await client.read_resource(f"fettle://results/{handle}")
        assert json.loads(whole.contents[0].text)["features"]["features"]

    talk(bench, conversation)


def test_pull_price_and_comparison(bench: LocalBackend) -> None:
    async def conversation(call: Call, client: Client) -> None:
        old = (await call("analyze", file="block.step"))["handle"]
        new = (await call("analyze", file="drilled.step"))["handle"]
        turned = await call("try_pull", handle=old, pull="1,0,0")
        assert turned["before"]["n_undercuts"] == 0
        assert turned["after"]["n_undercuts"] == 1, "seen from the side the hole is an undercut"
        priced = await call("price", handle=old, material="Aluminium A356", quantity=10)
        assert priced["total_price"] == pytest.approx(10 * priced["unit_price"])
        change = await call("compare", old=old, new=new)
        assert [one["kind"] for one in change["features"]["added"]] == ["HOLE"]

    talk(bench, conversation)


MODULE = """
key: shop
name: Our shop
configurations: {{small: {{name: Small mill, parameters: {{limit_mm: 50}}}}}}
rules:
  - key: fits
    name: Fits the vice
    scope: whole_part
    metric: {metric}
    tiers: [{{level: fail, op: gt, rhs: {{param: limit_mm}}}}]
"""


def test_rules_are_linted_and_evaluated(bench: LocalBackend) -> None:
    async def conversation(call: Call, client: Client) -> None:
        words = await call("rule_vocabulary")
        assert "part.largest_side" in words["metrics_whole_part"]
        assert (await call("lint_rules", module=MODULE.format(metric="length")))["valid"] is False
        module = MODULE.format(metric="part.largest_side")
        assert (await call("lint_rules", module=module))["valid"] is True
        handle = (await call("analyze", file="block.step"))["handle"]
        judged = await call("evaluate_rules", handle=handle, module=module)
        assert judged["verdicts"] == {"small": "fail"}
        eased = await call(
            "evaluate_rules", handle=handle, module=module, configuration="small", overrides={"limit_mm": 60}
        )
        assert eased["verdicts"] == {"small": "pass"}

    talk(bench, conversation)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("analyze", {"file": "absent.step"}, "no file"),
        ("analyze", {"file": "../../etc/passwd"}, "outside"),
        ("list_findings", {"handle": "nothing"}, "No analysis has the handle"),
        ("price", {"handle": "nothing", "material": "x", "quantity": 1}, "No analysis has the handle"),
    ],
)
def test_refusals_are_told_to_the_agent(bench: LocalBackend, tool: str, arguments: dict[str, Any], told: str) -> None:
    async def ask() -> str:
        async with Client(create_server(bench)) as client:
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error
            return str(answer.content[0].text)

    assert told in asyncio.run(ask())


def test_the_program_speaks_over_standard_input(folder: Path) -> None:
    async def ask() -> set[str]:
        arguments = ["-m", "fettle", "agent", "--folder", str(folder)]
        program = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        async with Client(stdio_client(program)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert asyncio.run(ask()) >= {"analyze", "list_findings", "explain", "price", "compare", "evaluate_rules"}
