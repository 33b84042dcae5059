"""Threads for calls that wait for a kernel child, apart from those of quick answers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Request

from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.errors import FettleError
from fettle.web.auth import service_of

T = TypeVar("T")

log = logging.getLogger(__name__)


class KernelLoader:
    """Loads the kernel in the fork server while the API starts; `ready` says when that is done."""

    def __init__(self) -> None:
        self._ready = threading.Event()

    @property
    def ready(self) -> bool:
        return self._ready.is_set()

    def start(self) -> None:
        threading.Thread(target=self._wait, name="kernel warm-up", daemon=True).start()

    def _wait(self) -> None:
        try:
            sandbox.wait_until_ready(CHILD_MODULE)
        except FettleError:
            log.exception("the geometry kernel cannot be loaded; this process stays not ready")
        else:
            self._ready.set()


async def in_kernel(request: Request, function: Callable[..., T], *args: Any) -> T:
    """Call a function that runs a kernel child, as soon as one of its threads is free."""
    state = request.app.state
    if not hasattr(state, "kernel_places"):
        state.kernel_places = CapacityLimiter(service_of(request).settings.kernel_slots)
    return await to_thread.run_sync(partial(function, *args), limiter=state.kernel_places)
