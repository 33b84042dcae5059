"""One warm helper for the commands of a user: the fork server of a service that runs on this machine.

A service listens on a Unix socket in a folder that only its user can enter. A command of the same user that finds it
gets a fork server of its own, forked from the service's, with the kernel loaded, and speaks to it as it would to one
it had started itself: the same orders, the same limits, the same answer. The name of the socket begins with the mark of
the installation, so that other code, packs or catalogs do not find it. Both ends ask the operating system who the other
is. Nothing here imports the kernel.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from fettle.app.installation_mark import installation_mark
from fettle.app.isolation import sandbox
from fettle.app.isolation.peers import peer_of

log = logging.getLogger(__name__)

GREETING_S = 5.0
"""How long a command waits for the helper's first word. A service that has just started is still loading the kernel."""
PRIVATE = 0o700


def helper_folder() -> Path:
    """`fettle` in the user's runtime folder, or else a folder with the user's number among the temporary files."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / "fettle" if runtime else Path(tempfile.gettempdir()) / f"fettle-{os.getuid()}"


@contextmanager
def offered(catalog_dir: Path | None, nice: int, modules: Sequence[str]) -> Iterator[None]:
    """Let commands of this user fork from our fork server, at this priority and with these modules loaded, while the
    block runs. A service does its own work as well without: what prevents it is only logged."""
    try:
        path, listener = _listen(installation_mark(catalog_dir))
    except OSError as error:
        log.info("commands of this user start cold: no socket in %s (%s)", helper_folder(), error)
        yield
        return
    try:
        with listener:
            sandbox.preload(*modules)
            sandbox.admit(listener, nice)
        yield
    finally:
        path.unlink(missing_ok=True)


def find(catalog_dir: Path | None) -> sandbox.Helper | None:
    """A fork server of ours at a service of the same installation; None where there is no such service."""
    folder = helper_folder()
    if not _is_private(folder):
        return None
    for path in sorted(folder.glob(f"{installation_mark(catalog_dir)}-*")):
        helper = _ask(path)
        if helper is not None:
            return helper
    return None


def _listen(mark: str) -> tuple[Path, socket.socket]:
    folder = helper_folder()
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    if not _is_private(folder):
        raise PermissionError(f"{folder} is not a folder of this user alone")
    for path in folder.iterdir():
        if _is_dead(path):
            path.unlink(missing_ok=True)
    path = folder / f"{mark}-{secrets.token_hex(4)}"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return path, listener


def _is_private(folder: Path) -> bool:
    """A real folder, ours, that nobody else can enter."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == PRIVATE


def _is_dead(path: Path) -> bool:
    """Whether nobody listens on this socket any more."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
    return False


def _ask(path: Path) -> sandbox.Helper | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with suppress(OSError, ValueError, KeyError):  # gone, busy or no fork server: then this is no helper
        connection.settimeout(GREETING_S)
        connection.connect(str(path))
        if peer_of(connection).uid == os.getuid():
            pid = int(json.loads(connection.recv(sandbox.MESSAGE_BYTES))["pid"])
            connection.settimeout(None)
            return sandbox.Helper(connection, pid)
    connection.close()
    return None
