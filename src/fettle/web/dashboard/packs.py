"""Packs of the account: kept, used for its analyses, removed; and the thresholds tried on an analysis."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import JSONResponse, RedirectResponse

from fettle.app import account_packs, own_verdicts
from fettle.app.access.accounts import Account
from fettle.app.service import Service
from fettle.errors import BadRequest, InvalidModule
from fettle.web.auth import service_of
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.rules import ShownFault, show_editor_with
from fettle.web.dashboard.session import account_of
from fettle.web.kernel_threads import in_kernel

router = APIRouter(prefix="/dashboard", route_class=AccountRoute)
RULES = "/dashboard/rules"


@router.post("/packs")
def keep_pack(request: Request, text: Annotated[str, Form(max_length=1_000_000)]) -> Response:
    """Keep the module of the editor as a pack of the account."""
    text = text.replace("\r\n", "\n")
    try:
        account_packs.keep(service_of(request).store, account_of(request), text)
    except InvalidModule as error:
        return show_editor_with(request, text, [ShownFault.at(text, fault) for fault in error.faults])
    except BadRequest as error:
        return show_editor_with(request, text, [ShownFault(0, str(error))])
    return RedirectResponse(RULES, status_code=303)


@router.post("/packs/{key}/remove")
def remove_pack(request: Request, key: str) -> Response:
    account_packs.remove(service_of(request).store, account_of(request), key)
    return RedirectResponse(RULES, status_code=303)


@router.get("/analyses/{job_id}/own-verdicts")
async def read_verdicts(request: Request, job_id: str) -> Response:
    """What the account's own packs say of an analysis, other than those that judged it."""
    return JSONResponse(await in_kernel(request, _verdicts, service_of(request), account_of(request), job_id))


def _verdicts(service: Service, account: Account, job_id: str) -> dict[str, list[dict[str, object]]]:
    used = service.jobs.finished_run(account, job_id).options.packs
    return {
        "packs": [
            {
                "key": pack.key,
                "name": pack.module.name,
                "configurations": [
                    {
                        "name": pack.module.configurations[one.configuration_key].name,
                        "severity": one.severity,
                        "causes": [asdict(cause)["message"] for cause in one.result.causes],
                    }
                    for one in own_verdicts.judge(service, account, job_id, pack).configurations
                ],
            }
            for pack in account_packs.read_all(service.store, account)
            if pack.reference not in used
        ]
    }


@router.get("/analyses/{job_id}/what-if")
def read_what_if(request: Request, job_id: str) -> Response:
    """Thresholds that were tried on this analysis, by process."""
    service = service_of(request)
    service.jobs.read(account_of(request), job_id)
    return JSONResponse({"overrides": own_verdicts.read_what_ifs(service, job_id)})
