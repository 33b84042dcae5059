"""A helper is a real process here, and so is every command that asks it; the kernel is not needed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import fettle
from fettle.app import warm_helper
from fettle.app.installation_mark import installation_mark
from fettle.app.isolation.forkserver import MOST_GUESTS
from fettle.app.isolation.peers import peer_of
from tests.patience import PATIENCE_S, until

NICE = 7
NOBODY = 65534
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")

SERVICE = f"""
import sys
from fettle.app import warm_helper
with warm_helper.offered(None, {NICE}, ("tests.app.deaths",)):
    print("offered", flush=True)
    sys.stdin.read()
"""

COMMAND = """
import sys
from functools import partial
from fettle.app import warm_helper
from fettle.app.isolation import sandbox
from fettle.app.isolation.task import KernelTask
from fettle.errors import FettleError
sandbox.prefer_helper(partial(warm_helper.find, None), lambda: print("lost", file=sys.stderr))
name, args, limits = sys.argv[1], eval(sys.argv[2]), sandbox.Limits(**eval(sys.argv[3]))
try:
    print(sandbox.run(KernelTask(name), args, limits))
except FettleError as error:
    print(type(error).__name__)
"""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where helpers of this test meet its commands; the address of a socket is short."""
    with TemporaryDirectory() as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        yield Path(runtime) / "fettle"


@pytest.fixture
def service(folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SERVICE]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "offered\n"
        yield process
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


