"""What the processes of a service load at their start: each library costs every start its time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STARTS = {
    "the API": "from fettle.web import app_from_environment; app_from_environment()",
    "a worker": "import fettle.app.worker as program; program.open_state(program.Settings())",
    "the supervisor": "import fettle.cli.serve",
}
LATER = {
    "the API": {"OCP", "numba", "scipy", "mcp", "typst", "ezdxf"},
    "a worker": {
        *("OCP", "numba", "scipy", "numpy", "mcp", "fastapi"),
        *("fettle.rules", "fettle.fit", "fettle.plan", "fettle.quote", "fettle.results"),
    },
    "the supervisor": {"OCP", "numba", "scipy", "mcp", "dbos", "fastapi", "uvicorn", "sqlalchemy.dialects.postgresql"},
}
"""Libraries and packages that a process loads when they are asked for, or never."""


@pytest.mark.parametrize("process", STARTS)
def test_a_process_starts_without_what_it_may_never_need(
    process: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FETTLE_DATA_DIR", str(tmp_path))
    code = f"import sys; {STARTS[process]}; print(*sorted({LATER[process]} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
