"""A thread that hears the notices of one topic."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import Any, cast

import psycopg

from fettle.app.state import notices
from fettle.app.state.notices import Topic
from fettle.app.state.store import Store
from fettle.app.state.unavailable import PASSING

log = logging.getLogger(__name__)

PAUSE_S = 5.0
"""Before the next try where the database or the disk is away."""
LOOK_S = 1.0
"""How often a listener on PostgreSQL looks whether it is to end."""


class Listener:
    """Calls `hear` with the id of a job for every notice of `topic`, in a thread of its own, until it is closed."""

    def __init__(self, store: Store, topic: Topic, hear: Callable[[str], None]) -> None:
        self._store = store
        self._topic = topic
        self._hear = hear
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"notices-{topic}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._store.is_sqlite:
            notices.send(self._store.notice_folder, [(self._topic, "")])  # the others take an empty line for nothing
        self._thread.join(2 * LOOK_S)

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                if self._store.is_sqlite:
                    self._hear_pipe()
                else:
                    self._hear_database()
            except (*PASSING, psycopg.Error) as error:
                log.warning("no notices of %s for %g s: %s", self._topic, PAUSE_S, error)
                self._closed.wait(PAUSE_S)

    def _hear_pipe(self) -> None:
        path, number = notices.open_pipe(self._store.notice_folder, self._topic)
        try:
            with os.fdopen(number, "rb") as lines:
                while not self._closed.is_set():
                    self._pass_on(lines.readline().decode().strip())
        finally:
            path.unlink(missing_ok=True)

    def _hear_database(self) -> None:
        pooled = self._store.engine.raw_connection()
        connection = cast("psycopg.Connection[Any]", pooled.driver_connection)
        pooled.detach()  # it stays open for as long as we listen
        try:
            connection.set_autocommit(True)
            connection.execute(f"LISTEN {self._topic}".encode())
            while not self._closed.is_set():
                for notice in connection.notifies(timeout=LOOK_S):
                    self._pass_on(notice.payload)
        finally:
            connection.close()

    def _pass_on(self, job_id: str) -> None:
        if job_id:
            self._hear(job_id)
