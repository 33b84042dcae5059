"""Keeps the programs of a service running: starts them, starts those anew that die, stops all of them together.

Each program gets a pipe as its stdin that nobody writes to: it closes when this process is gone, however it ended, and
then the program exits too. Each can have its fork server forked from ours, which loads the kernel once for all.
"""

from __future__ import annotations

import logging
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE

log = logging.getLogger(__name__)

WATCH_S = 0.2
STEADY_S = 30.0
"""A program that ran this long counts as healthy: its next restart is not delayed."""

PAUSES_S = (0.2, 1.0, 5.0, 15.0)
"""Before the first, second... restart in a row."""


@dataclass(frozen=True, slots=True)
class Program:
    """`command`: the command line for a fresh `name`. `on_exit`: called with that name once the process has ended."""

    title: str
    command: Callable[[str], Sequence[str]]
    name: Callable[[], str]
    on_exit: Callable[[str], None] = lambda _: None
    pass_fds: tuple[int, ...] = ()


@dataclass(slots=True)
class Running:
    program: Program
    name: str
    process: subprocess.Popen[bytes]
    started: float
    failures: int = 0
    restart_at: float = field(default=0.0)


class Supervisor:
    """`environment`: what the programs see as theirs."""

    def __init__(self, programs: Sequence[Program], environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._programs = list(programs)
        self._running: list[Running] = []
        self._stop_requested = threading.Event()

    def run(self, stop_s: float) -> None:
        """Keep the programs running until SIGTERM or SIGINT; then give them `stop_s` seconds to end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._stop_requested.set())
        self._running = [self._start(program) for program in self._programs]
        try:
            while not self._stop_requested.wait(WATCH_S):
                self._running = [self._watch(running) for running in self._running]
        finally:
            self._stop(stop_s)

    def _start(self, program: Program, failures: int = 0) -> Running:
        name = program.name()
        shared_fd, said = sandbox.share(CHILD_MODULE)
        process = subprocess.Popen(  # noqa: S603 - our own programs
            program.command(name),
            stdin=subprocess.PIPE,
            env=self._environment | said,
            pass_fds=(*program.pass_fds, shared_fd),
        )
        return Running(program, name, process, time.monotonic(), failures)

    def _watch(self, running: Running) -> Running:
        """The same, or its successor when it has died and its pause is over."""
        status = running.process.poll()
        if status is None:
            return running
        now = time.monotonic()
        if running.restart_at == 0.0:
            lived_s = now - running.started
            running.failures = 0 if lived_s > STEADY_S else running.failures + 1
            pause_s = PAUSES_S[min(running.failures, len(PAUSES_S) - 1)]
            log.warning("%s ended (status %s) after %.0f s; starting it again", running.program.title, status, lived_s)
            running.restart_at = now + pause_s
            self._forget(running)
        return self._start(running.program, running.failures) if now >= running.restart_at else running

    def _stop(self, stop_s: float) -> None:
        deadline = time.monotonic() + stop_s
        for running in self._running:
            if running.process.poll() is None:
                running.process.terminate()
        for running in self._running:
            try:
                running.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                log.warning("%s does not stop and is killed", running.program.title)
                running.process.kill()
                running.process.wait()
            self._forget(running)

    def _forget(self, running: Running) -> None:
        if running.process.stdin is not None:
            running.process.stdin.close()
        try:
            running.program.on_exit(running.name)
        except Exception:
            # Not needed: without it the others notice by the missing heartbeat.
            log.exception("could not record the end of %s", running.program.title)
