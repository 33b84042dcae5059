"""The API process: its listening socket."""

from __future__ import annotations

import socket

from fettle.cli.api import send_at_once


def test_connections_to_a_socket_that_was_handed_over_do_not_wait_for_acknowledgements() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        send_at_once(listener.fileno())
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
