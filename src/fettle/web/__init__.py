"""The HTTP service: `create_app(settings)` builds it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

import fettle.web
from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.app.traces import stop_traces
from fettle.web import dashboard, errors, files, health, reference, shared
from fettle.web.agent import AgentEndpoint
from fettle.web.bodies import BodyEnd, BodyLimit
from fettle.web.endpoints import Api, batch_paths, find_apis, upload_paths
from fettle.web.followers import Followers
from fettle.web.forms import FORM_OVERHEAD_BYTES
from fettle.web.kernel_threads import KernelLoader
from fettle.web.metrics import Metrics
from fettle.web.middleware import API, ResponseHeaders
from fettle.web.rate_limit import RateLimiter, RateLimits

DASHBOARD_UPLOADS = frozenset(["/dashboard/analyses"])
COMPRESSION = 1
"""Results are repetitive: the fastest level leaves a tenth of them, the highest little less at four times the cost."""

DESCRIPTION = """Takes a part file (STEP or glTF) and says what it is, whether it can be made, and what it costs.

Every call carries a key in the header X-API-Key; keys are made in the dashboard under /dashboard/api. Quoting is not \
metered; quick-info and analyze count one unit each, and their answers say how the meter stands.

Every error is JSON with `error`, a sentence for a person, and `code`, a word for machines. Every answer carries \
X-Request-Id: tell it to the operator when something went wrong."""


def new_app(apis: list[Api], **options: Any) -> FastAPI:
    """An application with the routes of the API; it describes itself from their declarations."""
    app = FastAPI(
        title="Fettle",
        version=fettle.__version__,
        summary="What a part is, whether it can be made, and what it costs.",
        description=DESCRIPTION,
        generate_unique_id_function=lambda route: route.name,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        strict_content_type=False,
        # its spans hold addresses, and so the tokens in them; ours hold the route
        telemetry={"tracing": False, "metrics": False, "logs": False},
        **options,
    )
    # the framework's own way to let an application describe itself
    app.openapi = partial(reference.describe, app, apis)  # type: ignore[method-assign]
    for api in apis:
        app.include_router(api.router)
    return app


def create_app(settings: Settings) -> ASGIApp:
    """The application, with its database opened and brought to the newest step."""
    service = open_service(settings)
    agent = AgentEndpoint(service)
    kernel_loader = KernelLoader()
    followers = Followers()

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        kernel_loader.start()
        async with agent.running(), followers.listening(service.store):
            yield
        service.close()
        stop_traces()

    apis = find_apis(fettle.web)
    app = new_app(apis, lifespan=lifespan)
    metrics = Metrics(service)
    app.state.service = service
    app.state.metrics = metrics
    app.state.rate_limits = RateLimits(
        RateLimiter(settings.key_rate_per_minute), RateLimiter(settings.address_rate_per_minute)
    )
    app.state.kernel_loader = kernel_loader
    app.state.followers = followers
    errors.install(app)
    for router in (files.router, health.router, reference.router, shared.router):
        app.include_router(router)
    dashboard.install(app)
    agent.install(app)
    upload_limit_bytes = settings.upload_limit_bytes + FORM_OVERHEAD_BYTES
    limited = BodyLimit(
        GZipMiddleware(app, minimum_size=1024, compresslevel=COMPRESSION),
        limit_bytes=settings.json_limit_bytes,
        path_limits_bytes={
            **dict.fromkeys(upload_paths(apis) | DASHBOARD_UPLOADS, upload_limit_bytes),
            **dict.fromkeys(batch_paths(apis), settings.batch_limit_bytes + FORM_OVERHEAD_BYTES),
        },
    )
    return BodyEnd(ResponseHeaders(limited, metrics), upload_limit_bytes)


def app_from_environment() -> ASGIApp:
    """For any ASGI server: `uvicorn --factory fettle.web:app_from_environment`."""
    return create_app(Settings())
