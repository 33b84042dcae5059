"""API keys: every route of the API checks the key before it reads anything else."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import APIKeyHeader

from fettle.app.access import keys
from fettle.app.access.accounts import Account
from fettle.app.access.meters import Reading
from fettle.app.access.plans import Meter
from fettle.app.errors import KeyRefused
from fettle.app.service import Service
from fettle.web.rate_limit import RateLimits

HEADER = "X-API-Key"
key_scheme = APIKeyHeader(
    name=HEADER,
    scheme_name="ApiKey",
    auto_error=False,
    description="A key of yours, made in the dashboard under /dashboard/api. It begins with `svc_live_`.",
)


def service_of(request: Request) -> Service:
    """The service of this application."""
    service: Service = request.app.state.service
    return service


async def _service(request: Request) -> Service:
    """The same for routes; a coroutine, because the framework sends plain functions to a thread and back."""
    return service_of(request)


async def caller_of(request: Request, _shown: str | None = Depends(key_scheme)) -> Account:
    """Whose key came with the request. The key was checked by `KeyedRoute`; the scheme is for the documentation."""
    caller: Account = request.state.caller
    return caller


Caller = Annotated[Account, Depends(caller_of)]
ServiceDep = Annotated[Service, Depends(_service)]


class KeyedRoute(APIRoute):
    """A route that checks the key first, so that nobody without one learns anything about a body or a path."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            service = service_of(request)
            limits: RateLimits = request.app.state.rate_limits
            key, address = request.headers.get(HEADER), request.client.host if request.client else ""
            limits.addresses.check(address)
            try:
                request.state.caller = await to_thread.run_sync(
                    keys.authenticate, service.store, key, service.settings.key_prefix
                )
            except KeyRefused:
                limits.addresses.take(address)
                raise
            reading = limits.keys.take(str(key))
            if reading is None:
                return await inner(request)
            request.state.rate_headers = reading.headers()
            response = await inner(request)
            response.headers.update(request.state.rate_headers)
            return response

        return handle


def rate_headers(reading: Reading) -> dict[str, str]:
    """The state of a meter, for the answer of a metered route."""
    return {
        "X-RateLimit-Limit": str(reading.included),
        "X-RateLimit-Remaining": str(reading.remaining),
        "X-Billing-Tier": reading.tier,
    }


async def check_meter(request: Request, caller: Account, meter: Meter, *, refuse: bool = True) -> None:
    """Put the meter's state into every answer, errors too; QuotaExceeded at the cap before the file is read."""
    meters = service_of(request).meters
    reading = await to_thread.run_sync(meters.read, caller, meter)
    request.state.answer_headers = rate_headers(reading)
    if refuse:
        meters.check(caller, reading)
