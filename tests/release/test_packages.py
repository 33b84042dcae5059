"""Wheel, sdist and the client's own package, built and installed where nothing of the repository is in reach."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from release.lock import ROOT

import fettle
from tests.patience import PATIENCE_S, fetch
from tests.web.conftest import free_port, wait_until_ready

pytestmark = pytest.mark.slow


def build(project: Path, into: Path) -> tuple[Path, Path]:
    """The wheel and the sdist of a project."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into)]
    subprocess.run(command, cwd=project, check=True, capture_output=True, timeout=PATIENCE_S)
    (wheel,), (sdist,) = into.glob("*.whl"), into.glob("*.tar.gz")
    return wheel, sdist


def install(wheel: Path, folder: Path) -> Path:
    """A new environment with this wheel alone; its dependencies are those of the environment of the tests."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    asked = ["install", "-q", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", str(wheel)]
    command = [sys.executable, "-m", "pip", "--python", str(python), *asked]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return site


def bare_environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FETTLE_", "PYTHON"))}
    return kept | {"FETTLE_DATA_DIR": str(folder / "data")}


def test_an_installed_wheel_serves_with_viewer_and_data_inside(tmp_path: Path) -> None:
    wheel, sdist = build(ROOT, tmp_path / "dist")
    with tarfile.open(sdist) as tar:
        inside = {name.split("/", 1)[1] for name in tar.getnames() if "/" in name}
    assert {"LICENSE", "README.md", "SECURITY.md", "src/fettle/app/static/viewer.js"} <= inside
    site = install(wheel, tmp_path / "venv")
    installed = site / "fettle"
    assert (installed / "app" / "static" / "viewer.js").stat().st_size > 100_000
    compiled = Path(fettle.__file__).parent / "__pycache__" / "compiled"
    if compiled.is_dir():  # the same sources: machine code that the tests have already is used again
        shutil.copytree(compiled, installed / "__pycache__" / "compiled")
    environment, command = bare_environment(tmp_path), str(tmp_path / "venv" / "bin" / "fettle")
    told = subprocess.run([command, "--version"], env=environment, cwd=tmp_path, capture_output=True, check=True)
    assert told.stdout.decode() == f"fettle {fettle.__version__}\n"
    port, output = free_port(), tmp_path / "output"
    with output.open("wb") as written:
        asked = [command, "serve", "--port", str(port), "--workers", "0"]
        process = subprocess.Popen(asked, env=environment, cwd=tmp_path, stdout=written, stderr=written)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_ready(url, process, output)
        page = fetch(f"{url}/dashboard/sign-up")
        assert page.status_code == 200
        scripts = re.findall(r'src="(/[^"]+\.js[^"]*)"', page.text)
        assert [fetch(url + script).status_code for script in scripts] == [200] * len(scripts)
        assert fetch(f"{url}/api/v1/openapi.json").json()["info"]["version"] == fettle.__version__
        maps = Path(f"/proc/{process.pid}/maps").read_text()
        assert str(ROOT / "src") not in maps
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def test_the_client_is_a_package_of_its_own_without_the_engine(tmp_path: Path) -> None:
    wheel, _ = build(ROOT / "clients" / "python", tmp_path / "dist")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        head = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {"fettle_client"}
    assert re.findall(r"^Requires-Dist: (.+)$", head, re.MULTILINE) == ["httpx", "pydantic"]
    install(wheel, tmp_path / "venv")
    code = (
        "import sys, json, fettle_client; fettle_client.Fettle('http://127.0.0.1:9', 'svc_live_x').close();"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    python = tmp_path / "venv" / "bin" / "python"
    told = subprocess.run(
        [python, "-c", code], env=bare_environment(tmp_path), cwd=tmp_path, capture_output=True, check=True
    )
    loaded = set(json.loads(told.stdout))
    assert {"fettle_client", "httpx", "pydantic"} <= loaded
    assert {"fettle", "numpy", "OCP", "sqlalchemy", "fastapi", "scipy"} & loaded == set()


def test_every_package_has_the_version_of_the_service() -> None:
    script = json.loads((ROOT / "clients" / "typescript" / "package.json").read_text())
    python = (ROOT / "clients" / "python" / "pyproject.toml").read_text()
    assert script["version"] == fettle.__version__
    assert f'\nversion = "{fettle.__version__}"\n' in python
