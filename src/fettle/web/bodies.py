"""ASGI middleware of request bodies: none is larger than its address takes, none is left on its connection."""

from __future__ import annotations

from collections.abc import Mapping

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fettle.web.errors import answer

_LINGER_S = 10.0
_DECLARED_SHARE = 2.0
_ENDLESS_SHARE = 0.25
"""How much more is read of a body that was answered early, in limits of an upload: with a length, and without one."""


class BodyEnd:
    """Outermost: a body that was answered before its end is read on and dropped, within bounds, because a client that
    is still sending when the connection closes never sees the answer. Then the connection closes, if more may come than
    that: the server would read and forget it without end, as it does with the rest of a body on a connection it keeps.
    """

    def __init__(self, app: ASGIApp, upload_limit_bytes: int) -> None:
        self._app = app
        self._most_declared_bytes = upload_limit_bytes * _DECLARED_SHARE
        self._most_endless_bytes = upload_limit_bytes * _ENDLESS_SHARE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        length = _declared_bytes(headers)
        if length == 0:
            await self._app(scope, receive, send)
            return
        body = _Body(receive, waits=headers.get("expect", "").lower() == "100-continue")
        stays = length is not None and length <= self._most_declared_bytes
        most_bytes = self._most_endless_bytes if length is None else self._most_declared_bytes

        async def send_lingering(message: Message) -> None:
            if message["type"] == "http.response.start" and body.comes and not stays:
                MutableHeaders(scope=message)["Connection"] = "close"
            is_end = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_end and body.comes:
                await send({**message, "more_body": True})
                await body.drop(most_bytes)
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        await self._app(scope, body.receive, send_lingering)


class _Body:
    """A request body as it is read. `comes`: there is more of it to come; not from a client that still waits for our
    word to begin: the server closes its connection when it gets its answer instead."""

    def __init__(self, receive: Receive, *, waits: bool) -> None:
        self._receive = receive
        self.comes = not waits

    async def receive(self) -> Message:
        message = await self._receive()
        self.comes = message["type"] == "http.request" and message.get("more_body", False)
        return message

    async def drop(self, most_bytes: float) -> None:
        """Read and forget what is still coming."""
        dropped_bytes = 0
        with anyio.move_on_after(_LINGER_S):
            while self.comes and dropped_bytes < most_bytes:
                dropped_bytes += len((await self.receive()).get("body", b""))


class BodyLimit:
    """Refuses a body above the limit of its address with 413: by Content-Length before a byte of it is read, otherwise
    where the limit is passed."""

    def __init__(self, app: ASGIApp, limit_bytes: int, path_limits_bytes: Mapping[str, int]) -> None:
        self._app = app
        self._limit_bytes = limit_bytes
        self._path_limits_bytes = path_limits_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit_bytes = self._path_limits_bytes.get(scope["path"], self._limit_bytes)
        if (_declared_bytes(Headers(scope=scope)) or 0) > limit_bytes:
            await answer(413, _too_large_text(limit_bytes), "too_large")(scope, receive, send)
            return
        seen_bytes = 0

        async def receive_counting() -> Message:
            nonlocal seen_bytes
            message = await receive()
            seen_bytes += len(message.get("body", b""))
            if seen_bytes > limit_bytes:
                # The framework passes on this kind of exception alone when a handler reads the body.
                raise HTTPException(413, _too_large_text(limit_bytes))
            return message

        await self._app(scope, receive_counting, send)


def _declared_bytes(headers: Headers) -> int | None:
    """The length of the body that the head names: 0 without a body, None for one whose end nobody knows."""
    if "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else None


def _too_large_text(limit_bytes: int) -> str:
    return f"The body is larger than the {limit_bytes / 1024 / 1024:.2f} MB this address takes; send a smaller one."
