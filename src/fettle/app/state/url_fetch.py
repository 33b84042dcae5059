"""Fetch a file from an address a caller gave, without letting that address reach into private networks.

The name is resolved once, each address it has is checked as a number, and the connection goes to a checked address:
between check and connection nothing is looked up again. Each redirect goes the same way. No credentials, no proxies.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

import anyio
import httpcore
from httpcore import AsyncNetworkBackend, AsyncNetworkStream

from fettle.app.errors import BlobRefused
from fettle.app.state.uploads import Incoming, Upload

MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)

_PUBLIC_V6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_SPECIAL_V6 = (
    IPv6Network("2001::/23"),  # protocol assignments, Teredo among them
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("2002::/16"),  # 6to4 carries an IPv4 address of any kind
    IPv6Network("3fff::/20"),  # documentation
)
_SPECIAL_V4 = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments
    IPv4Network("192.88.99.0/24"),  # 6to4 relays
)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the open internet: not private, loopback, link-local, multicast, reserved..."""
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return False
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
        return address in _PUBLIC_V6 and not any(address in special for special in _SPECIAL_V6)
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not address.is_unspecified
        and not any(address in special for special in _SPECIAL_V4)
    )


def origin(url: SplitResult) -> str:
    """Scheme, host and port, the port left out where it is the scheme's own."""
    host = f"[{url.hostname}]" if ":" in (url.hostname or "") else (url.hostname or "")
    port = url.port
    return f"{url.scheme}://{host}" + ("" if port in (None, _port(url.scheme)) else f":{port}")


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


class CheckedNetwork(AsyncNetworkBackend):
    """Connects to nothing but public addresses, unless `open_to_all`."""

    def __init__(self, open_to_all: bool) -> None:
        self._open_to_all = open_to_all
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        # One private address among public ones is enough to refuse: which of them is used is not ours to promise.
        if not self._open_to_all and not all(is_public(ip_address(address)) for address in addresses):
            raise BlobRefused
        failure: Exception = BlobRefused()
        for address in addresses:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as unreachable:
                failure = unreachable
        raise failure

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> AsyncNetworkStream:
        raise BlobRefused

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


async def fetch(url: str, incoming: Incoming, timeout_s: float, allowed_origins: tuple[str, ...] = ()) -> Upload:
    """Write what `url` answers into `incoming`. `allowed_origins` may be private; refuses with one text."""
    allowed = {origin(urlsplit(entry)) for entry in allowed_origins}
    try:
        with anyio.fail_after(timeout_s):
            for _ in range(MAX_REDIRECTS + 1):
                target = await _visit(url, incoming, allowed)
                if target is None:
                    return incoming.finish()
                url = target
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as failure:
        raise BlobRefused from failure
    except (OSError, TimeoutError, UnicodeError, ValueError) as failure:
        raise BlobRefused from failure
    raise BlobRefused


def url_of(parts: SplitResult) -> httpcore.URL:
    """The address as the connection takes it; names beyond ASCII in their IDNA form."""
    host = parts.hostname or ""
    return httpcore.URL(
        scheme=parts.scheme.encode(),
        host=host.encode("idna" if not host.isascii() else "ascii"),
        port=parts.port or _port(parts.scheme),
        target=((parts.path or "/") + (f"?{parts.query}" if parts.query else "")).encode("ascii"),
    )


async def _visit(url: str, incoming: Incoming, allowed: set[str]) -> str | None:
    """Ask one address: None when the file was taken from it, otherwise where it sends us."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise BlobRefused
    network = CheckedNetwork(open_to_all=origin(parts) in allowed)
    target = url_of(parts)
    headers: dict[bytes | str, bytes | str] = {
        "Host": parts.netloc.encode("idna" if not parts.netloc.isascii() else "ascii"),
        "User-Agent": b"fettle",
        "Accept": b"*/*",
        "Accept-Encoding": b"identity",
    }
    async with (
        httpcore.AsyncConnectionPool(network_backend=network) as pool,
        pool.stream("GET", target, headers=headers) as answer,
    ):
        if answer.status in _REDIRECTS:
            location = next((value for name, value in answer.headers if name.lower() == b"location"), None)
            if location is None:
                raise BlobRefused
            return urljoin(url, location.decode("ascii"))
        if answer.status != 200:
            raise BlobRefused
        async for chunk in answer.aiter_stream():
            incoming.write(chunk)
    return None
