"""Requests that follow a job: they look at it when a notice says that it has changed, and now and then without one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio
from anyio import to_thread
from fastapi import Request

from fettle.app.state.listener import Listener
from fettle.app.state.notices import Topic
from fettle.app.state.store import Store


class Follower:
    """One request that follows one job."""

    def __init__(self) -> None:
        self._news = anyio.Event()
        self._news.set()  # the job may have changed between the request's first look at it and now

    def wake(self) -> None:
        self._news.set()

    async def wait(self, longest_s: float) -> None:
        """Wait until the job has changed since the last wait; or so long."""
        with anyio.move_on_after(longest_s):
            await self._news.wait()
        self._news = anyio.Event()


class Followers:
    """All of them in this process, by job. Everything happens in the event loop."""

    def __init__(self) -> None:
        self._by_job: dict[str, set[Follower]] = {}

    @asynccontextmanager
    async def listening(self, store: Store) -> AsyncIterator[None]:
        """Wake followers while this lasts."""
        loop = asyncio.get_running_loop()

        def hear(job_id: str) -> None:
            loop.call_soon_threadsafe(self._wake, job_id)

        listener = Listener(store, Topic.CHANGED, hear)
        listener.start()
        yield
        await to_thread.run_sync(listener.close)

    @contextmanager
    def following(self, job_id: str) -> Iterator[Follower]:
        """A follower of this job, for as long as it is asked for."""
        follower = Follower()
        self._by_job.setdefault(job_id, set()).add(follower)
        try:
            yield follower
        finally:
            self._by_job[job_id].discard(follower)
            if not self._by_job[job_id]:
                del self._by_job[job_id]

    def _wake(self, job_id: str) -> None:
        for follower in self._by_job.get(job_id, ()):
            follower.wake()


def followers_of(request: Request) -> Followers:
    found: Followers = request.app.state.followers
    return found
