"""The process that forks a child for every run of the sandbox. Started by `sandbox`; never imported by others.

It has imported what the children need, has no threads, and does nothing but fork, watch and reap. Three things make
sure that nothing survives:

- It is the reaper of all its descendants (PR_SET_CHILD_SUBREAPER). Whatever a child started comes to it when the child
  is gone, in whatever session it hides, and is killed before the run is reported as ended.
- It ends, with all of that, when its owner closes the control socket or dies. A closed run socket means that the caller
  of that run has gone.
- A child dies when this process dies (PR_SET_PDEATHSIG); getppid() covers the moment before that was set.

It can also fork a server for another owner: that one starts with everything loaded, shares the pages, and serves,
ends and reaps for its own owner alone. Owners are programs that its own owner names, and guests: processes of the same
user that connect to a socket it was given (see `fettle.app.warm_helper`).
"""

from __future__ import annotations

import ctypes
import gc
import json
import math
import os
import select
import signal
import socket
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from fettle.app.isolation.child import (
    EXIT_CAUSES,
    EXIT_EXCEPTION,
    EXIT_EXHAUSTED,
    TRACE_LIMIT,
    describe,
    limit,
    report,
    work,
)
from fettle.app.isolation.peers import peer_of
from fettle.startup import load

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36
LONGEST_WAIT_S = 60.0
MOST_GUESTS = 8
"""Guests at a time. Each costs a process that shares our pages; one more is turned away and starts its own server."""
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)


@dataclass(slots=True)
class Run:
    """A running child. `cause` is set when the server ends it."""

    pid: int
    channel: socket.socket
    answer: int
    deadline: float
    cause: str | None = None


