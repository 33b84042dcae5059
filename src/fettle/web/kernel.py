"""Work that waits for a kernel child: in threads of its own, so that many slow parts never hold up a quick answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Request

from fettle.web.auth import service_of

T = TypeVar("T")


async def in_kernel(request: Request, function: Callable[..., T], *args: Any) -> T:
    """Call a function that runs a kernel child, as soon as one of the places for them is free."""
    state = request.app.state
    if not hasattr(state, "kernel_places"):
        state.kernel_places = CapacityLimiter(service_of(request).settings.kernel_slots)
    return await to_thread.run_sync(partial(function, *args), limiter=state.kernel_places)
