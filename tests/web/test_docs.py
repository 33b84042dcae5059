"""The snippets of the API guide, against a service that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.snippets import prepare, run_page
from tests.web.conftest import Running


def test_the_api_guide_runs(service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FETTLE_URL", service.url)
    monkeypatch.setenv("FETTLE_KEY", service.key("pro"))
    assert run_page("api.md", monkeypatch, tmp_path) == 4