class ForkServer:
    """`owner`: a descriptor of the process that may give orders; `ready`: modules that are loaded already."""

    def __init__(self, control: socket.socket, owner: int, ready: set[str]) -> None:
        self.control = control
        self.owner = owner
        self.pid = os.getpid()
        self.runs: dict[int, Run] = {}
        self.branches: set[int] = set()
        self.listener: socket.socket | None = None
        self.guest_nice = 0
        self.guests: set[int] = set()
        self.ready = ready
        self.wake_read, self.wake_write = socket.socketpair()
        self.wake_read.setblocking(False)
        self.wake_write.setblocking(False)

    def serve(self) -> None:
        """Fork, watch and reap until the owner is gone; then kill every descendant."""
        signal.set_wakeup_fd(self.wake_write.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for request in (signal.SIGINT, signal.SIGTERM):
            signal.signal(request, signal.SIG_IGN)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        report(self.control, {"pid": self.pid})
        try:
            while self._step():
                pass
        finally:
            for run in self.runs.values():
                self._kill(run, "owner")
            self.runs.clear()
            self._kill_orphans()

    def _step(self) -> bool:
        """Wait for the next event and handle it; False when the owner is gone or has closed the control socket."""
        poll = select.poll()
        poll.register(self.owner, select.POLLIN)
        poll.register(self.control, select.POLLIN)
        poll.register(self.wake_read, select.POLLIN)
        if self.listener is not None:
            poll.register(self.listener, select.POLLIN)
        by_channel = {run.channel.fileno(): run for run in self.runs.values()}
        for fd in by_channel:
            poll.register(fd, 0)  # only hang-up: the caller of that run has gone
        next_deadline = min((run.deadline for run in self.runs.values()), default=math.inf)
        patience_s = max(0.0, min(LONGEST_WAIT_S, next_deadline - time.monotonic()))
        events = dict(poll.poll(math.ceil(patience_s * 1000)))

        for fd, run in by_channel.items():
            if fd in events:
                self._kill(run, "caller")
        for run in self.runs.values():
            if time.monotonic() >= run.deadline:
                self._kill(run, "wall")
        if self.wake_read.fileno() in events:
            self.wake_read.recv(4096)
        self._reap()
        if self.owner in events:
            return False
        if self.listener is not None and self.listener.fileno() in events:
            self._admit_guest(self.listener)
        return self.control.fileno() not in events or self._take_order()

    def _take_order(self) -> bool:
        try:
            message, fds, _, _ = socket.recv_fds(self.control, 65536, 3)
        except ConnectionResetError:
            return False  # closed before it read our first message
        if not message:
            return False
        order = json.loads(message)
        if "owner" in order:
            self._branch(order["owner"], order["nice"], socket.socket(fileno=fds[0]))
            return True
        if "guest_nice" in order:
            self.listener, self.guest_nice = socket.socket(fileno=fds[0]), order["guest_nice"]
            self.listener.setblocking(False)
            return True
        fault = self._import(order["function"].partition(":")[0])
        if not fds:
            return True
        channel = socket.socket(fileno=fds[0])
        if len(fds) == 1:
            report(channel, fault or {"cause": "answer"})
            channel.close()
            return True
        request, answer = fds[1], fds[2]
        if fault:
            report(channel, fault)
            channel.close()
            os.close(answer)
        else:
            gc.freeze()  # a collection in the child would touch, and so copy, every page of the libraries
            pid = os.fork()
            if pid == 0:
                self._become_child(order, channel, request, answer)
            self.runs[pid] = Run(pid, channel, answer, time.monotonic() + order["wall_s"])
        os.close(request)
        return True

    def _admit_guest(self, listener: socket.socket) -> None:
        """Fork a server for a process of our own user; anybody else finds the connection closed."""
        try:
            control, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return  # it has left already
        peer = peer_of(control)
        if peer.uid != os.getuid() or peer.pid == 0 or len(self.guests) >= MOST_GUESTS:
            control.close()
            return
        self.guests.add(self._branch(peer.pid, self.guest_nice, control))

    def _branch(self, owner: int, nice: int, control: socket.socket) -> int:
        """Fork a server for another owner; its process id."""
        gc.freeze()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.setsid()
                self._close_server_files()
                os.nice(max(0, nice - os.nice(0)))
                serve(control, owner, set(self.ready))
                status = 0
            except Exception:  # noqa: BLE001 - nobody above can report it
                traceback.print_exc()
            finally:
                os._exit(status)
        self.branches.add(pid)
        control.close()
        return pid

    def _import(self, name: str) -> dict[str, Any] | None:
        """Import a module and call its `warm_up`, once: every child starts with what is loaded and compiled here."""
        if name in self.ready:
            return None
        try:
            getattr(load(name), "warm_up", lambda: None)()
        except Exception as error:  # noqa: BLE001 - whatever a module raises is reported to the caller
            return {
                "cause": "import",
                "module": name,
                "text": describe(error),
                "trace": traceback.format_exc()[-TRACE_LIMIT:],
            }
        self.ready.add(name)
        give_back_freed_memory()
        return None

    def _become_child(self, order: dict[str, Any], channel: socket.socket, request: int, answer: int) -> NoReturn:
        """In the child: close the server's files, set the limits, run the function, exit. Never returns."""
        status = EXIT_EXCEPTION
        try:
            os.setsid()
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != self.pid:
                os._exit(status)  # the server died before the line above
            self._close_server_files()
            null = os.open(os.devnull, os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(null, fd)
            limit(order)
            status = work(order, channel, request, answer)
        finally:
            os._exit(status)

    def _close_server_files(self) -> None:
        """In a child: close every descriptor of the server."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self.owner)
        self.control.close()
        self.wake_read.close()
        self.wake_write.close()
        if self.listener is not None:
            self.listener.close()
        for run in self.runs.values():
            run.channel.close()
            os.close(run.answer)

    def _reap(self) -> None:
        """Reap what has died, report the runs among it, and kill what they left behind."""
        while (dead := self._next_dead()) is not None:
            run = self.runs.pop(dead, None)
            _, status, used = os.wait4(dead, 0)
            if run is None and dead not in self.branches:
                continue
            self.branches.discard(dead)
            self.guests.discard(dead)
            self._kill_orphans()
            if run is None:
                continue
            report(run.channel, verdict(run, status) | {"taken_bytes": used.ru_maxrss * 1024 - inherited_bytes()})
            run.channel.close()
            os.close(run.answer)

    def _next_dead(self) -> int | None:
        try:
            dead = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return None
        return dead.si_pid if dead is not None else None

    def _kill(self, run: Run, cause: str) -> None:
        """The run is buried, and reported, when its death is noticed."""
        run.cause = run.cause or cause
        run.deadline = math.inf
        os.kill(run.pid, signal.SIGKILL)

    def _kill_orphans(self) -> None:
        """Kill every child that is neither a run nor another's server, wait for it, and go on: its own children have
        now come to us."""
        while strays := [pid for pid in children(self.pid) if pid not in self.runs and pid not in self.branches]:
            for pid in strays:
                os.kill(pid, signal.SIGKILL)
            for pid in strays:
                os.waitpid(pid, 0)


def inherited_bytes() -> int:
    """Memory of this process that a child has from its first moment: all but pages of files, which it maps by need."""
    rows = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
    return next(int(row[1]) * 1024 for row in rows if row[0] == "RssAnon:")


def verdict(run: Run, status: int) -> dict[str, Any]:
    """What the end of a run means, from its wait status and from what we did to it ourselves.

    A run that we came to end, and that ended at that moment by itself, had passed its limit all the same.
    """
    if run.cause:
        return {"cause": run.cause}
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return {"cause": "cpu"}
        if number == signal.SIGKILL:
            return {"cause": "killed"}
        return {"cause": "signal", "signal": number}
    code = os.WEXITSTATUS(status)
    left = os.fstat(run.answer).st_size
    if code not in EXIT_CAUSES or not left:
        return {"cause": "status", "status": code}
    fault = json.loads(os.pread(run.answer, left, 0)) if code in (EXIT_EXCEPTION, EXIT_EXHAUSTED) else {}
    return {"cause": EXIT_CAUSES[code], **fault}


def give_back_freed_memory() -> None:
    """Give the pages between what imports and rehearsals have left back to the system: 24 MB of 300. A child that uses
    such a page again gets an empty one, which takes a tenth less of the system's time than a copy of ours. Does nothing
    where the C library is another one."""
    trim = getattr(libc, "malloc_trim", None)
    if trim is not None:
        trim(0)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def prctl(option: int, value: int) -> None:
    if libc.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def serve(control: socket.socket, owner: int, ready: set[str]) -> None:
    """Be the fork server of a process, until it is gone."""
    name = ctypes.create_string_buffer(f"kernel {owner}".encode())
    prctl(PR_SET_NAME, ctypes.addressof(name))
    try:
        watch = os.pidfd_open(owner)
    except ProcessLookupError:
        return  # gone before we came
    ForkServer(control, watch, ready).serve()


def main() -> None:
    fd, owner = int(sys.argv[1]), int(sys.argv[2])
    status = 1
    try:
        with socket.socket(fileno=fd) as control:
            serve(control, owner, set())
        status = 0
    except Exception:  # noqa: BLE001 - nobody above can report it
        traceback.print_exc()
    finally:
        # nothing is left to do, and taking the libraries down object by object takes CPU time (0.07 s measured)
        os._exit(status)


if __name__ == "__main__":
    main()
