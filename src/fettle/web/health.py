"""For operators: liveness, readiness and metrics."""

from __future__ import annotations

import sqlalchemy as sa
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from fettle.web.auth import service_of
from fettle.web.errors import answer

router = APIRouter(include_in_schema=False)


@router.api_route("/healthz", methods=["GET", "HEAD"])
def healthz() -> PlainTextResponse:
    """The process answers."""
    return PlainTextResponse("ok\n")


@router.api_route("/readyz", methods=["GET", "HEAD"])
def readyz(request: Request) -> Response:
    """The database answers and the kernel is loaded: jobs can be taken, and none waits for a start."""
    if not request.app.state.kernel_loader.ready:
        return answer(503, "The geometry kernel is being loaded.", "not_ready", {"Retry-After": "1"})
    try:
        with service_of(request).store.read() as connection:
            connection.execute(sa.text("SELECT 1"))
    except sa.exc.SQLAlchemyError:
        return answer(503, "The database does not answer.", "not_ready", {"Retry-After": "5"})
    return JSONResponse({"status": "ready"})


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Numbers for Prometheus."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
