"""What the drills share: a service killed whole, processes found by what they are, and counting at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.service import Service
from fettle.app.settings import Settings
from fettle.app.state.store import job_lines, jobs, workers
from tests.patience import PATIENCE_S, until

FETTLE = [sys.executable, "-c", "from fettle.cli import main; main()"]


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants(pid: int) -> list[int]:
    found = children(pid)
    return found + [deeper for child in found for deeper in descendants(child)]


def command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
    except (FileNotFoundError, ProcessLookupError):
        return []


WORKERS = {"fettle.app.worker", "fettle.app.work.worker"}
"""Modules that workers run, of this version and of 0.1."""


def workers_of(supervisor: int) -> dict[str, int]:
    """Name -> process of every worker."""
    found = {pid: command_line(pid) for pid in children(supervisor)}
    return {line[-1]: pid for pid, line in found.items() if WORKERS & set(line)}


def fork_server_of(owner: int) -> int:
    """The fork server of a process."""
    found = _named_after(owner)
    return next(pid for pid, parent in found.items() if parent not in found)


def kernels_of(owner: int) -> list[int]:
    """Processes that run the kernel for a process right now."""
    found = _named_after(owner)
    return [pid for pid, parent in found.items() if parent in found]


def _named_after(owner: int) -> dict[int, int]:
    """Process -> its parent: the owner's fork server and what runs in it, which all bear the owner's number."""
    found = {}
    for path in Path("/proc").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError, NotADirectoryError):  # it ended while we looked
            if path.name.isdigit() and (path / "comm").read_text().strip() == f"kernel {owner}":
                found[int(path.name)] = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
    return found


def kill(*pids: int) -> int:
    """Kill -9; says how many of them were still there."""
    return _send(signal.SIGKILL, pids)


def _send(number: signal.Signals, pids: Iterable[int]) -> int:
    hit = 0
    for pid in pids:
        try:
            os.kill(pid, number)
            hit += 1
        except ProcessLookupError:
            continue
    return hit


def crash(supervisor: int) -> bool:
    """Kill a service whole, with its fork servers, which may be children of ours; whether there was one."""
    return send(signal.SIGKILL, supervisor) > 1


def send(number: signal.Signals, supervisor: int) -> int:
    """A signal to every process of a service; says to how many."""
    programs = [supervisor, *descendants(supervisor)]
    kernels = {pid for program in programs for pid in _named_after(program)}
    return _send(number, [*programs, *kernels.difference(programs)])


def environment_of(settings: Settings, **more: str) -> dict[str, str]:
    said = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    return said | {
        "FETTLE_DATA_DIR": str(settings.data_dir),
        "FETTLE_DATABASE_URL": settings.database_url,
        "FETTLE_STORAGE_URL": settings.storage_url,
        "FETTLE_HEARTBEAT_S": str(settings.heartbeat_s),
        "FETTLE_DEAD_AFTER_S": str(settings.dead_after_s),
        "FETTLE_LOG_LEVEL": "warning",
        "FETTLE_WORKER_NICE": "0",
        **more,
    }


@contextmanager
def started(
    arguments: list[str], environment: dict[str, str], output: Path, *, own_kernel: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """`fettle` with these arguments, in a process of its own; stopped at the end, if it still runs.

    Its fork server is forked from ours, unless `own_kernel`: to load the kernel takes more than most jobs of a drill.
    """
    fork_server, shared = (None, {}) if own_kernel else sandbox.share(CHILD_MODULE)
    with output.open("ab") as written:
        process = subprocess.Popen(
            [*FETTLE, *arguments],
            env=environment | shared,
            pass_fds=[] if fork_server is None else [fork_server],
            stdout=written,
            stderr=written,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@contextmanager
def busy_machine() -> Iterator[None]:
    """An endless loop for every second core, beside workers that could use them all."""
    count = max(1, (os.cpu_count() or 1) // 2)
    hogs = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def count(service: Service, *statuses: str) -> int:
    query = sa.select(sa.func.count()).select_from(jobs).where(jobs.c.status.in_(statuses))
    with service.store.read() as connection:
        return int(connection.execute(query).scalar_one())


def wait_for_ends(service: Service, enough: int) -> None:
    """Until so many jobs have ended."""
    until(lambda: count(service, "done", "error") >= enough, f"{enough} jobs have ended", poll_s=0.05)


def living(service: Service) -> set[str]:
    """Workers that have given a sign of life."""
    with service.store.read() as connection:
        return set(connection.scalars(sa.select(workers.c.id)))


def untried(service: Service) -> set[str]:
    """Workers whose job is in its first attempt: a kill there leaves it two more."""
    query = sa.select(jobs.c.worker).where(jobs.c.status == "running", jobs.c.attempts == 1)
    with service.store.read() as connection:
        return set(connection.scalars(query))


def attempts(service: Service) -> dict[str, int]:
    with service.store.read() as connection:
        return {row.id: row.attempts for row in connection.execute(sa.select(jobs.c.id, jobs.c.attempts))}


def ends(service: Service) -> dict[str, int]:
    """How often each job was written down as done."""
    query = (
        sa.select(job_lines.c.job_id, sa.func.count().label("times"))
        .where(job_lines.c.line.like("%The analysis is done.%"))
        .group_by(job_lines.c.job_id)
    )
    with service.store.read() as connection:
        return {row.job_id: row.times for row in connection.execute(query)}
