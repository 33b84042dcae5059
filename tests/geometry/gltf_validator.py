"""The Khronos validator, where node and the npm package `gltf-validator` are at hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S

FOLDER = Path(os.environ.get("FETTLE_GLTF_VALIDATOR", Path(__file__).parents[2] / "viewer" / "node_modules"))

_SCRIPT = """
const validator = require(process.argv[1]);
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk));
process.stdin.on("end", () => validator.validateBytes(new Uint8Array(Buffer.concat(chunks)), {maxIssues: 20})
  .then((report) => console.log(JSON.stringify(report))));
"""


def validate(glb: bytes) -> dict[str, Any]:
    """The validator's report; skips the test where the validator is absent."""
    node = shutil.which("node")
    package = FOLDER / "gltf-validator"
    if node is None or not package.is_dir():
        pytest.skip(
            "no Khronos validator: install node, and the npm package gltf-validator "
            f"in {FOLDER} (or set FETTLE_GLTF_VALIDATOR)"
        )
    answer = subprocess.run(
        [node, "-e", _SCRIPT, str(package)], input=glb, capture_output=True, timeout=PATIENCE_S, check=True
    )
    report: dict[str, Any] = json.loads(answer.stdout)
    return report
