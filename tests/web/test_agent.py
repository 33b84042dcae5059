"""The agent tools over HTTP, behind the key."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from fettle.client import Fettle
from fettle.geometry.csg import build
from tests.parts import BLOCK
from tests.patience import PATIENCE_S
from tests.web.conftest import Running


def ask(url: str, key: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    async def talk() -> list[Any]:
        async with (
            httpx2.AsyncClient(headers={"X-API-Key": key}, timeout=PATIENCE_S) as http,
            Client(streamable_http_client(f"{url}/agent", http_client=http)) as client,
        ):
            return [await client.call_tool(tool, arguments) for tool, arguments in calls]

    return asyncio.run(talk())


def test_without_a_key_the_door_is_shut(service: Running) -> None:
    answer = service.ask("/agent", "POST", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 401
    assert answer.json()["error"] == "Missing X-API-Key header."


def test_an_agent_works_on_the_jobs_of_its_account(service: Running, tmp_path: Path) -> None:
    path = tmp_path / "block.step"
    path.write_bytes(build(BLOCK))
    key = service.key()
    with Fettle(service.url, key) as client:
        job_id = client.analyses.create(path).job_id
    overview, priced = ask(
        service.url,
        key,
        ("analyze", {"file": job_id}),
        ("price", {"handle": job_id, "material": "Aluminium A356", "quantity": 5}),
    )
    assert overview.structured_content["handle"] == job_id
    assert overview.structured_content["features"]["HOLE"] == 1
    assert priced.structured_content["total_price"] > 0
    (foreign,) = ask(service.url, service.key(), ("list_findings", {"handle": job_id}))
    assert foreign.is_error
    assert "No such job" in foreign.content[0].text
    (path_given,) = ask(service.url, key, ("analyze", {"file": "/etc/passwd"}))
    assert path_given.is_error
    assert "job id" in path_given.content[0].text


def test_an_agent_names_an_address(service: Running, file_server: str) -> None:
    """The part is fetched by the service; an address of a private network only where the operator allows it."""
    key = service.key()
    (overview,) = ask(service.url, key, ("analyze", {"file": f"{file_server}/parts/block.step?signature=1"}))
    assert overview.structured_content["handle"].startswith("job_")
    assert overview.structured_content["geometry"]["bounding_box_mm"] == {"x": 60.0, "y": 40.0, "z": 30.0}
    (refused,) = ask(service.url, key, ("analyze", {"file": "http://127.0.0.1:9/block.step"}))
    assert refused.is_error
    assert "127.0.0.1" not in refused.content[0].text or "private" in refused.content[0].text


@pytest.mark.parametrize("key", ["", "svc_live_" + "x" * 43])
def test_a_wrong_key_is_refused(service: Running, key: str) -> None:
    answer = service.ask("/agent", "POST", headers={"X-API-Key": key}, json={})
    assert answer.status_code == 401
