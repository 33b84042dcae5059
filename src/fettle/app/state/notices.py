"""Notices between the processes of a service: that a job waits, that a job has changed.

Whoever waits for such a thing polls the database. A notice only shortens the wait, so one may be lost, and a listener
that hears of nothing looks again. PostgreSQL carries notices itself, to every node (NOTIFY). SQLite has nothing of the
kind: there every listener has a named pipe in a folder beside the database, and whoever has committed writes into all
of them.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Connection, text

log = logging.getLogger(__name__)

Notice = tuple["Topic", str]
"""What it is about, and the id of the job."""

_UNSENT = "fettle_notices"
"""Notices of the transaction that is under way, in the notes of its connection."""


class Topic(StrEnum):
    """What a notice says of its job; also the name of the channel and of the folder."""

    QUEUED = "fettle_queued"
    """It waits for a worker."""
    CHANGED = "fettle_changed"
    """Its state or its log has changed."""


def tell(connection: Connection, topic: Topic, job_id: str) -> None:
    """Send a notice if and when the transaction commits."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_notify(:topic, :job_id)"), {"topic": topic.value, "job_id": job_id})
    else:
        connection.info[_UNSENT].append((topic, job_id))


@contextmanager
def gathered(connection: Connection) -> Iterator[list[Notice]]:
    """The notices that are told within, to be sent once the transaction has committed."""
    notes, unsent = connection.info, list[Notice]()
    notes[_UNSENT] = unsent
    try:
        yield unsent
    finally:
        del notes[_UNSENT]  # not by the connection, which may be lost by now


def send(folder: Path, notices: Iterable[Notice]) -> None:
    """Write notices into the pipes of their listeners; never waits for one of them."""
    for topic, job_id in notices:
        for pipe in (folder / topic).glob("[!.]*"):
            try:
                _write(pipe, f"{job_id}\n".encode())
            except OSError as error:
                # A listener that was killed leaves its pipe behind; one that is stuck looks by itself later.
                if error.errno == errno.ENXIO:
                    pipe.unlink(missing_ok=True)
                else:
                    log.info("the notice of %s did not reach %s: %s", job_id, pipe.name, error)


def open_pipe(folder: Path, topic: Topic) -> tuple[Path, int]:
    """Make a pipe that `send` writes into: its path and its file descriptor."""
    (folder / topic).mkdir(parents=True, exist_ok=True)
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    hidden = folder / topic / f".{name}"
    os.mkfifo(hidden, 0o600)
    # Opened for both, so that it never ends; named once it is open, because `send` removes what nobody reads.
    number = os.open(hidden, os.O_RDWR)
    return hidden.rename(hidden.with_name(name)), number


def _write(pipe: Path, line: bytes) -> None:
    number = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
    try:
        os.write(number, line)
    finally:
        os.close(number)
