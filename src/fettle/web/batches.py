"""Several files in one call: one job each, one address for the state of all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

from anyio import to_thread
from fastapi import Header, Request
from fastapi.responses import JSONResponse

from fettle.app.access.plans import Meter
from fettle.app.errors import BadField
from fettle.results import Batch, BatchAccepted
from fettle.web.auth import Caller, ServiceDep, check_meter, rate_headers
from fettle.web.endpoints import Api, FormFields
from fettle.web.forms import FILES, read_files
from fettle.web.jobs import ANALYZE_FORM, read_packs
from fettle.web.options import read_options, read_quote_id
from fettle.web.responses import FILE, send
from fettle.web.urls import base_url

api = Api("/api/v1/dfm/batches", "DFM batches")
OPTIONS = ("quote_id", "max_edge", "curvature", "pull", "alpha_min", "alpha_warn", "units", "packs")
"""Fields of an analyze form that hold for every file of a batch."""
BATCH_FORM: FormFields = {
    FILES: {"type": "array", "items": FILE, "minItems": 1, "description": "The part files, a part of the form each."},
    **{name: ANALYZE_FORM[name] for name in OPTIONS},
}


@api.endpoint("POST", "", BatchAccepted, 402, 422, 503, status=202, metered=True, fields=BATCH_FORM, required=(FILES,))
async def analyze_batch(
    request: Request, service: ServiceDep, caller: Caller, idempotency_key: Annotated[str | None, Header()] = None
) -> JSONResponse:
    """Order the analysis of several parts. Each file is accepted, and counted on the meter dfm.analyze, or refused with
    its reason; with an Idempotency-Key, once. Where none can be accepted the answer is an error, and nothing counts."""
    await check_meter(request, caller, Meter.ANALYZE, refuse=idempotency_key is None)
    settings = service.settings
    async with read_files(request, settings.upload_limit_bytes, settings.batch_limit_files) as sent:
        if not sent.files:
            raise BadField(FILES, f"The form has no field {FILES!r}; send each part file in one of that name.")
        packs = await to_thread.run_sync(read_packs, service, caller, sent.fields.get("packs", ""))
        options, quote_id = replace(read_options(sent.fields), packs=packs), read_quote_id(sent.fields)
        submit = partial(service.batches.submit, caller, sent.files, options, quote_id, idempotency_key)
        submitted = await to_thread.run_sync(submit)
    url = f"{base_url(request)}{api.router.prefix}/{submitted.batch_id}"
    answer = BatchAccepted(submitted.batch_id, url, submitted.files)
    return send(answer, 202, rate_headers(submitted.meter))


@api.endpoint("GET", "/{batch_id}", Batch, 404)
def read_batch(batch_id: str, service: ServiceDep, caller: Caller) -> JSONResponse:
    """The state of every job of a batch."""
    return send(service.batches.read(caller, batch_id))
