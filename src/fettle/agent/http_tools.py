"""The agent tools over HTTP on the caller's jobs, without sessions. Imported by `web.agent` when first needed."""

from __future__ import annotations

from dataclasses import dataclass

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from fettle.agent import create_server
from fettle.agent.account_backend import AccountBackend
from fettle.app.access import keys
from fettle.app.service import Service


@dataclass(frozen=True, slots=True)
class Tools:
    """The server, whose session manager must run while `app` answers."""

    server: MCPServer
    app: ASGIApp


def open_tools(service: Service, path: str, key_header: str) -> Tools:
    """The tools at this path; `key_header`: name of the header with the caller's API key."""

    def backend_of(ctx: Context) -> AccountBackend:
        key = (ctx.headers or {}).get(key_header.lower())
        return AccountBackend(service, keys.authenticate(service.store, key, service.settings.key_prefix))

    server = create_server(backend_of)
    # A page in a browser cannot send the key without being allowed to by CORS, so the Host need not be checked.
    app = server.streamable_http_app(
        streamable_http_path=path,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Tools(server, app)
