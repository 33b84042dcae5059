"""Flat patterns of sheet parts over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import JSONResponse

from fettle.app.access.accounts import Account
from fettle.app.flats.request import FlatRequest
from fettle.app.service import Service
from fettle.app.work import pipeline
from fettle.results import FlatPattern
from fettle.web.auth import Caller, ServiceDep
from fettle.web.endpoints import Api
from fettle.web.kernel_threads import in_kernel
from fettle.web.responses import send

api = Api("/api/v1/dfm", "Flat patterns")


@api.endpoint("GET", "/jobs/{job_id}/flat", FlatPattern, 404, 409, 422, 504)
async def read_flat(
    job_id: str,
    request: Request,
    service: ServiceDep,
    caller: Caller,
    k_factor: Annotated[float | None, Query(gt=0, le=1, description="K factor of every bend.")] = None,
    din_6935: Annotated[bool, Query(description="Allowances by DIN 6935.")] = False,
    material: Annotated[
        str | None, Query(max_length=100, description="Sheet material by any part of its name.")
    ] = None,
) -> JSONResponse:
    """The part of a done job laid flat: outlines, bend table, and how well it folds back. 422 with the reason and the
    faces where it is no sheet or does not lie flat. Not counted."""
    asked = FlatRequest(k_factor, din_6935, material=material)
    return send(await in_kernel(request, unfold_job, service, caller, job_id, asked))


def unfold_job(service: Service, caller: Account, job_id: str, request: FlatRequest) -> FlatPattern:
    """Unfold a stored analysis, in a kernel child."""
    return pipeline.unfold(service.settings, service.analysis(caller, job_id), request)
