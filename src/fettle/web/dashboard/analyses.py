"""Analyses: upload a file, follow it, view the result, recompute with another pull, try other thresholds."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Annotated, Any
from urllib.parse import quote as quote_name

from anyio import to_thread
from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, ConfigDict
from starlette.responses import JSONResponse, RedirectResponse, StreamingResponse

from fettle.app.causes import merged_causes, summarize_processes
from fettle.app.direction import name_direction
from fettle.app.errors import NotFound
from fettle.app.options import JobOptions
from fettle.app.reports.report import draw_report, html_report, quote_table
from fettle.app.wording import amount
from fettle.app.work.jobs import result_body
from fettle.errors import FettleError
from fettle.results import AnalysisResult
from fettle.rules import modules_in_force
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute, UploadRoute, wants_page
from fettle.web.dashboard.session import account_of, check_field
from fettle.web.errors import status_of
from fettle.web.files import files_url
from fettle.web.forms import read_form, require_file
from fettle.web.jobs import evaluate_job, events_of
from fettle.web.kernel_threads import in_kernel
from fettle.web.options import check_pull

router = APIRouter(prefix="/dashboard/analyses", route_class=AccountRoute)
uploads = APIRouter(prefix="/dashboard/analyses", route_class=UploadRoute)
ROOT = "/dashboard/analyses"
REPORT_QUANTITY = 100


@router.get("")
def show_analyses(request: Request, cursor: str | None = None) -> Response:
    return _shown(request, cursor=cursor)


@uploads.post("")
async def submit(request: Request) -> Response:
    """A file from the form or the drop zone; scripts get the address of its page, people are sent there."""
    service, account = service_of(request), account_of(request)
    try:
        async with read_form(request, service.settings.upload_limit_bytes) as sent:
            check_field(request, sent.fields)
            units = sent.fields.get("units", "m")
            options = JobOptions(units=units)
            job = await to_thread.run_sync(service.jobs.submit, account, require_file(sent), options)
    except FettleError as error:
        status = status_of(error)
        if status is None or not wants_page(request):
            raise
        return await to_thread.run_sync(_shown, request, status, str(error))
    where = f"{ROOT}/{job.job_id}"
    return RedirectResponse(where, status_code=303) if wants_page(request) else JSONResponse({"location": where})


@router.get("/{job_id}")
def show_analysis(request: Request, job_id: str) -> Response:
    service, account = service_of(request), account_of(request)
    job = service.jobs.read(account, job_id)
    shown: dict[str, Any] = {"job": job, "address": f"{ROOT}/{job_id}"}
    if job.status == "done":
        found = service.jobs.result(account, job_id)
        result = AnalysisResult.from_dict(json.loads(found.body))
        shown["artifacts"] = {name: f"{files_url(request)}/{path}" for name, path in found.artifacts.items()}
        shown |= {"facts": _facts(result), "verdicts": result.verdicts(), "headline": result.headline}
        shown |= {"processes": summarize_processes(result), "causes": merged_causes(result)}
    return page(request, "analysis.html", **shown)


def _facts(result: AnalysisResult) -> dict[str, Any]:
    """Size, counts and pull direction, for the head of the page."""
    geometry, features = result.geometry, result.features
    return {
        "box": [f"{side:.5g}" for side in geometry.size_mm],
        "volume": "unknown" if geometry.volume_cm3 is None else amount(geometry.volume_cm3),
        "faces": len(features.roles_by_fid),
        "features": len(features.features),
        "pull": name_direction(features.manufacturability.pull_dir),
        "asked": result.options.pull,
    }


@router.get("/{job_id}/result")
def read_result(request: Request, job_id: str) -> Response:
    found = service_of(request).jobs.result(account_of(request), job_id)
    return Response(result_body(found, files_url(request)), media_type="application/json")


@router.get("/{job_id}/report")
async def download_report(request: Request, job_id: str) -> Response:
    """One HTML file to keep or send. It is downloaded, not shown: its policy allows the script that is in it."""
    return await in_kernel(request, _report, request, job_id)


def _report(request: Request, job_id: str) -> Response:
    service, account = service_of(request), account_of(request)
    filename = service.jobs.read(account, job_id).filename
    result = AnalysisResult.from_dict(json.loads(service.jobs.result(account, job_id).body))
    analysis = service.analysis(account, job_id)
    drawings = draw_report(result, analysis, service.settings.kernel_limits, models=True)
    material = next(entry.name for entry in service.catalog.materials if entry.active)
    quote = quote_table(result.geometry, service.catalog, material, REPORT_QUANTITY)
    name = quote_name(f"{PurePath(filename).stem}-report.html")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}", "Cache-Control": "no-store"}
    return Response(html_report(filename, result, drawings, quote), media_type="text/html", headers=headers)


@router.get("/{job_id}/events")
async def follow(request: Request, job_id: str) -> Response:
    service, account = service_of(request), account_of(request)
    first = await to_thread.run_sync(service.jobs.read, account, job_id)
    events = events_of(service, account, first, 0)
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.post("/{job_id}/recompute")
def recompute(request: Request, job_id: str, pull: Annotated[str, Form(max_length=200)]) -> Response:
    service_of(request).jobs.recompute(account_of(request), job_id, check_pull(pull))
    return RedirectResponse(f"{ROOT}/{job_id}", status_code=303)


@router.post("/{job_id}/delete")
def delete(request: Request, job_id: str) -> Response:
    service_of(request).jobs.delete(account_of(request), job_id)
    return RedirectResponse(ROOT, status_code=303)


class ThresholdChange(BaseModel):
    """A shipped module and configuration with other thresholds."""

    model_config = ConfigDict(extra="forbid")

    module_key: str
    configuration_key: str
    overrides: dict[str, float] = {}


@router.post("/{job_id}/eval")
async def evaluate(request: Request, job_id: str, body: ThresholdChange) -> Response:
    shipped = {module.key: module for module in modules_in_force()}
    if body.module_key not in shipped:
        raise NotFound(f"There is no shipped module {body.module_key[:60]!r}.")
    spec = shipped[body.module_key].spec()
    who = (service_of(request), account_of(request), job_id)
    judged = await in_kernel(request, evaluate_job, *who, spec, body.configuration_key, body.overrides)
    return JSONResponse(judged.to_dict())


def _shown(request: Request, status: int = 200, fault: str = "", cursor: str | None = None) -> Response:
    jobs, following = service_of(request).jobs.read_all(account_of(request), cursor=cursor)
    return page(request, "analyses.html", status, jobs=jobs, cursor=following, fault=fault)
