"""The viewer's scripts against their types, and against those that are generated from the result."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

VIEWER = Path(__file__).parents[2] / "viewer"
MODULES = Path(os.environ.get("FETTLE_NODE_MODULES", VIEWER / "node_modules"))


def check_types(folder: Path) -> subprocess.CompletedProcess[str]:
    compiler = MODULES / "typescript" / "bin" / "tsc"
    node = shutil.which("node")
    if node is None or not compiler.is_file():
        pytest.skip(f"no node, or no {compiler}: run `npm ci` in viewer/, or set FETTLE_NODE_MODULES")
    return subprocess.run(
        [node, str(compiler), "--noEmit", "-p", str(folder)], capture_output=True, text=True, check=False
    )


def test_every_script_fits_its_types() -> None:
    done = check_types(VIEWER)
    assert done.returncode == 0, done.stdout


def test_a_field_that_the_result_does_not_have_is_an_error(tmp_path: Path) -> None:
    shutil.copy(VIEWER / "tsconfig.json", tmp_path)
    shutil.copytree(VIEWER / "src", tmp_path / "src", ignore=lambda _, names: [n for n in names if "result" not in n])
    wrong = 'import type { Finding } from "./result";\nexport const gone = (one: Finding) => one.no_such_field;\n'
    (tmp_path / "src" / "wrong.ts").write_text(wrong)
    done = check_types(tmp_path)
    assert done.returncode != 0
    assert "no_such_field" in done.stdout
