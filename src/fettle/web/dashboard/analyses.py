"""Analyses: upload a file, follow it, view the result, recompute with another pull, try other thresholds."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Any
from urllib.parse import quote as quote_name

from anyio import to_thread
from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, ConfigDict
from pydantic_core import from_json
from starlette.responses import JSONResponse, RedirectResponse, StreamingResponse

from fettle.app import account_packs, quotes
from fettle.app.access.accounts import Account
from fettle.app.direction import name_direction
from fettle.app.errors import BadField, NotFound
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.tasks import BUILD_PART
from fettle.app.options import JobOptions
from fettle.app.own_verdicts import keep_what_if
from fettle.app.part_pictures import read_part_picture
from fettle.app.pricing.choices import choose
from fettle.app.reports.stored import ReportForm, read_report
from fettle.app.reports.typeset import can_write_pdf
from fettle.app.samples import Sample, find_sample
from fettle.app.service import Service
from fettle.app.state.uploads import Incoming
from fettle.app.wording import amount
from fettle.app.work.attempts import start_of_run
from fettle.app.work.jobs import result_body
from fettle.errors import FettleError
from fettle.quote.lines import LARGEST_QUANTITY, SMALLEST_QUANTITY
from fettle.rules import Module, modules_in_force
from fettle.web.auth import service_of
from fettle.web.dashboard.analyses_list import ListQuery, show_list
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute, UploadRoute, wants_page
from fettle.web.dashboard.session import account_of, check_field
from fettle.web.errors import status_of
from fettle.web.files import files_url
from fettle.web.followers import followers_of
from fettle.web.forms import read_form, require_file
from fettle.web.jobs import evaluate_job, events_of
from fettle.web.kernel_threads import in_kernel
from fettle.web.options import check_pull
from fettle.web.responses import send

router = APIRouter(prefix="/dashboard/analyses", route_class=AccountRoute)
uploads = APIRouter(prefix="/dashboard/analyses", route_class=UploadRoute)
ROOT = "/dashboard/analyses"
OTHER_PULL = "other"
PULLS = {
    "cardinal": "Automatic, along an axis",
    "hemisphere": "Automatic, any direction",
    "0,0,1": "+Z",
    "0,0,-1": "−Z",
    "0,1,0": "+Y",
    "0,-1,0": "−Y",
    "1,0,0": "+X",
    "-1,0,0": "−X",
}
"""Directions of the menu; any other is typed."""
ARTIFACT_NAMES = {
    "features_glb": "Part with its features, 3D (GLB)",
    "thickness_glb": "Wall thickness, 3D (GLB)",
    "clearance_glb": "Clearance, 3D (GLB)",
    "draft_glb": "Draft, 3D (GLB)",
    "features_json": "Features (JSON)",
    "modules_json": "Verdicts (JSON)",
    "flat_dxf": "Flat pattern (DXF)",
    "flat_svg": "Flat pattern, drawing (SVG)",
}


@uploads.post("")
async def submit(request: Request) -> Response:
    """A file from the form or the drop zone; scripts get the address of its page, people are sent there."""
    service, account = service_of(request), account_of(request)
    try:
        async with read_form(request, service.settings.upload_limit_bytes) as sent:
            check_field(request, sent.fields)
            units = sent.fields.get("units", "m")
            packs = await to_thread.run_sync(account_packs.read_all, service.store, account)
            options = JobOptions(units=units, packs=tuple(pack.reference for pack in packs))
            job = await to_thread.run_sync(service.jobs.submit, account, require_file(sent), options)
    except FettleError as error:
        status = status_of(error)
        if status is None or not wants_page(request):
            raise
        return await to_thread.run_sync(show_list, request, ListQuery(), status, str(error))
    where = f"{ROOT}/{job.job_id}"
    return RedirectResponse(where, status_code=303) if wants_page(request) else JSONResponse({"location": where})


@router.post("/samples/{key}")
async def try_sample(request: Request, key: str) -> Response:
    """Analyze a part of ours; it is not counted."""
    job_id = await in_kernel(request, _submit_sample, service_of(request), account_of(request), find_sample(key))
    return RedirectResponse(f"{ROOT}/{job_id}", status_code=303)


def _submit_sample(service: Service, account: Account, sample: Sample) -> str:
    data = sandbox.run(BUILD_PART, (sample.recipe, "mm"), service.settings.kernel_limits)
    with Incoming(sample.filename, service.settings.upload_limit_bytes) as incoming:
        incoming.write(data)
        return service.jobs.submit(account, incoming.finish(), JobOptions(), metered=False).job_id


@router.get("/{job_id}")
def show_analysis(request: Request, job_id: str) -> Response:
    return _analysis_page(request, job_id)


def _analysis_page(request: Request, job_id: str, status: int = 200, *, pull: str = "", fault: str = "") -> Response:
    """The page of a job. `pull` and `fault`: a direction that was refused, and why."""
    service, account = service_of(request), account_of(request)
    job = service.jobs.read(account, job_id)
    log = job.log[start_of_run(job.log) :] if job.status != "done" else job.log
    shown: dict[str, Any] = {"job": job, "log": log, "address": f"{ROOT}/{job_id}"}
    if job.status == "done":
        found = service.jobs.result(account, job_id)
        # As JSON: the records of a result of megabytes would take as long again, and the page shows little of it. This
        # reader takes a third of the time of the standard library's.
        result = from_json(found.body)
        shown["artifacts"] = {
            ARTIFACT_NAMES[name]: f"{files_url(request)}/{path}" for name, path in found.artifacts.items()
        }
        shown |= {"pulls": PULLS, "pull": pull or result["options"]["pull"], "pull_fault": fault}
        shown |= {"facts": _facts(result), "headline": result["headline"], "warnings": result["warnings"]}
        shown |= {"processes": result["processes"], "writes_pdf": can_write_pdf()}
        shown |= _own_packs(service, account, job_id)
        shown["quotes"] = len(quotes.read_all(service.store, account, job_id=job_id)[0])
    return page(request, "analysis.html", status, **shown)


def _own_packs(service: Service, account: Account, job_id: str) -> dict[str, Any]:
    """The account's packs that the analysis was judged by, and whether there are others by now."""
    references = service.jobs.finished_run(account, job_id).options.packs
    used = account_packs.find_used(service.store, account.id, references)
    names = {module.key: module.name for module in modules_in_force()}
    judged_by = [(pack, names.get(pack.stands_for or "")) for pack in used]
    in_force = account_packs.read_all(service.store, account)
    return {"judged_by": judged_by, "other_packs": any(pack.reference not in references for pack in in_force)}


