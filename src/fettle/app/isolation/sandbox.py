"""Run a function in a child process that may crash, hang or use too much memory without harm to its caller.

The geometry kernel kills its process on a few per cent of slightly damaged files, and no exception helps. So whatever
touches a file runs behind `run`. The child is forked by a fork server (see `forkserver`), a preloaded process without
threads that belongs to this process and ends with it. The programs of one service have fork servers of their own that
are forked from a common one: libraries are loaded, and lie in memory, once. A command can have one from a service of
its user (see `fettle.app.warm_helper`). Nothing here imports the kernel.
"""

from __future__ import annotations

import atexit
import json
import logging
import mmap
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, TypeVarTuple, Unpack, overload

from fettle.app.isolation.limits import Limits
from fettle.app.isolation.task import KernelTask
from fettle.errors import KernelCrashed, KernelFailure, KernelKilled, KernelOutOfMemory, KernelTimedOut

T = TypeVar("T")
Args = TypeVarTuple("Args")
Say: TypeAlias = Callable[[str], None]

log = logging.getLogger(__name__)

MESSAGE_BYTES = 64 * 1024
SHARED_FD = "FETTLE_FORK_SERVER_FD"
"""Names, for a program we start, the descriptor by which it asks our fork server for one of its own."""

STOP_S = 5.0
PATIENCE_S = 60.0
"""Seconds beyond the wall limit after which a fork server that has not reported is taken as stuck."""

REMEDY = "A coarser max_edge or a simpler part takes less time and memory."
SHORT_OF_MEMORY = 0.5
"""Share of its memory from which on a crash is put down to the lack of it: the kernel's code does not always look
whether it got what it asked for, which may be twice what it has."""

UNREADABLE = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError, TypeError)
"""What a pickle that was written by a damaged process may raise."""


@overload
def run(task: KernelTask[T, *Args], args: tuple[*Args], limits: Limits, say: Say | None = None) -> T: ...
@overload
def run(task: Callable[[Unpack[Args]], T], args: tuple[*Args], limits: Limits, say: Say | None = None) -> T: ...
def run(
    task: KernelTask[T, *Args] | Callable[[Unpack[Args]], T],
    args: tuple[*Args],
    limits: Limits,
    say: Say | None = None,
) -> T:
    """The value of `task(*args)`, computed in a child of its own.

    `task` is a function of an importable module, or a `KernelTask`, which only names one, so that this process need
    not import it and with it the kernel. Arguments and value are pickled. With `say`, the function also gets a keyword
    `say` whose lines arrive here while it runs. An error of our own tree that the function raises is raised here as
    itself; a death becomes KernelCrashed, KernelTimedOut or KernelOutOfMemory, any other exception KernelFailure.
    When this call ends for whatever reason, the child and everything it started are gone.
    """
    with os.fdopen(os.memfd_create("request"), "wb") as request, os.fdopen(os.memfd_create("answer"), "rb") as answer:
        pickle.dump(args, request, protocol=5)
        request.flush()
        order = {
            "function": task.name if isinstance(task, KernelTask) else f"{task.__module__}:{task.__qualname__}",
            "wall_s": limits.wall_s,
            "cpu_s": limits.cpu_s,
            "memory_bytes": limits.memory_bytes,
            "cores": limits.cores,
            "say": say is not None,
        }
        end, by_helper = _attempt(order, request.fileno(), answer.fileno(), say)
        if by_helper and end["cause"] == "server":
            _server.leave_helper()
            os.ftruncate(answer.fileno(), 0)
            end, _ = _attempt(order, request.fileno(), answer.fileno(), say)
        _raise_if_dead(end, limits)
        value = _unpack(answer.fileno())
    if end["cause"] == "raised":
        raise value
    answered: T = value  # of the declared type, as the function's own types are checked
    return answered


def preload(*modules: str) -> None:
    """Let the fork server import these modules now, so that no run has to wait for them."""
    for module in modules:
        _send({"function": f"{module}:"}, [])


def share(module: str) -> tuple[int, dict[str, str]]:
    """A descriptor and variables for a program of ours: its fork server is forked from this one, with this module."""
    preload(module)
    fd = _server.fileno()
    return fd, {SHARED_FD: str(fd)}


def admit(listener: socket.socket, nice: int) -> None:
    """Let processes of our user that connect here have fork servers of their own, forked from ours, at this `nice`."""
    _send({"guest_nice": nice}, [listener.fileno()])


