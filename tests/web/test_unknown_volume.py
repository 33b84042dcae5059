"""A part whose volume cannot be told, through client and dashboard: null with the reason beside it."""

from __future__ import annotations

import html
import re
import uuid
from pathlib import Path

from fettle.client import Fettle
from fettle.geometry.kernel.solids import step_bytes
from tests.geometry import kernel_shapes as kernel
from tests.web.conftest import Running

REASON = "area and volume cannot be told"


def test_client_and_dashboard_say_why(service: Running, tmp_path: Path) -> None:
    path = tmp_path / "unknown.step"
    path.write_bytes(step_bytes(kernel.half_cylinder_of_a_wrong_radius(), "mm"))
    email = f"{uuid.uuid4().hex[:10]}@example.com"
    with service.visitor() as visitor:
        visitor.post("/dashboard/sign-up", data={"email": email, "password": "a long enough password"})
        with Fettle(service.url, service.key(email=email)) as api:
            analysis = api.analyses.create(path)
            result = analysis.wait()
        assert result.geometry.volume_cm3 is None
        assert any(REASON in warning for warning in result.warnings)
        page = html.unescape(visitor.get(f"/dashboard/analyses/{analysis.job_id}").text)
        assert "volume unknown" in page
        assert REASON in page
        priced = visitor.get(f"/dashboard/quotes/new?job={analysis.job_id}")
        # a process that needs no volume may still have a price, of its bar or sheet
        assert priced.status_code in (200, 422)
        assert not re.search(r"\bnan\b|cm³", html.unescape(priced.text), re.IGNORECASE)
