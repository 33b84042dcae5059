"""ASGI middleware of every request: id, security headers, CORS, access log, metrics, body limits."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import anyio
from opentelemetry.trace import INVALID_SPAN
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
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
_LINGER_S = 10.0
LONGEST_HEAD_BYTES = 32 * 1024
"""Of all headers of a request together, names and values; browsers and proxies send a tenth of it."""
ENDLESS_SHARE = 0.25
"""How much more is read of a refused body without a length, which may never end, in limits of an upload."""
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
    """Outermost: gives the request its id, answers CORS preflights, and logs unhandled exceptions."""

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


class BodyLimit:
    """Refuses a body above the limit of its route with 413: by Content-Length before a byte of it is read, otherwise
    where the limit is passed. A refused body is read to its end and dropped, within bounds, because a client that is
    still sending when the connection closes never sees the answer."""

    def __init__(
        self, app: ASGIApp, limit_bytes: int, upload_limit_bytes: int, path_limits_bytes: Mapping[str, int]
    ) -> None:
        self._app = app
        self._limit_bytes = limit_bytes
        self._upload_limit_bytes = upload_limit_bytes
        self._path_limits_bytes = path_limits_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._path_limits_bytes.get(scope["path"], self._limit_bytes)
        body = _Body(receive, limit)
        headers = Headers(scope=scope)
        expects = headers.get("expect", "").lower() == "100-continue"
        declared = headers.get("content-length", "")

        async def send_lingering(message: Message) -> None:
            is_end = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_end and not body.ended and not expects and _has_body(headers):
                await send({**message, "more_body": True})
                await body.drop(self._upload_limit_bytes * (2.0 if declared else ENDLESS_SHARE))
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        if declared.isdigit() and int(declared) > limit:
            refuse = answer(413, too_large_text(limit), "too_large", {"Connection": "close"})
            await refuse(scope, body.receive, send_lingering)
            return
        await self._app(scope, body.receive, send_lingering)


def _has_body(headers: Headers) -> bool:
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def too_large_text(limit_bytes: int) -> str:
    return f"The body is larger than the {limit_bytes / 1024 / 1024:.2f} MB this address takes; send a smaller one."


class _Body:
    """Counts a request body as it is read. `ended`: all of it has come, or the client has gone."""

    def __init__(self, receive: Receive, limit_bytes: int) -> None:
        self._receive = receive
        self._limit_bytes = limit_bytes
        self._seen_bytes = 0
        self.ended = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen_bytes += len(message.get("body", b""))
            self.ended = not message.get("more_body", False)
            if self._seen_bytes > self._limit_bytes:
                # The framework passes on this kind of exception alone when a handler reads the body.
                raise HTTPException(413, too_large_text(self._limit_bytes), headers={"Connection": "close"})
        elif message["type"] == "http.disconnect":
            self.ended = True
        return message

    async def drop(self, most_bytes: float) -> None:
        """Read and forget what is still coming."""
        dropped = 0
        with anyio.move_on_after(_LINGER_S):
            while not self.ended and dropped < most_bytes:
                message: dict[str, Any] = dict(await self._receive())
                dropped += len(message.get("body", b""))
                self.ended = message["type"] == "http.disconnect" or not message.get("more_body", False)
