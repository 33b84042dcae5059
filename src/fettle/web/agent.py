"""The agent tools over HTTP: one address behind the same keys as the API.

The protocol's library takes a third of the time in which this process starts, and many services never meet an agent. So
it is loaded at the first request of an agent, in a thread, while other requests are answered.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from anyio import Event, create_task_group, sleep_forever, to_thread
from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from fettle.app.access import keys
from fettle.app.service import Service
from fettle.web.auth import HEADER

if TYPE_CHECKING:
    from fettle.agent.http_tools import Tools

PATH = "/agent"


class AgentEndpoint:
    """`install` adds the address to the application; `running` must surround its life."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tools: Tools
        self._requested, self._loaded = Event(), Event()

    def install(self, app: FastAPI) -> None:
        app.router.routes.append(Route(PATH, endpoint=self, include_in_schema=False))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with create_task_group() as tasks:
            tasks.start_soon(self._wait_and_open)
            yield
            tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the key, wait for the library, and answer; a refused key is answered as on every route."""
        key = Request(scope).headers.get(HEADER)
        await to_thread.run_sync(keys.authenticate, self._service.store, key, self._service.settings.key_prefix)
        self._requested.set()
        await self._loaded.wait()
        await self._tools.app(scope, receive, send)

    async def _wait_and_open(self) -> None:
        """One task from beginning to end, as the library wants it."""
        await self._requested.wait()
        self._tools = await to_thread.run_sync(self._load)
        async with self._tools.server.session_manager.run():
            self._loaded.set()
            await sleep_forever()

    def _load(self) -> Tools:
        tools: Tools = import_module("fettle.agent.http_tools").open_tools(self._service, PATH, HEADER)
        return tools