def prefer_helper(find: Callable[[], Helper | None], tell_lost: Callable[[], None]) -> None:
    """Let `find` look for the fork server of another program before this process starts its own. `tell_lost` is called
    when that one has gone; whatever it was doing for us is then done again by our own."""
    _server.prefer(find, tell_lost)


def wait_until_ready(module: str, patience_s: float = 600.0) -> None:
    """Return once the fork server has imported this module and let it warm up; KernelFailure when it cannot."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            _send({"function": f"{module}:"}, [theirs.fileno()])
        _raise_if_dead(_follow(ours, time.monotonic() + patience_s, None), Limits(wall_s=patience_s))


def _attempt(order: dict[str, Any], request: int, answer: int, say: Say | None) -> tuple[dict[str, Any], bool]:
    """Have a child forked and wait for its end; the fork server's report, and whether that one is a helper's."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            by_helper = _send(order, [theirs.fileno(), request, answer])
        return _follow(ours, time.monotonic() + order["wall_s"] + PATIENCE_S, say), by_helper


def _follow(channel: socket.socket, deadline: float, say: Say | None) -> dict[str, Any]:
    """Pass the child's lines to `say` until the fork server reports its end."""
    while True:
        channel.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            message = channel.recv(MESSAGE_BYTES)
        except TimeoutError:
            _server.stop()
            return {"cause": "wall"}
        except ConnectionResetError:
            message = b""
        if not message:
            return {"cause": "server"}
        report: dict[str, Any] = json.loads(message)
        if "line" not in report:
            return report
        if say is not None:
            say(report["line"])


def _raise_if_dead(end: dict[str, Any], limits: Limits) -> None:
    """Turn the fork server's report into an error, unless the child came to a regular end."""
    cause = end["cause"]
    if cause == "wall":
        raise KernelTimedOut(f"The geometry kernel passed its limit of {limits.wall_s:g} s and was stopped. {REMEDY}")
    if cause == "cpu":
        raise KernelTimedOut(
            f"The geometry kernel passed its limit of {limits.cpu_s:g} s of CPU time and was stopped. {REMEDY}"
        )
    if cause == "killed":
        raise KernelKilled("The geometry kernel's process was killed from outside; try again.")
    if cause == "server":
        raise KernelKilled("The geometry kernel's fork server was killed from outside; try again.")
    if cause == "import":
        log.error("the fork server cannot import %s:\n%s", end["module"], end["trace"])
        raise KernelFailure(f"The module {end['module']} cannot be imported ({end['text']}).")
    if cause == "signal":
        name = signal.Signals(end["signal"]).name
        if end["taken_bytes"] > SHORT_OF_MEMORY * limits.memory_bytes:
            taken, allowed = end["taken_bytes"] / 1024**2, limits.memory_bytes / 1024**2
            raise KernelOutOfMemory(
                f"The geometry kernel crashed on this file ({name}) when it had {taken:.0f} of the {allowed:g} MB of "
                f"memory that it may take: most likely it ran out of it. {REMEDY}"
            )
        raise KernelCrashed(f"The geometry kernel crashed on this file ({name}). The file is likely damaged.")
    if cause == "status":
        raise KernelCrashed(f"The geometry kernel left without an answer (exit status {end['status']}).")
    if cause == "exhausted":
        log.warning("memory ran out in the sandbox:\n%s", end["trace"])
        megabytes = limits.memory_bytes / 1024**2
        raise KernelOutOfMemory(f"The geometry kernel passed its limit of {megabytes:g} MB of memory and was stopped.")
    if cause == "exception":
        log.error("unexpected exception in the sandbox:\n%s", end["trace"])
        raise KernelFailure(f"The geometry kernel failed: {end['text']}.")


def _unpack(answer: int) -> Any:
    """What the child left in the answer file: a value, or an error of ours."""
    try:
        with mmap.mmap(answer, 0, access=mmap.ACCESS_READ) as view:
            return pickle.loads(view)  # noqa: S301 - written by our own child, which has our rights anyway
    except UNREADABLE as error:
        log.exception("the answer from the sandbox cannot be read")
        raise KernelFailure(f"The geometry kernel gave an unreadable answer ({type(error).__name__}).") from error


@dataclass(frozen=True, slots=True)
class Helper:
    """A fork server of ours that another program forked: its control socket and its process id."""

    control: socket.socket
    pid: int


