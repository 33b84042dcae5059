"""The image, built for real from a clean clone: it has no rights, runs on a read-only root, answers and analyzes as the
installed package does, byte for byte.

It takes many minutes, so it runs where it is asked for: FETTLE_IMAGE_BASE names the root of a Debian by debootstrap
(see deploy/build-image.sh), or is `registry` where the base image can be fetched; FETTLE_IMAGE_OPTIONS are more options
for buildah, as volumes with certificates; FETTLE_IMAGE_TAG names an image that is built already.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from fettle.geometry.csg import build
from tests.patience import PATIENCE_S, fetch, until
from tests.web.conftest import free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TAG = "localhost/fettle-test"
PART = {"cut": [{"box": [60, 40, 30]}, {"move": {"of": {"cylinder": {"d": 10, "h": 40}}, "by": [20, 20, -5]}}]}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> str:
    base = os.environ.get("FETTLE_IMAGE_BASE", "")
    if shutil.which("buildah") is None:
        pytest.skip("buildah is not installed: apt-get install buildah")
    if built := os.environ.get("FETTLE_IMAGE_TAG", ""):
        return built
    if not base:
        pytest.skip("FETTLE_IMAGE_BASE is not set; the test says what it is")
    clone = tmp_path_factory.mktemp("clone")
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=clone, input=archive, check=True)
    environment = {**os.environ, "FETTLE_BASE_DIR": "" if base == "registry" else base}
    more = shlex.split(os.environ.get("FETTLE_IMAGE_OPTIONS", ""))
    subprocess.run([clone / "deploy" / "build-image.sh", TAG, *more], env=environment, check=True)
    return TAG


def inside(image: str, folder: Path, *command: str) -> list[str | Path]:
    """Command line of a command in the image; its user may read the folder."""
    folder.chmod(0o755)
    return [ROOT / "deploy" / "run-image.sh", image, folder, *command]


def test_the_image_analyzes_as_the_package_does(image: str, tmp_path: Path) -> None:
    (tmp_path / "part.step").write_bytes(build(PART))
    asked = "fettle analyze part.step --format json --fail-on never"
    analyzed = subprocess.run(
        inside(image, tmp_path, "sh", "-c", f"cd /mnt && {asked}"), capture_output=True, check=True
    )
    command = [sys.executable, "-c", "from fettle.cli import main; main()", *asked.split()[1:]]
    outside = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    assert len(outside.stdout) > 1000
    assert analyzed.stdout == outside.stdout


def test_its_user_has_no_rights_and_its_root_cannot_be_written(image: str, tmp_path: Path) -> None:
    script = "id -u; for place in / /opt/fettle /var/cache/fettle /mnt; do touch $place/written && echo $place; done"
    seen = subprocess.run(inside(image, tmp_path, "sh", "-c", script), capture_output=True, text=True, check=False)
    assert seen.stdout == "10001\n"
    assert seen.stderr.count("Read-only file system") == 4


def test_the_service_in_it_answers(image: str, tmp_path: Path) -> None:
    port = free_port()
    command = inside(image, tmp_path, "fettle", "serve", "--host", "127.0.0.1", "--port", str(port), "--workers", "1")
    with (tmp_path / "output").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    url = f"http://127.0.0.1:{port}"

    def ready() -> bool:
        assert process.poll() is None, (tmp_path / "output").read_text()
        with suppress(httpx.TransportError):
            return fetch(f"{url}/readyz").status_code == 200
        return False

    try:
        until(ready, "the service in the image is ready", poll_s=0.5)
        assert fetch(f"{url}/api/v1/materials").status_code == 401
        assert b"three" in fetch(f"{url}/dashboard/static/viewer.js").content, "the viewer was built into it"
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
