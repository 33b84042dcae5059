"""A port before another one, for servers that a test takes away."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

FORWARD = """
import socket, sys, threading
def pump(a, b):
    while data := a.recv(65536):
        b.sendall(data)
    b.shutdown(socket.SHUT_WR)
door = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print(flush=True)
while True:
    caller, _ = door.accept()
    server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    for pair in ((caller, server), (server, caller)):
        threading.Thread(target=pump, args=pair, daemon=True).start()
"""


@contextmanager
def forwarding(port: int, to: int) -> Iterator[None]:
    """A port of this machine that forwards to another one; at the end it is closed, and every connection cut."""
    process = subprocess.Popen([sys.executable, "-c", FORWARD, str(port), str(to)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"\n", "it listens"
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
