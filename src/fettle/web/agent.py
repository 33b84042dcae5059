"""The agent tools over HTTP: one address behind the same keys as the API, answering each request on its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fettle.agent import create_server
from fettle.agent.account import AccountBench
from fettle.app.access import keys
from fettle.app.service import Service
from fettle.web.auth import HEADER

PATH = "/agent"


class KeyedDoor:
    """Lets in whoever brings a key; `MissingKey` and its kin are answered like everywhere else."""

    def __init__(self, inner: ASGIApp, service: Service) -> None:
        self._inner = inner
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = Request(scope).headers.get(HEADER)
        await to_thread.run_sync(keys.authenticate, self._service.store, key, self._service.settings.key_prefix)
        await self._inner(scope, receive, send)


class AgentDoor:
    """`install` adds the address to the application; `running` must surround its life."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._server = create_server(self._bench_of)
        # A page in a browser cannot send the key without being allowed to by CORS, so the Host need not be checked.
        self._app = self._server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )

    def install(self, app: FastAPI) -> None:
        app.router.routes.append(Route(PATH, endpoint=KeyedDoor(self._app, self._service), include_in_schema=False))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._server.session_manager.run():
            yield

    def _bench_of(self, ctx: Context) -> AccountBench:
        key = (ctx.headers or {}).get(HEADER.lower())
        account = keys.authenticate(self._service.store, key, self._service.settings.key_prefix)
        return AccountBench(self._service, account)
