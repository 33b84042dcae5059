"""The HTTP service: `create_app(settings)` is the whole of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

import fettle
from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.web import dashboard, errors, health, quoting
from fettle.web.envelope import API, BodyLimit, Envelope
from fettle.web.forms import FORM_OVERHEAD_BYTES
from fettle.web.metrics import Metrics

UPLOAD_PATHS = frozenset(f"{API}/{path}" for path in ("convert", "dfm/quick-info", "dfm/analyze"))


def create_app(settings: Settings) -> ASGIApp:
    """The application, with its database opened and brought to the newest step."""
    service = open_service(settings)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = FastAPI(
        title="Fettle",
        version=fettle.__version__,
        summary="What a part is, whether it can be made, and what it costs.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    metrics = Metrics(dict)
    app.state.service = service
    app.state.metrics = metrics
    app.state.upgrade_url = lambda request: settings.upgrade_url or f"{base_url(settings, request)}/dashboard/api"
    errors.install(app)
    for router in (quoting.router, health.router):
        app.include_router(router)
    dashboard.install(app)
    limited = BodyLimit(
        GZipMiddleware(app, minimum_size=1024, compresslevel=5),
        limit_bytes=settings.json_limit_bytes,
        upload_limit_bytes=settings.upload_limit_bytes + FORM_OVERHEAD_BYTES,
        upload_paths=UPLOAD_PATHS,
    )
    return Envelope(limited, metrics)


def base_url(settings: Settings, request: Request) -> str:
    """The address callers reach this service under."""
    return settings.public_url or str(request.base_url).rstrip("/")
