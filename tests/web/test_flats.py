"""Flat patterns over HTTP: the endpoint, the files of the job, and the field of the result."""

from __future__ import annotations

import httpx
import pytest

from fettle.geometry.csg import build
from tests.app.dxf_reader import closed_loops, read_dxf
from tests.recognize.sheets import strip
from tests.web.conftest import Running, step, wait_for


def analyzed(client: httpx.Client, data: bytes, name: str) -> str:
    job_id = str(client.post("/dfm/analyze", files=step(data, name)).json()["job_id"])
    assert wait_for(client, job_id)["status"] == "done"
    return job_id


def test_flat_of_a_job(service: Running) -> None:
    with service.client() as client:
        job_id = analyzed(client, build(strip([46, 92, 46], [90, 90], 2, 2, 40)), "channel.step")
        flat = client.get(f"/dfm/jobs/{job_id}/flat", params={"k_factor": 0.43, "material": "S235"}).json()
        assert flat["size_mm"] == pytest.approx([192.98495499, 40], abs=1e-6)
        assert flat["mass_kg"] == pytest.approx(192.98495499 * 40 * 2 * 7.85e-6)
        result = client.get(f"/dfm/jobs/{job_id}/result").json()
        assert result["flat"]["allowance"]["k_factor"] == pytest.approx(0.64 / 1.5707963, rel=1e-6)
        drawn = read_dxf(httpx.get(result["artifacts"]["flat_dxf"]).content)
        ((area, _),) = closed_loops(drawn.on("CUT"))
        assert area == pytest.approx(result["flat"]["area_mm2"], rel=1e-6)
        assert httpx.get(result["artifacts"]["flat_svg"]).text.startswith("<svg")
        both = client.get(f"/dfm/jobs/{job_id}/flat", params={"k_factor": 0.43, "din_6935": True})
        assert both.status_code == 422


def test_block_has_no_flat(service: Running) -> None:
    with service.client() as client:
        job_id = analyzed(client, build({"box": [40, 30, 28]}), "block.step")
        answer = client.get(f"/dfm/jobs/{job_id}/flat")
        assert answer.status_code == 422
        assert "plate or a block" in answer.json()["error"]
        result = client.get(f"/dfm/jobs/{job_id}/result").json()
        assert result["flat"] is None
        assert "flat_dxf" not in result["artifacts"]
