"""The image, built for real: it runs without rights and analyzes as the installed package does, byte for byte.

It takes many minutes, so it runs where it is asked for: FETTLE_IMAGE_BASE names the root of a Debian by debootstrap
(see deploy/build-image.sh), or is `registry` where the base image can be fetched; FETTLE_IMAGE_OPTIONS are more options
for buildah, as volumes with certificates.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fettle.geometry.csg import build

ROOT = Path(__file__).parents[2]
TAG = "localhost/fettle-test"
PART = {"cut": [{"box": [60, 40, 30]}, {"move": {"of": {"cylinder": {"d": 10, "h": 40}}, "by": [20, 20, -5]}}]}


@pytest.fixture(scope="module")
def image() -> str:
    base = os.environ.get("FETTLE_IMAGE_BASE", "")
    if shutil.which("buildah") is None:
        pytest.skip("buildah is not installed: apt-get install buildah")
    if not base:
        pytest.skip("FETTLE_IMAGE_BASE is not set; the test says what it is")
    environment = {**os.environ, "FETTLE_BASE_DIR": "" if base == "registry" else base}
    more = shlex.split(os.environ.get("FETTLE_IMAGE_OPTIONS", ""))
    subprocess.run([ROOT / "deploy" / "build-image.sh", TAG, *more], env=environment, check=True)
    return TAG


@pytest.mark.slow
def test_the_image_analyzes_as_the_package_does(image: str, tmp_path: Path) -> None:
    part = tmp_path / "part.step"
    part.write_bytes(build(PART))
    inside = subprocess.run(
        [ROOT / "deploy" / "analyze-in-image.sh", image, part], capture_output=True, check=True, cwd=tmp_path
    )
    asked = ["analyze", str(part), "--format", "json", "--fail-on", "never"]
    command = [sys.executable, "-c", "from fettle.cli import main; main()", *asked]
    outside = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    assert inside.stdout == outside.stdout
