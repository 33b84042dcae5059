"""ASGI middleware of every request: id, security headers, CORS, access log, metrics."""

from __future__ import annotations

import logging
import secrets
import time
from contextlib import nullcontext

from opentelemetry.trace import INVALID_SPAN
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fettle.app.logs import request_id
from fettle.app.traces import end_request, request_span
from fettle.web.errors import NO_ADDRESS, answer, internal_error
from fettle.web.metrics import Metrics

log = logging.getLogger("fettle.access")
API = "/api/v1"
_OPEN = (f"{API}/", "/files/")
_PROBES = {"/healthz", "/readyz", "/metrics"}
"""Requested all day long by machines; logged at a lower level than the others, and not traced."""
LONGEST_HEAD_BYTES = 32 * 1024
"""Of all headers of a request together, names and values; browsers and proxies send a tenth of it."""
_EXPOSED = (
    "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-Billing-Tier, Retry-After, "
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
)
_SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
}
"""Of every answer, unless a page says otherwise: nothing of ours is to be run, framed or guessed at."""
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "*, X-API-Key, Content-Type, Idempotency-Key, Last-Event-ID, Accept",
    "Access-Control-Max-Age": "86400",
}


class ResponseHeaders:
    """Gives the request its id, answers CORS preflights, and logs unhandled exceptions."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identity = secrets.token_hex(8)
        scope["fettle.request_id"] = identity
        request_id.set(identity)  # the server runs every request in a context of its own
        is_open = scope["path"].startswith(_OPEN)
        started, status = time.perf_counter(), 0

        async def send_wrapped(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = identity
                for name, value in _SECURITY.items():
                    headers.setdefault(name, value)
                if is_open:
                    headers["Access-Control-Allow-Origin"] = "*"
                    headers["Access-Control-Expose-Headers"] = _EXPOSED
            await send(message)

        probe = scope["path"] in _PROBES
        with nullcontext(INVALID_SPAN) if probe else request_span(Headers(scope=scope), identity) as span:
            try:
                if is_open and scope["method"] == "OPTIONS":
                    await answer_preflight(send_wrapped)
                elif "\x00" in scope["path"]:
                    # PostgreSQL refuses the character in any text; no address of ours has it.
                    await answer(404, NO_ADDRESS, "not_found")(scope, receive, send_wrapped)
                elif (size := sum(len(name) + len(value) for name, value in scope["headers"])) > LONGEST_HEAD_BYTES:
                    text = f"The headers are {size} bytes; this service takes {LONGEST_HEAD_BYTES}. Send shorter ones."
                    refuse = answer(431, text, "headers_too_large", {"Connection": "close"})
                    await refuse(scope, receive, send_wrapped)
                else:
                    await self._app(scope, receive, send_wrapped)
            except Exception:
                # The application has answered 500 already; here the cause goes into the log, once.
                log.exception("request %s failed", identity)
                if status == 0:
                    await internal_error(identity)(scope, receive, send_wrapped)
            finally:
                seconds = time.perf_counter() - started
                route = getattr(scope.get("route"), "path", "unmatched")
                self._metrics.observe(scope["method"], route, status, seconds)
                end_request(span, scope["method"], route, status)
                level = logging.DEBUG if route in _PROBES else logging.INFO
                fields = {"method": scope["method"], "route": route, "status": status, "seconds": round(seconds, 4)}
                shown = (identity, scope["method"], route, status, seconds * 1000)
                log.log(level, "%s %s %s %d %.1f ms", *shown, extra={"fields": fields})


async def answer_preflight(send: Send) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in _PREFLIGHT.items()]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
