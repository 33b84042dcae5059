"""Who is at the other end of a Unix socket, as the operating system says it."""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

CREDENTIALS = struct.Struct("iII")
"""struct ucred of Linux: process, user, group."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Process and user that connected, or that listened, when they did. `pid` is 0 where we cannot see that process."""

    pid: int
    uid: int


def peer_of(connection: socket.socket) -> Peer:
    pid, uid, _ = CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size))
    return Peer(pid, uid)