def _facts(result: dict[str, Any]) -> dict[str, Any]:
    """Size, counts and pull direction of a result's JSON, for the head of the page."""
    geometry, features = result["geometry"], result["features"]
    volume_cm3 = geometry["volume_cm3"]
    return {
        "box": [amount(geometry["bounding_box_mm"][axis]) for axis in "xyz"],
        "volume": "volume unknown" if volume_cm3 is None else f"{amount(volume_cm3)} cm³",
        "faces": len(features["roles_by_fid"]),
        "features": len(features["features"]),
        "pull": name_direction(features["manufacturability"]["pull_dir"]),
    }


@router.get("/{job_id}/result")
def read_result(request: Request, job_id: str) -> Response:
    found = service_of(request).jobs.result(account_of(request), job_id)
    return Response(result_body(found, files_url(request)), media_type="application/json")


@router.get("/{job_id}/prices")
def read_prices(
    request: Request, job_id: str, quantity: Annotated[int, Query(ge=SMALLEST_QUANTITY, le=LARGEST_QUANTITY)]
) -> Response:
    """Unit prices of every process at a quantity, for the cards of the page."""
    service, account = service_of(request), account_of(request)
    return send(choose(service.priceable(account, job_id), quantity, service.terms(account), None))


@router.get("/{job_id}/report")
async def download_report(request: Request, job_id: str) -> Response:
    """One HTML file to keep or send. It is downloaded, not shown: its policy allows the script that is in it."""
    return await in_kernel(request, _report, request, job_id, ReportForm.FILE)


