"""The API process of `fettle serve`: it inherits the listening socket."""

from __future__ import annotations

import logging
import socket
import sys
import threading

import uvicorn

from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.logs import start_log
from fettle.app.settings import Settings
from fettle.app.traces import start_traces
from fettle.web import create_app

STOP_S = 20
LONGEST_HEAD_BYTES = 256 * 1024
"""What is read of a request's head. Our own answer to a head that is too long comes far below; above this limit the
server answers by itself, in a line of text."""


def send_at_once(listening: int) -> None:
    """Let connections to this listening socket send small segments without waiting for acknowledgements.

    An answer leaves as head and body; the body would wait 40 ms for a client that delays its acknowledgement. asyncio
    does this by itself only for sockets that it knows to be TCP, which it does not of one that was handed over.
    Accepted sockets inherit it.
    """
    with socket.socket(fileno=socket.dup(listening)) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def main() -> None:
    """Serve until asked to stop, or until the process that started this one is gone: then stdin closes."""
    settings = Settings()
    start_log(settings)
    start_traces(settings, "api")
    sandbox.preload(CHILD_MODULE)  # the kernel is loaded beside our own start
    logging.getLogger("uvicorn.access").disabled = True
    listening = int(sys.argv[1])
    send_at_once(listening)
    config = uvicorn.Config(
        create_app(settings),
        fd=listening,
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=STOP_S,
        server_header=False,
        http="h11",
        h11_max_incomplete_event_size=LONGEST_HEAD_BYTES,
    )
    server = uvicorn.Server(config)

    def wait_for_owner() -> None:
        sys.stdin.buffer.read()
        server.should_exit = server.force_exit = True

    threading.Thread(target=wait_for_owner, daemon=True).start()
    server.run()
