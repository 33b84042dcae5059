"""Four doors, one engine: the same five parts give the same JSON through each of them, ids and addresses aside."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from typer.testing import CliRunner

import fettle
from fettle.agent import create_server
from fettle.agent.local_backend import LocalBackend
from fettle.cli.analyze import app
from fettle.client import Fettle
from tests.parts import write_parts
from tests.web.conftest import Running

OWN = {"job_id", "status", "artifacts", "file"}
"""What tells one answer from another, and nothing about the part."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return list(write_parts(tmp_path_factory.mktemp("five")).values())


def without_ids(result: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name not in OWN}


def through_library(paths: list[Path]) -> list[dict[str, Any]]:
    return [fettle.result(fettle.analyze(fettle.read(path))).to_dict() for path in paths]


def through_command_line(paths: list[Path]) -> list[dict[str, Any]]:
    done = CliRunner().invoke(app, [*map(str, paths), "--format", "json", "--fail-on", "never"])
    assert done.exit_code == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return results


def through_http(paths: list[Path], service: Running) -> list[dict[str, Any]]:
    with Fettle(service.url, service.key("pro")) as client:
        jobs = [client.analyses.create(path) for path in paths]
        return [job.wait().model_dump(mode="json", exclude_unset=True) for job in jobs]


def through_agent_tools(paths: list[Path]) -> list[dict[str, Any]]:
    async def ask() -> list[dict[str, Any]]:
        results = []
        async with Client(create_server(LocalBackend())) as client:
            for path in paths:
                answer = await client.call_tool("analyze", {"file": str(path)})
                handle = answer.structured_content["handle"]
                read = await client.read_resource(f"fettle://results/{handle}")
                results.append(json.loads(read.contents[0].text))
        return results

    return asyncio.run(ask())


def test_every_door_gives_the_same_answer(parts: list[Path], service: Running) -> None:
    assert len(parts) == 5
    expected = [json.loads(json.dumps(one)) for one in through_library(parts)]
    doors = {
        "command line": through_command_line(parts),
        "agent tools": through_agent_tools(parts),
        "HTTP": through_http(parts, service),
    }
    for door, results in doors.items():
        for path, wanted, found in zip(parts, expected, results, strict=True):
            assert without_ids(found) == wanted, f"{path.name} through {door}"
