"""Manufacturability without a job: quick-info, the rule vocabulary, the modules in force."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from fettle.app.access.accounts import Account
from fettle.app.access.meters import Reading
from fettle.app.access.plans import Meter
from fettle.app.kernel_tasks.size_limits import check_bounds
from fettle.app.service import Service
from fettle.app.state.uploads import Upload
from fettle.app.work.previews import StoredPreview
from fettle.rules import modules_in_force, rule_schema
from fettle.web import schemas
from fettle.web.auth import Caller, KeyedRoute, ServiceDep, check_meter, rate_headers
from fettle.web.files import preview_url
from fettle.web.forms import read_form, require_file
from fettle.web.kernel_threads import in_kernel
from fettle.web.options import read_units
from fettle.web.responses import FILE, UNITS, answers, form

router = APIRouter(prefix="/api/v1/dfm", tags=["DFM"], route_class=KeyedRoute)


@router.post(
    "/quick-info",
    responses=answers(200, schemas.QuickInfo, 402, 422, 504, metered=True),
    openapi_extra=form({"file": FILE, "units": UNITS}, ("file",)),
)
async def quick_info(request: Request, service: ServiceDep, caller: Caller) -> JSONResponse:
    """Geometry, a preview and a few counts of a part. Counted on the meter dfm.quick_info."""
    await check_meter(request, caller, Meter.QUICK_INFO)
    async with read_form(request, service.settings.upload_limit_bytes) as sent:
        upload, units = require_file(sent), read_units(sent.fields)
        kept, taken = await in_kernel(request, _preview, service, caller, upload, units)
    body = {"geometry": kept.geometry, "glb_url": preview_url(request, kept.token), "stats": kept.stats}
    return JSONResponse(body, headers=rate_headers(taken))


def _preview(service: Service, caller: Account, upload: Upload, units: str) -> tuple[StoredPreview, Reading]:
    """Count the unit last, so that a call that fails counts none; at the cap this is what refuses."""
    kept = service.previews.make(upload, units)
    check_bounds(kept.size_mm, service.settings.size_bounds, kept.format)
    return kept, service.meters.take_one(caller, Meter.QUICK_INFO)


@router.get("/rule-schema", responses=answers(200, schemas.RuleSchema))
def read_rule_schema(_caller: Caller) -> JSONResponse:
    """Every selector set, metric, comparison and form a rule may use, with the JSON Schema of a module."""
    return JSONResponse(rule_schema())


@router.get("/modules", responses=answers(200, schemas.Modules))
def read_modules(_caller: Caller) -> JSONResponse:
    """Every module in force, to be cloned: post one to modules/eval as it is, or changed."""
    return JSONResponse({"modules": [module.spec() for module in modules_in_force()]})
