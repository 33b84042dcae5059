"""Every death is a real one, and each time the next call must work."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import types
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from fettle.app.isolation import sandbox
from fettle.app.isolation.sandbox import Limits, run
from fettle.app.isolation.task import KernelTask
from fettle.errors import (
    Damaged,
    FettleError,
    KernelCrashed,
    KernelFailure,
    KernelKilled,
    KernelOutOfMemory,
    KernelTimedOut,
)
from tests.app import deaths
from tests.counts import FULL
from tests.patience import PATIENCE_S, until
from tests.two_cores import two_cores

ROOMY = Limits(wall_s=PATIENCE_S, cpu_s=PATIENCE_S, memory_bytes=1024**3)
BRIEF = Limits(wall_s=0.5, cpu_s=PATIENCE_S, memory_bytes=1024**3)
TIGHT = Limits(memory_bytes=256 * 1024**2)
MARK = "FETTLE_TEST_MARK"


def marked(mark: str) -> list[int]:
    """Processes that were started, at whatever remove, with this mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue  # it ended while we looked
            if f"{MARK}={mark}".encode() in environment:
                found.append(int(entry.name))
    return found


@contextmanager
def busy_machine() -> Iterator[None]:
    """More processes that want to compute than there are cores."""
    hogs = [
        subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def test_value_comes_back() -> None:
    assert run(deaths.add, (2, 3), ROOMY) == 5


def test_a_function_can_be_named_so_that_the_parent_need_not_import_it() -> None:
    dedent: KernelTask[str, str] = KernelTask("textwrap:dedent")
    add: KernelTask[int, int, int] = KernelTask("tests.app.deaths:add")
    assert run(dedent, ("  a\n  b",), ROOMY) == "a\nb"
    assert run(add, (2, 3), ROOMY) == 5


def test_large_arrays_come_back_read_only_and_whole() -> None:
    values = run(deaths.array, (3_000_000,), ROOMY)
    assert values.dtype == np.float64
    assert not values.flags.writeable
    assert values.sum() == 3_000_000 * 2_999_999 / 2


def test_a_whole_upload_goes_in_and_out() -> None:
    upload = random.Random(1).randbytes(25 * 1024 * 1024)
    assert run(deaths.echo, (upload,), ROOMY) == upload


DEATHS: dict[str, tuple[Callable[..., object], Limits, type[FettleError], str]] = {
    "segfault": (deaths.read_null, ROOMY, KernelCrashed, "SIGSEGV"),
    "abort": (deaths.abort, ROOMY, KernelCrashed, "SIGABRT"),
    "stack": (deaths.overflow_the_stack, ROOMY, KernelCrashed, "SIGSEGV"),
    "exit 0": (partial(deaths.leave, 0), ROOMY, KernelCrashed, "without an answer"),
    "exit 3": (partial(deaths.leave, 3), ROOMY, KernelCrashed, "exit status 3"),
    "kill -9": (deaths.be_killed, ROOMY, KernelKilled, "killed from outside"),
    "endless loop": (deaths.loop, BRIEF, KernelTimedOut, "0.5 s"),
    "endless loop in C that holds the GIL": (deaths.hold_the_gil, BRIEF, KernelTimedOut, "0.5 s"),
    "asleep": (partial(deaths.sleep, PATIENCE_S), BRIEF, KernelTimedOut, "0.5 s"),
    "CPU limit": (deaths.loop, Limits(wall_s=PATIENCE_S, cpu_s=1), KernelTimedOut, "CPU"),
    "CPU limit on the second core": (
        deaths.loop_on_the_second_core,
        Limits(wall_s=PATIENCE_S, cpu_s=1, cores=2),
        KernelTimedOut,
        "CPU",
    ),
    "memory on the second core": (deaths.swell_on_the_second_core, replace(TIGHT, cores=2), KernelOutOfMemory, "256"),
    "memory in pieces": (deaths.swell, TIGHT, KernelOutOfMemory, "256 MB"),
    "memory without looking": (deaths.swell_and_crash, TIGHT, KernelOutOfMemory, "of the 256 MB"),
    "memory at once": (partial(deaths.swallow, 2**40), TIGHT, KernelOutOfMemory, "256 MB"),
    "an error of ours": (deaths.refuse, ROOMY, Damaged, "line 12: #7 is not closed"),
    "another error": (deaths.fail, ROOMY, KernelFailure, "ZeroDivisionError: a face without area"),
    "a value that cannot travel": (deaths.unpicklable, ROOMY, KernelFailure, "cannot pickle"),
}


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=two_cores) if limits.cores > 1 else case for case, (_, limits, _, _) in DEATHS.items()],
)
def test_every_death_is_one_error_and_the_next_call_works(case: str, capfd: pytest.CaptureFixture[str]) -> None:
    death, limits, error, words = DEATHS[case]
    fn, args = (death.func, death.args) if isinstance(death, partial) else (death, ())
    run(deaths.add, (1, 1), ROOMY)  # the fork server stands, so that the clock below measures the limit alone
    started = time.monotonic()
    with pytest.raises(FettleError) as caught:
        run(fn, args, limits)
    elapsed_s = time.monotonic() - started
    assert type(caught.value) is error
    assert words in str(caught.value)
    assert "Traceback" not in str(caught.value)
    assert elapsed_s < sandbox.PATIENCE_S, "the fork server said so, not the watch over the fork server"
    assert run(deaths.add, (2, 3), ROOMY) == 5
    assert capfd.readouterr() == ("", "")


