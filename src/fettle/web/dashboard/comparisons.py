"""Two analyses of an account side by side: which faces, features, findings and tolerances changed."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import JSONResponse

from fettle.app.access.accounts import Account
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.tasks import COMPARE
from fettle.app.service import Service
from fettle.results import AnalysisResult
from fettle.results.record import JsonObject
from fettle.web.auth import service_of
from fettle.web.dashboard.analyses import ROOT
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of
from fettle.web.kernel_threads import in_kernel

router = APIRouter(prefix=ROOT, route_class=AccountRoute)


@router.get("/{job_id}/compare")
def show_comparison(request: Request, job_id: str, old: Annotated[str, Query(alias="with")] = "") -> Response:
    """The page of two revisions; without `with` it asks which analysis to compare with."""
    service, account = service_of(request), account_of(request)
    job = service.jobs.read(account, job_id)
    others, _ = service.jobs.read_all(account)
    offered = [one for one in others if one.status == "done" and one.job_id != job_id]
    # The last revision of the same file first.
    offered.sort(key=lambda one: one.filename != job.filename)
    earlier = service.jobs.read(account, old) if old else None
    return page(request, "compare.html", job=job, old=earlier, offered=offered, root=ROOT)


@router.get("/{job_id}/changes/{old_id}")
async def read_changes(request: Request, job_id: str, old_id: str) -> Response:
    """What changed from `old_id` to `job_id`, as `fettle diff` finds it."""
    return JSONResponse(await in_kernel(request, _changes, service_of(request), account_of(request), old_id, job_id))


def _changes(service: Service, account: Account, old_id: str, new_id: str) -> JsonObject:
    bodies = [service.jobs.result(account, one).body for one in (old_id, new_id)]
    before, after = (AnalysisResult.from_dict(json.loads(body)) for body in bodies)
    pair = (service.analysis(account, old_id), service.analysis(account, new_id), before, after)
    return sandbox.run(COMPARE, pair, service.settings.kernel_limits)
