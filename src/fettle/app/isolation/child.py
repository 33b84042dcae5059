"""What a child of the fork server does: take its limits, call the function, leave the answer in a file."""

from __future__ import annotations

import json
import math
import mmap
import os
import pickle
import resource
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

from fettle import cores
from fettle.errors import FettleError

RESERVED_PER_CORE_BYTES = 256 * 1024**2
"""Addresses that the threads of a second core, ours and the kernel's, set aside for stacks and for what they may
allocate (202 MB seen). They count as mapped without being memory: a part that fits with one core fits with two."""
TEXT_LIMIT = 400
TRACE_LIMIT = 20_000
EXIT_CAUSES = {0: "answer", 96: "raised", 97: "exception", 98: "exhausted"}
"""How a child says what is in the answer file: a value, an error of our tree, another fault, a lack of memory."""

EXIT_ANSWER, EXIT_RAISED, EXIT_EXCEPTION, EXIT_EXHAUSTED = EXIT_CAUSES


def limit(order: dict[str, Any]) -> None:
    """Put the limits on this process. Memory counts on top of what the libraries have mapped already."""
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    memory = order["memory_bytes"]
    cores.allow(order["cores"])
    reserved = (cores.allowed() - 1) * RESERVED_PER_CORE_BYTES
    cpu_s = math.ceil(order["cpu_s"])
    resource.setrlimit(resource.RLIMIT_AS, (mapped + reserved + memory, mapped + reserved + memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Should the machine itself run out of memory, the kernel child is the one to go.
    Path("/proc/self/oom_score_adj").write_text("1000")


def work(order: dict[str, Any], channel: socket.socket, request: int, answer: int) -> int:
    """Call the function and leave what came of it in the answer file; the exit status says what that is."""
    try:
        with mmap.mmap(request, 0, access=mmap.ACCESS_READ) as view:
            args = pickle.loads(view)  # noqa: S301 - written by our own parent
        os.close(request)
        module, _, name = order["function"].partition(":")
        fn = getattr(sys.modules[module], name)
        say = {"say": lambda line: report(channel, {"line": line[:TEXT_LIMIT]})} if order["say"] else {}
        try:
            status, value = EXIT_ANSWER, fn(*args, **say)
        except FettleError as error:
            status, value = EXIT_RAISED, pickle.loads(pickle.dumps(error))  # noqa: S301 - can it travel at all?
        with os.fdopen(answer, "wb", closefd=False) as file:
            pickle.dump(value, file, protocol=5)
    except BaseException as error:  # noqa: BLE001 - whatever it was, the caller gets a word, not silence
        fault = {"text": describe(error), "trace": traceback.format_exc()[-TRACE_LIMIT:]}
        os.ftruncate(answer, 0)
        os.pwrite(answer, json.dumps(fault).encode(), 0)
        return EXIT_EXHAUSTED if ran_out_of_memory(error) else EXIT_EXCEPTION
    return status


def ran_out_of_memory(error: BaseException) -> bool:
    """MemoryError, or the kernel's own word for it, which only `geometry` could import."""
    return isinstance(error, MemoryError) or any(c.__name__ == "Standard_OutOfMemory" for c in type(error).__mro__)


def describe(error: BaseException) -> str:
    """One line for a person. The paths that operating system errors carry stay out of it."""
    text = error.strerror if isinstance(error, OSError) else str(error)
    return f"{type(error).__name__}: {text}"[:TEXT_LIMIT] if text else type(error).__name__


def report(channel: socket.socket, message: dict[str, Any]) -> None:
    try:
        channel.send(json.dumps(message).encode())
    except (BrokenPipeError, ConnectionResetError):
        return  # the caller has gone; its run is killed as soon as the hang-up is noticed