@router.get("/{job_id}/report.pdf")
async def download_pdf(request: Request, job_id: str) -> Response:
    """The same report on paper."""
    return await in_kernel(request, _report, request, job_id, ReportForm.PDF)


def _report(request: Request, job_id: str, form: ReportForm) -> Response:
    service, account = service_of(request), account_of(request)
    filename = service.jobs.read(account, job_id).filename
    document = read_report(service, account, job_id, form)
    name = quote_name(f"{PurePath(filename).stem}-report.{form}")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}", "Cache-Control": "no-store"}
    kind = "application/pdf" if form is ReportForm.PDF else "text/html"
    return Response(document, media_type=kind, headers=headers)


@router.get("/{job_id}/original")
def download_original(request: Request, job_id: str) -> Response:
    """The part file as it was sent, under its name."""
    service, account = service_of(request), account_of(request)
    name = quote_name(service.jobs.read(account, job_id).filename)
    stored = service.jobs.original(account, job_id)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "Content-Length": str(stored.size_bytes),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(stored.chunks, media_type="application/octet-stream", headers=headers)


@router.get("/{job_id}/part.png")
async def show_picture(request: Request, job_id: str) -> Response:
    drawn = await in_kernel(request, read_part_picture, service_of(request), account_of(request), job_id)
    return Response(drawn, media_type="image/png", headers={"Cache-Control": "private, max-age=86400"})


@router.get("/{job_id}/events")
async def follow(request: Request, job_id: str) -> Response:
    service, account = service_of(request), account_of(request)
    first = await to_thread.run_sync(service.jobs.read, account, job_id)
    events = events_of(service, followers_of(request), account, first, start_of_run(first.log))
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.post("/{job_id}/recompute")
def recompute(
    request: Request,
    job_id: str,
    pull: Annotated[str, Form(max_length=200)],
    custom: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Analyze with another pull: one of the menu, or the direction in `custom`."""
    wanted = custom if pull == OTHER_PULL else pull
    try:
        checked = check_pull(wanted)
    except BadField:
        fault = f"{wanted[:60]!r} is no direction; write three numbers such as 0,0,1."
        return _analysis_page(request, job_id, 422, pull=wanted or OTHER_PULL, fault=fault)
    service_of(request).jobs.recompute(account_of(request), job_id, checked)
    return RedirectResponse(f"{ROOT}/{job_id}", status_code=303)


@router.post("/{job_id}/cancel")
def cancel(request: Request, job_id: str) -> Response:
    """Stop and remove a job that waits or runs."""
    service_of(request).jobs.delete(account_of(request), job_id)
    return RedirectResponse(ROOT, status_code=303)


def _modules(service: Service, account: Account, job_id: str) -> dict[str, Module]:
    """Modules by key: those in force, and the account's own that judged the analysis."""
    references = service.jobs.finished_run(account, job_id).options.packs
    own = account_packs.find_used(service.store, account.id, references)
    return {module.key: module for module in (*modules_in_force(), *(pack.module for pack in own))}


@router.get("/{job_id}/modules")
def read_modules(request: Request, job_id: str) -> Response:
    """Every module that an analysis may be judged by, for the scripts of its page."""
    known = _modules(service_of(request), account_of(request), job_id)
    return JSONResponse({"modules": [module.spec() for module in known.values()]})


class ThresholdChange(BaseModel):
    """A module and configuration of the analysis with other thresholds."""

    model_config = ConfigDict(extra="forbid")

    module_key: str
    configuration_key: str
    overrides: dict[str, float] = {}


@router.post("/{job_id}/eval")
async def evaluate(request: Request, job_id: str, body: ThresholdChange) -> Response:
    who = (service_of(request), account_of(request), job_id)
    known = await to_thread.run_sync(_modules, *who)
    if body.module_key not in known:
        raise NotFound(f"The analysis was not judged by a module {body.module_key[:60]!r}.")
    spec = known[body.module_key].spec()
    judged = await in_kernel(request, evaluate_job, *who, spec, body.configuration_key, body.overrides)
    process = f"{body.module_key}:{body.configuration_key}"
    await to_thread.run_sync(keep_what_if, service_of(request), job_id, process, body.overrides)
    return JSONResponse(judged.to_dict())
