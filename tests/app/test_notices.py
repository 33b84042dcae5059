"""Notices between processes, on both databases."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import anyio
import pytest

from fettle.app.state import notices
from fettle.app.state.listener import Listener
from fettle.app.state.notices import Topic, tell
from fettle.app.state.store import Store
from fettle.app.work.taking import Pause
from fettle.web.followers import Followers
from tests.patience import PATIENCE_S

PIPE_HOLDS_BYTES = 1024 * 1024
"""More than a pipe holds that nobody reads: 64 kB on Linux."""


def say(store: Store, topic: Topic, job_id: str) -> None:
    with store.write() as connection:
        tell(connection, topic, job_id)


def say_in_vain(store: Store, job_id: str) -> None:
    with store.write() as connection:
        tell(connection, Topic.QUEUED, job_id)
        raise ValueError("undone")


@contextmanager
def hearing(store: Store, topic: Topic) -> Iterator[SimpleQueue[str]]:
    """What a listener hears, once it is known to hear."""
    heard: SimpleQueue[str] = SimpleQueue()
    listener = Listener(store, topic, heard.put)
    listener.start()
    say(store, topic, "first")
    while heard.empty():
        say(store, topic, "first")
    yield heard
    listener.close()


def next_of(heard: SimpleQueue[str]) -> str:
    """The next that is not of the first ones."""
    while (job_id := heard.get(timeout=PATIENCE_S)) == "first":
        pass
    return job_id


def test_a_committed_notice_reaches_every_listener_of_its_topic(store: Store) -> None:
    with hearing(store, Topic.QUEUED) as one, hearing(store, Topic.QUEUED) as other:
        say(store, Topic.CHANGED, "job_other_topic")
        say(store, Topic.QUEUED, "job_1")
        assert (next_of(one), next_of(other)) == ("job_1", "job_1")


def test_a_notice_of_a_transaction_that_failed_is_not_sent(store: Store) -> None:
    with hearing(store, Topic.QUEUED) as heard:
        with pytest.raises(ValueError, match="undone"):
            say_in_vain(store, "job_undone")
        say(store, Topic.QUEUED, "job_2")
        assert next_of(heard) == "job_2"


def test_the_pipe_of_a_killed_listener_is_removed_and_stops_nobody(store: Store) -> None:
    if not store.is_sqlite:
        pytest.skip("PostgreSQL forgets a listener with its connection")
    program = (
        "import os, signal, sys; from pathlib import Path; from fettle.app.state.notices import Topic, open_pipe;"
        "open_pipe(Path(sys.argv[1]), Topic.QUEUED); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(store.notice_folder)], check=False, timeout=PATIENCE_S)
    folder = store.notice_folder / Topic.QUEUED
    assert len(list(folder.iterdir())) == 1, "it left its pipe"
    say(store, Topic.QUEUED, "job_3")
    assert list(folder.iterdir()) == []


def test_a_listener_that_is_stuck_stops_nobody(store: Store) -> None:
    if not store.is_sqlite:
        pytest.skip("PostgreSQL keeps notices for a listener that is slow")
    path, number = notices.open_pipe(store.notice_folder, Topic.QUEUED)
    long_id = "j" * 1000
    notices.send(store.notice_folder, [(Topic.QUEUED, long_id)] * (PIPE_HOLDS_BYTES // len(long_id)))
    assert path.exists()
    os.close(number)


def test_a_pause_ends_when_it_is_told_to_and_stops_only_when_set() -> None:
    pause = Pause()
    pause.end()
    assert not pause.wait(PATIENCE_S)
    assert not pause.wait(0.0), "the end of one pause does not end the next"
    pause.set()
    assert pause.wait(0.0)


def test_a_follower_wakes_when_its_job_changes(store: Store) -> None:
    """It would wait for ever without the notice."""

    async def follow() -> None:
        followers = Followers()
        async with followers.listening(store):
            with followers.following("job_4") as follower, anyio.fail_after(PATIENCE_S):
                await follower.wait(float("inf"))  # the first look is free
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(say_until_cancelled, store, "job_4")
                    await follower.wait(float("inf"))
                    tasks.cancel_scope.cancel()

    anyio.run(follow)


async def say_until_cancelled(store: Store, job_id: str) -> None:
    """The listener may begin to hear later than this does to speak."""
    while True:
        say(store, Topic.CHANGED, job_id)
        await anyio.sleep(0.05)
