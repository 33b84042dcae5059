"""Processes of an analyzed part with their prices over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from fastapi.responses import JSONResponse

from fettle.app.pricing.choices import choose
from fettle.quote.lines import LARGEST_QUANTITY, SMALLEST_QUANTITY
from fettle.results.process_choices import ProcessChoices
from fettle.web.auth import Caller, ServiceDep
from fettle.web.endpoints import Api
from fettle.web.responses import send

api = Api("/api/v1/dfm", "Processes")


@api.endpoint("GET", "/jobs/{job_id}/processes", ProcessChoices, 404, 409, 422)
def list_processes(
    job_id: str,
    service: ServiceDep,
    caller: Caller,
    quantity: Annotated[int, Query(ge=SMALLEST_QUANTITY, le=LARGEST_QUANTITY, description="Number of parts.")] = 100,
    material: Annotated[
        str | None, Query(max_length=100, description="Only processes with this material, by any part of its name.")
    ] = None,
) -> JSONResponse:
    """Every process that a finished job was judged by, the one to choose first: by verdict, then by unit price at the
    quantity; and the quantities at which another becomes cheaper. Not counted."""
    return send(choose(service.priceable(caller, job_id), quantity, service.terms(caller), material))
