"""Memory and open files of the processes of a running service, read from /proc."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.web import drill

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
PROGRAMS = ("fettle.app.", "fettle.cli.")
"""How the words begin that name the program in the command line of a process."""


@dataclass(frozen=True, slots=True)
class ServiceProcess:
    pid: int
    title: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What a process holds at one moment: private and shared memory in MB, open files, and sockets beside them: callers
    come and go."""

    process: ServiceProcess
    megabytes: float
    files: int
    sockets: int


def sample(api: int) -> list[Sample]:
    """Every process of the service whose API is this one, kernel children included."""
    supervisor = int(Path(f"/proc/{api}/stat").read_text().rsplit(")", 1)[1].split()[1])
    found = []
    for pid in (supervisor, *drill.descendants(supervisor)):
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended while we looked
            resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES / 1e6
            opened = [_target(path) for path in Path(f"/proc/{pid}/fd").iterdir()]
            sockets = sum(target.startswith("socket:") for target in opened)
            found.append(Sample(ServiceProcess(pid, _title(pid)), resident, len(opened) - sockets, sockets))
    return found


def _target(path: Path) -> str:
    """What an entry of /proc/PID/fd points to; nothing where it was closed while we looked."""
    try:
        return str(path.readlink())
    except FileNotFoundError:
        return ""


def _title(pid: int) -> str:
    words = drill.command_line(pid)
    return next((word.removeprefix("fettle.") for word in words if word.startswith(PROGRAMS)), "supervisor")
