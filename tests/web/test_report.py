"""The report that the dashboard hands out."""

from __future__ import annotations

import uuid
from pathlib import Path

from fettle.client import Fettle
from fettle.geometry.csg import build
from tests.browser import needs_bundle
from tests.parts import BLOCK
from tests.web.conftest import Running


@needs_bundle
def test_the_owner_downloads_the_report_and_nobody_else(service: Running, tmp_path: Path) -> None:
    path = tmp_path / "Träger 1.step"
    path.write_bytes(build(BLOCK))
    email = f"{uuid.uuid4().hex[:10]}@example.com"
    with service.visitor() as owner, service.visitor() as other:
        for client, who in ((owner, email), (other, f"x{email}")):
            data = {"email": who, "password": "a long enough password"}
            client.post("/dashboard/sign-up", data=data)
        with Fettle(service.url, service.key(email=email)) as api:
            analysis = api.analyses.create(path)
            analysis.wait()
        address = f"/dashboard/analyses/{analysis.job_id}/report"
        answer = owner.get(address)
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''Tr%C3%A4ger%201-report.html"
        assert "Träger 1.step" in answer.text
        assert len(answer.content) < 3_000_000
        assert other.get(address).status_code == 404