@two_cores
def test_a_run_has_the_cores_of_its_limits_and_the_next_its_own() -> None:
    """One thread with one core, a second one beside it with two."""
    assert run(deaths.cores_and_threads, (), replace(ROOMY, cores=2)) == (2, 2)
    assert run(deaths.cores_and_threads, (), ROOMY) == (1, 1)


def test_limit_of_memory_is_what_may_be_added() -> None:
    megabytes = run(deaths.memory_left, (), Limits(memory_bytes=200 * 1024**2))
    # Never above the limit; below it by the arena of 1 MiB at most that the interpreter maps for the list itself.
    assert 199 <= megabytes <= 200


def test_paths_of_the_machine_stay_out_of_error_texts(tmp_path: Path) -> None:
    with pytest.raises(KernelFailure) as caught:
        run(deaths.open_missing, (str(tmp_path / "secret"),), ROOMY)
    assert "secret" not in str(caught.value)
    assert "FileNotFoundError" in str(caught.value)


def test_output_of_a_library_reaches_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(deaths.chatter, (), ROOMY) == 7
    assert capfd.readouterr() == ("", "")


def test_lines_arrive_in_order_while_it_runs() -> None:
    lines: list[str] = []
    assert run(deaths.count_aloud, (300,), ROOMY, say=lines.append) == 300
    assert lines == [f"step {k}" for k in range(300)]


def test_a_caller_that_gives_up_ends_its_child(tmp_path: Path) -> None:
    class GiveUp(Exception):
        pass

    def give_up(line: str) -> None:
        raise GiveUp(line)

    with pytest.raises(GiveUp):
        run(deaths.announce_and_loop, (str(tmp_path),), ROOMY, say=give_up)
    (child,) = (int(entry.name) for entry in tmp_path.iterdir())
    until(lambda: not Path(f"/proc/{child}").exists(), "the child is gone")


def test_several_at_once_do_not_wait_for_each_other(tmp_path: Path) -> None:
    """Six runs end only when all of them run, and a seventh; the death of another meanwhile is told before that."""
    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(run, deaths.meet, (str(tmp_path), 7), ROOMY) for _ in range(6)]
        crash = pool.submit(run, deaths.read_null, (), ROOMY)
        assert isinstance(crash.exception(), KernelCrashed)
        assert not any(answer.done() for answer in answers)
        assert run(deaths.meet, (str(tmp_path), 7), ROOMY) == "met"
        assert [answer.result() for answer in answers] == ["met"] * 6


def test_the_server_has_one_thread_and_a_killed_one_is_replaced() -> None:
    child, server, threads = run(deaths.pid_and_threads, (), ROOMY)
    assert threads == 1
    assert child not in (server, os.getpid())
    runs: list[BaseException | None] = []

    def sleeper() -> None:
        with pytest.raises(KernelKilled) as caught:
            run(deaths.sleep, (PATIENCE_S,), ROOMY)
        runs.append(caught.value)

    thread = threading.Thread(target=sleeper)
    task = Path(f"/proc/{server}/task/{server}/children")
    services = set(task.read_text().split())  # of other tests of this process: their fork servers stay
    thread.start()
    (sleeping,) = until(lambda: set(task.read_text().split()) - services, "the sleeper runs")
    os.kill(server, signal.SIGKILL)
    thread.join(PATIENCE_S)
    assert len(runs) == 1
    until(lambda: not Path(f"/proc/{sleeping}").exists(), "the sleeper is gone")
    assert run(deaths.add, (2, 3), ROOMY) == 5
    assert run(deaths.pid_and_threads, (), ROOMY)[1] != server


@pytest.mark.parametrize("then", ["return", "crash", "hang", "exit"])
def test_grandchildren_and_daemons_go_with_the_run(then: str, tmp_path: Path) -> None:
    limits, folder = ROOMY, tmp_path / then
    folder.mkdir()
    if then == "hang":  # gets several times what having them takes here and now
        trial = tmp_path / "trial"
        trial.mkdir()
        started = time.monotonic()
        run(deaths.have_descendants, (str(trial), "return"), ROOMY)
        limits = Limits(wall_s=1 + 8 * (time.monotonic() - started))
    if then == "return":
        run(deaths.have_descendants, (str(folder), then), limits)
    else:
        with pytest.raises(KernelFailure):
            run(deaths.have_descendants, (str(folder), then), limits)
    descendants = [entry.name for entry in folder.iterdir()]
    assert len(descendants) == 3
    assert [pid for pid in descendants if Path(f"/proc/{pid}").exists()] == []


