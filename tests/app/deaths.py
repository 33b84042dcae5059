"""Functions for the sandbox to run: every way in which a kernel may go wrong. Importable, as children need them."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from fettle.cores import allowed, begin
from fettle.errors import Damaged
from tests.patience import PATIENCE_S


def add(a: int, b: int) -> int:
    return a + b


def echo(value: object) -> object:
    return value


def pid_and_threads() -> tuple[int, int, int]:
    """Own process, its parent (the fork server), and how many threads that has."""
    return os.getpid(), os.getppid(), len(list(Path(f"/proc/{os.getppid()}/task").iterdir()))


def read_null() -> None:
    ctypes.string_at(0)


def abort() -> None:
    os.abort()


def overflow_the_stack() -> None:
    """Native recursion without end, as a deeply nested file causes it."""
    sys.setrecursionlimit(10**9)

    def call_again() -> None:
        again()

    again = ctypes.CFUNCTYPE(None)(call_again)
    again()


def hold_the_gil() -> int:
    """One bytecode that takes minutes in C and lets no other Python thread run."""
    sys.set_int_max_str_digits(0)
    return len(str(3**50_000_000))


def loop() -> None:
    while True:
        pass


def loop_on_the_second_core() -> None:
    begin(loop)
    time.sleep(PATIENCE_S)


def swell_on_the_second_core() -> int:
    return begin(swell)()


def cores_and_threads() -> tuple[int, int]:
    """Cores that this process may use, and its threads once work was begun."""
    begun = begin(lambda: len(list(Path("/proc/self/task").iterdir())))
    time.sleep(0.1)
    return allowed(), begun()


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def swell() -> int:
    """Ask for memory piece by piece, and use it."""
    pieces = []
    while True:
        pieces.append(b"\1" * (32 * 1024 * 1024))


def swell_and_crash() -> None:
    """Use most of what is allowed, and trip over what one does not get, as code that does not look does."""
    pieces = [b"\1" * (32 * 1024 * 1024) for _ in range(6)]
    read_null()
    del pieces


def swallow(byte_count: int) -> int:
    """Ask for all of it at once."""
    return len(bytearray(byte_count))


def be_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave(status: int) -> None:
    os._exit(status)


def refuse() -> None:
    raise Damaged("line 12: #7 is not closed")


def fail() -> None:
    raise ZeroDivisionError("a face without area")


def open_missing(path: str) -> bytes:
    return Path(path).read_bytes()


def unpicklable() -> object:
    return threading.Lock()


def chatter() -> int:
    """Speak on every channel a library has."""
    libc = ctypes.CDLL(None)
    os.write(1, b"raw 1\n")
    os.write(2, b"raw 2\n")
    libc.puts(b"from C")
    libc.fflush(None)
    print("from Python", flush=True)
    print("to stderr", file=sys.stderr, flush=True)
    return 7


def count_aloud(n: int, say: Callable[[str], None]) -> int:
    for k in range(n):
        say(f"step {k}")
    return n


def have_descendants(folder: str, then: str) -> None:
    """Start a child, a grandchild in a session of its own and a daemon, then come to a certain end."""
    script = (
        "import os, sys, time\n"
        "def note(): open(os.path.join(sys.argv[1], str(os.getpid())), 'w').close()\n"
        "note()\n"
        "if os.fork() == 0:\n"
        "    os.setsid(); note()\n"
        "    if os.fork() == 0: note()\n"
        "time.sleep(600)\n"
    )
    subprocess.Popen([sys.executable, "-S", "-c", script, folder], start_new_session=True)
    while len(list(Path(folder).iterdir())) < 3:
        time.sleep(0.01)
    endings: dict[str, Callable[[], object]] = {
        "return": lambda: None,
        "crash": read_null,
        "hang": loop,
        "exit": lambda: leave(3),
    }
    endings[then]()


def meet(folder: str, company: int) -> str:
    """Come to a folder and stay until so many are there: only runs that run side by side can ever end."""
    (Path(folder) / str(os.getpid())).touch()
    while len(list(Path(folder).iterdir())) < company:
        time.sleep(0.01)
    return "met"


def announce_and_loop(folder: str, say: Callable[[str], object] = str) -> None:
    (Path(folder) / str(os.getpid())).touch()
    say("announced")
    loop()


def array(n: int) -> object:
    import numpy as np  # the other functions shall start without it

    values = np.arange(n, dtype=np.float64)
    values.setflags(write=False)
    return values


def memory_left() -> int:
    """How many MiB can be mapped before the limit bites. Not by malloc: that also hands out what its heap had free."""
    pieces: list[mmap.mmap] = []
    try:
        while True:
            pieces.append(mmap.mmap(-1, 1024 * 1024))
    except OSError:
        return len(pieces)


def describe_without_tolerances(data: bytes, name: str) -> tuple[float, bool, tuple[str, ...]]:
    """Volume in mm3, whether there are tolerances, and the warnings of a file; dies of its tolerances as the kernel
    might."""
    from fettle.geometry.load import load
    from fettle.geometry.pmi.marks import has_pmi

    if has_pmi(data):
        os.abort()
    part = load(data, name).part
    return part.volume_mm3, part.pmi is not None, part.source.warnings


def leave_a_trace_and_die(data: bytes, trace: str) -> None:
    """Writes a line to a file and crashes."""
    with Path(trace).open("a", encoding="utf-8") as lines:
        lines.write(f"{len(data)}\n")
    os.abort()


def hang_once(folder: str) -> tuple[str, int]:
    """Hang where nobody was before: leave the number of the fork server in the folder. The second comer answers."""
    place = Path(folder) / "server"
    if place.exists():
        return "answered", os.getppid()
    (Path(folder) / "new").write_text(str(os.getppid()))
    (Path(folder) / "new").rename(place)
    time.sleep(600)
    return "woke up", 0