def start_command(name: str, args: tuple[object, ...], **limits: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", COMMAND, name, repr(args), repr(limits)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_command(name: str, args: tuple[object, ...] = (), **limits: float) -> tuple[str, str]:
    """What it printed, and what it said on standard error."""
    with start_command(name, args, **limits) as command:
        out, err = command.communicate(timeout=PATIENCE_S)
    return out.strip(), err.strip()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def socket_in(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_the_fork_server_of_a_command_is_forked_from_that_of_the_service(
    service: subprocess.Popen[str], tmp_path: Path
) -> None:
    with start_command("tests.app.deaths:hang_once", (str(tmp_path),)) as command:
        place = tmp_path / "server"
        until(place.exists, "the task runs")
        server = int(place.read_text())
        assert parent_of(parent_of(server)) == service.pid
        assert parent_of(command.pid) == os.getpid()
        command.kill()
    until(lambda: not Path(f"/proc/{server}").exists(), "it ends with the command")


def test_its_children_have_the_priority_that_the_service_gives(service: subprocess.Popen[str]) -> None:
    assert run_command("os:nice", (0,)) == (str(max(NICE, os.nice(0))), "")


@pytest.mark.parametrize(
    ("task", "limits", "error"),
    [
        ("loop", {"wall_s": 0.5}, "KernelTimedOut"),
        ("loop", {"cpu_s": 0.5}, "KernelTimedOut"),
        ("swell", {"memory_bytes": 256 * 1024**2}, "KernelOutOfMemory"),
        ("read_null", {}, "KernelCrashed"),
        ("refuse", {}, "Damaged"),
    ],
)
def test_limits_and_errors_are_as_without(
    service: subprocess.Popen[str], task: str, limits: dict[str, float], error: str
) -> None:
    assert run_command(f"tests.app.deaths:{task}", (), **limits) == (error, "")


def test_a_command_whose_helper_is_killed_does_the_work_itself_and_says_so(
    service: subprocess.Popen[str], tmp_path: Path
) -> None:
    with start_command("tests.app.deaths:hang_once", (str(tmp_path),)) as command:
        place = tmp_path / "server"
        until(place.exists, "the task runs")
        os.kill(int(place.read_text()), signal.SIGKILL)
        out, err = command.communicate(timeout=PATIENCE_S)
    answer, server = eval(out)
    assert (answer, err) == ("answered", "lost\n")
    assert server != int(place.read_text())


def test_a_dead_socket_is_no_helper_and_the_next_service_removes_it(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    dead = folder / f"{installation_mark(None)}-dead"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as left:
        left.bind(str(dead))
    assert run_command("tests.app.deaths:add", (2, 3)) == ("5", "")
    with warm_helper.offered(None, NICE, ()):
        assert not dead.exists()
        assert socket_in(folder).stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir()) == []


def is_found(catalog_dir: Path | None = None) -> bool:
    helper = warm_helper.find(catalog_dir)
    if helper is not None:
        helper.control.close()
    return helper is not None


def test_another_catalog_finds_no_helper(service: subprocess.Popen[str], tmp_path: Path) -> None:
    catalog = tmp_path / "catalog"
    catalog.mkdir()
    assert is_found(catalog)  # nothing is replaced in an empty folder
    (catalog / "pricing.yaml").write_text("a: 1")
    assert not is_found(catalog)


def test_only_so_many_guests_at_a_time(service: subprocess.Popen[str], folder: Path) -> None:
    guests = [warm_helper.find(None) for _ in range(MOST_GUESTS)]
    assert all(guests)
    assert not is_found()
    assert run_command("tests.app.deaths:add", (2, 3)) == ("5", "")
    for guest in guests:
        assert guest is not None
        guest.control.close()
    until(is_found, "there is room again")


def test_a_folder_that_others_can_enter_is_not_trusted(service: subprocess.Popen[str], folder: Path) -> None:
    folder.chmod(0o755)
    assert not is_found()
    with warm_helper.offered(None, NICE, ()):
        assert len(list(folder.iterdir())) == 1  # that of the service: ours is not there
    folder.chmod(0o700)
    assert is_found()


def as_nobody(folder: Path, work: Callable[[], None]) -> int:
    """A process of another user, whose current folder this is, that does this and ends with 0."""
    pid = os.fork()
    if pid == 0:
        status = 9
        try:
            os.chdir(folder)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            signal.alarm(60)
            work()
            status = 0
        finally:
            os._exit(status)
    return pid


@needs_root
def test_a_service_turns_other_users_away(service: subprocess.Popen[str], folder: Path) -> None:
    path = socket_in(folder)
    folder.chmod(0o711)
    path.chmod(0o666)

    def ask() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
            connection.connect(path.name)
            assert connection.recv(4096) == b""

    _, status = os.waitpid(as_nobody(folder, ask), 0)
    assert os.waitstatus_to_exitcode(status) == 0


@needs_root
def test_a_command_trusts_no_service_of_another_user(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    outside = folder.parent / "outside"
    outside.mkdir()
    outside.chmod(0o777)
    name = f"{installation_mark(None)}-other"

    def serve() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind("new")
            listener.listen()
            Path("new").rename(name)
            connection, _ = listener.accept()
            with suppress(ConnectionError):  # it may have left at once
                connection.send(json.dumps({"pid": os.getpid()}).encode())
                connection.recv(4096)

    pid = as_nobody(outside, serve)
    until((outside / name).exists, "it listens")
    (outside / name).rename(folder / name)
    assert not is_found()
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_peer_is_known_by_process_and_user() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        assert (peer_of(ours).pid, peer_of(ours).uid) == (os.getpid(), os.getuid())


def test_one_changed_file_of_the_package_is_another_mark(tmp_path: Path) -> None:
    package = tmp_path / "fettle"
    shutil.copytree(Path(fettle.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    seen = [mark_of(tmp_path), mark_of(tmp_path)]
    for name in ("measure/thickness.py", "data/packs/cnc.yaml"):
        with (package / name).open("a") as file:
            file.write("#")
        seen.append(mark_of(tmp_path))
    assert seen[0] == seen[1]
    assert len(set(seen)) == 3


def mark_of(folder: Path) -> str:
    """Mark of a copy of the package in this folder."""
    ask = "from fettle.app.installation_mark import installation_mark; print(installation_mark(None))"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()
