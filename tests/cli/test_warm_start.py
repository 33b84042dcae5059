"""`fettle analyze` beside a running service: the same bytes, from its kernel, without loading one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fettle.geometry.csg import build
from tests.counts import some
from tests.parts import DRILLED
from tests.patience import PATIENCE_S, until

COMMAND = """
import json, os, sys
from pathlib import Path
from fettle.cli import main
try:
    main()
finally:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    sys.stderr.write(json.dumps({"children": len(children), "modules": sorted(sys.modules)}))
"""
HEAVY = {"OCP", "scipy", "numba", "numpy", "fettle.results", "fettle.app.settings"}


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """That of a user whose runtime folder is empty, and who has set nothing."""
    said = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    with TemporaryDirectory() as runtime:
        yield {**said, "XDG_RUNTIME_DIR": runtime, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture(scope="module")
def service(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A service that only keeps the kernel loaded: API and workers are not needed."""
    folder = tmp_path_factory.mktemp("service")
    command = [sys.executable, "-m", "fettle", "worker", "--data-dir", str(folder)]
    meeting = Path(environment["XDG_RUNTIME_DIR"]) / "fettle"
    with (folder / "log").open("w") as log, subprocess.Popen(command, env=environment, stdout=log, stderr=log) as run:
        until(
            lambda: meeting.is_dir() and any(meeting.iterdir()),
            lambda: f"a helper is offered: {(folder / 'log').read_text()}",
        )
        until(lambda: "takes jobs" in (folder / "log").read_text(), "the worker is up, and so the kernel is loaded")
        yield
        run.send_signal(signal.SIGTERM)
        assert run.wait(PATIENCE_S) == 0
    assert list(meeting.iterdir()) == []


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("part") / "drilled.step"
    path.write_bytes(build(DRILLED))
    return path


def analyze(environment: dict[str, str], *arguments: str) -> tuple[int, str, dict[str, object]]:
    """Exit code, output, and of the command's own process the number of children (its fork server) and the modules."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "analyze", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout, json.loads(done.stderr)


@pytest.mark.parametrize("form", some(["json", "text"], every=2))
def test_the_answer_is_the_same_and_the_command_loads_no_kernel(
    service: None, environment: dict[str, str], part: Path, form: str
) -> None:
    off = {**environment, "FETTLE_WARM_HELPER": "false"}
    helped, alone = (analyze(said, str(part), "--format", form) for said in (environment, off))
    assert helped[:2] == alone[:2]
    assert helped[0] == 1
    assert helped[2]["children"] == 0
    assert alone[2]["children"] == 1
    assert not HEAVY & set(helped[2]["modules"])  # type: ignore[call-overload]


def test_a_refused_file_ends_the_same_way(service: None, environment: dict[str, str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.step"
    broken.write_bytes(build(DRILLED)[:2000])
    off = {**environment, "FETTLE_WARM_HELPER": "false"}
    helped, alone = (analyze(said, str(broken)) for said in (environment, off))
    assert helped[:2] == alone[:2]
    assert helped[2]["children"] == 0