class _Server:
    """The fork server of this process: started at its first use, and again whenever it has died.

    `given`: the socket of the fork server of whoever started us; ours is then forked from that one.
    """

    def __init__(self, given: socket.socket | None) -> None:
        self._given = given
        self._find_helper: Callable[[], Helper | None] | None = None
        self._tell_lost: Callable[[], None] = lambda: None
        self._helper_pid: int | None = None
        self._lock = threading.Lock()
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def send(self, order: dict[str, Any], fds: list[int]) -> bool:
        """Send one order; a server that died since the last one is replaced. True when it went to a helper's."""
        message = json.dumps(order).encode()
        with self._lock:
            if self._control is not None and self._owner == os.getpid():
                try:
                    socket.send_fds(self._control, [message], fds)
                    return self._helper_pid is not None
                except (BrokenPipeError, ConnectionResetError):
                    self._leave_helper()
                    self._stop()
            socket.send_fds(self._start(), [message], fds)
            return self._helper_pid is not None

    def prefer(self, find: Callable[[], Helper | None], tell_lost: Callable[[], None]) -> None:
        """Look for a helper before a server is started; `tell_lost` is called when it goes away."""
        with self._lock:
            self._find_helper, self._tell_lost = find, tell_lost

    def leave_helper(self) -> None:
        """The helper has gone: from now on this process has a server of its own."""
        with self._lock:
            self._leave_helper()

    def fileno(self) -> int:
        """The descriptor that orders go to."""
        with self._lock:
            control = self._control if self._control is not None and self._owner == os.getpid() else self._start()
            return control.fileno()

    def stop(self) -> None:
        """End the server and all its children."""
        with self._lock:
            self._stop()

    def _start(self) -> socket.socket:
        helper = self._find_helper() if self._find_helper is not None else None
        if helper is not None:
            self._control, self._owner, self._helper_pid = helper.control, os.getpid(), helper.pid
            return helper.control
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control, self._owner = ours, os.getpid()
        with theirs:
            if self._forked_from_given(theirs):
                return ours
            # One BLAS thread: a process with threads cannot be forked safely. A session of its own: an interrupt
            # from the keyboard is for us to handle, the server ends when our end of the socket closes. -P: no module
            # is ever imported from the current folder. Large pages: a child touches half as many, and is forked and
            # ended a fifth faster; a system that has none to give goes on without.
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-m", "fettle.app.isolation.forkserver", str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                env={
                    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path),
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                },
            )
        return ours

    def _forked_from_given(self, theirs: socket.socket) -> bool:
        """Ask the fork server that was given to us for one of our own; False where there is none that lives."""
        if self._given is None:
            return False
        order = {"owner": os.getpid(), "nice": os.nice(0)}
        try:
            socket.send_fds(self._given, [json.dumps(order).encode()], [theirs.fileno()])
        except (BrokenPipeError, ConnectionResetError):
            log.warning("the fork server we were given has died; this process starts one of its own")
            self._given.close()
            self._given = None
            return False
        return True

    def _leave_helper(self) -> None:
        self._find_helper = None
        if self._helper_pid is not None:
            self._stop()
            self._tell_lost()

    def _stop(self) -> None:
        if self._control is not None and self._owner == os.getpid():
            started = self._process.pid if self._process is not None else self._helper_pid
            pid = _reported_pid(self._control) if started is None else started
            self._control.close()
            if pid is not None:
                _wait_or_kill(pid)
            if self._process is not None:
                self._process.wait()
        self._control = self._process = self._helper_pid = None


def _reported_pid(control: socket.socket) -> int | None:
    """Process id that the fork server at the other end reported; None when it has not yet begun to serve."""
    try:
        hello = control.recv(MESSAGE_BYTES, socket.MSG_DONTWAIT)
    except (BlockingIOError, ConnectionResetError):
        return None
    return int(json.loads(hello)["pid"]) if hello else None


def _wait_or_kill(pid: int) -> None:
    """Wait a few seconds for a process that was asked to end, then kill it."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        poll = select.poll()
        poll.register(process, select.POLLIN)
        if not poll.poll(STOP_S * 1000):
            os.kill(pid, signal.SIGKILL)
            poll.poll()
    finally:
        os.close(process)


def _given_server() -> socket.socket | None:
    """The variable is taken out of the environment: the descriptor is ours alone, whatever we start in turn."""
    fd = os.environ.pop(SHARED_FD, None)
    if fd is None:
        return None
    given = socket.socket(fileno=int(fd))
    given.set_inheritable(False)
    return given


_server = _Server(_given_server())
_send = _server.send
atexit.register(_server.stop)