PARENT = """
import sys, threading
from fettle.app.isolation.sandbox import Limits, run
from tests.app import deaths
def work():
    while True:
        run(deaths.add, (1, 2), Limits())
        run(deaths.announce_and_loop, (sys.argv[1],), Limits())
for _ in range(2):
    threading.Thread(target=work).start()
"""


def kernels_of(owners: list[int]) -> list[int]:
    """Fork servers of these processes and what they run, by the name they bear."""
    names = {f"kernel {pid}" for pid in owners}
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):  # it ended while we looked
            if entry.name.isdigit() and (entry / "comm").read_text().strip() in names:
                found.append(int(entry.name))
    return found


STARTS = 100 if FULL else 4


@pytest.mark.parametrize("given", [False, True], ids=["own fork server", "fork server from ours"])
def test_nothing_outlives_a_parent_killed_on_a_busy_machine(tmp_path: Path, given: bool) -> None:
    """Half of the kills fall at random into start-up, where the fork server stands or not, the others into the work."""
    mark = uuid.uuid4().hex
    fd, said = sandbox.share("tests.app.deaths") if given else (0, {})
    owners: list[int] = []
    chance = random.Random(20260)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, MARK: mark, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(temporary)} | said

    def start_and_kill(number: int) -> int:
        announced = tmp_path / str(number)
        announced.mkdir()
        command = [sys.executable, "-c", PARENT, str(announced)]
        with subprocess.Popen(command, env=environment, pass_fds=(fd,)) as parent:
            owners.append(parent.pid)
            if number % 2:
                time.sleep(chance.uniform(0.05, 2.0))
            else:
                until(lambda: any(announced.iterdir()), "a run is at work")
                time.sleep(chance.uniform(0.0, 0.1))
            parent.kill()
        return len(list(announced.iterdir()))

    # Beside other tests the machine is busy anyway.
    with busy_machine() if FULL else nullcontext(), ThreadPoolExecutor(5) as pool:
        at_work = list(pool.map(start_and_kill, range(STARTS)))
        until(lambda: not marked(mark), lambda: f"{marked(mark)} are gone")
        until(lambda: not kernels_of(owners), lambda: f"{kernels_of(owners)} are gone")
    assert sum(at_work) >= STARTS / 2
    assert list(temporary.iterdir()) == []


PROGRAM = """
from pathlib import Path
from fettle.app.isolation.sandbox import Limits, run
from tests.app import deaths
_, server, threads = run(deaths.pid_and_threads, (), Limits())
parent = Path(f"/proc/{server}/stat").read_text().rsplit(")", 1)[1].split()[1]
print(server, parent, threads)
"""


def run_program(fd: int, said: dict[str, str]) -> list[int]:
    """Fork server of a program of ours, that one's parent, and its threads."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **said},
        pass_fds=(fd,),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    return [int(word) for word in done.stdout.split()]


def test_a_program_of_ours_has_its_fork_server_forked_from_ours() -> None:
    ours = run(deaths.pid_and_threads, (), ROOMY)[1]
    server, parent, threads = run_program(*sandbox.share("tests.app.deaths"))
    assert (parent, threads) == (ours, 1)
    until(lambda: not Path(f"/proc/{server}").exists(), "the program's fork server is gone with it")
    assert run(deaths.pid_and_threads, (), ROOMY)[1] == ours


def test_a_program_whose_given_fork_server_has_died_starts_its_own() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.close()
    with ours:
        server, parent, threads = run_program(ours.fileno(), {sandbox.SHARED_FD: str(ours.fileno())})
    assert parent not in (server, os.getpid())
    assert threads == 1


def test_the_server_leaves_with_a_parent_that_ends_well() -> None:
    mark = uuid.uuid4().hex
    script = (
        "from fettle.app.isolation.sandbox import Limits, run\n"
        "from tests.app.deaths import add\n"
        "print(run(add, (2, 3), Limits()))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, MARK: mark, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("5\n", "", 0)
    until(lambda: not marked(mark), lambda: f"{marked(mark)} are gone")


def test_a_module_that_only_the_parent_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = types.ModuleType("made_up_here")
    exec("def work(): return 1", made_up.__dict__)
    monkeypatch.setitem(sys.modules, "made_up_here", made_up)
    with pytest.raises(KernelFailure, match="made_up_here"):
        run(made_up.work, (), ROOMY)
    assert run(deaths.add, (2, 3), ROOMY) == 5


def test_preload_imports_ahead() -> None:
    sandbox.preload("fettle.errors")
    assert run(deaths.add, (2, 3), ROOMY) == 5


def test_ready_is_told_once_the_module_is_there() -> None:
    sandbox.wait_until_ready("tests.app.deaths")
    with pytest.raises(KernelFailure, match="no_such_module"):
        sandbox.wait_until_ready("fettle.no_such_module")
    assert run(deaths.add, (1, 2), ROOMY) == 3
