"""Usage: both meters against the plan's quota, and what was used day by day."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from fettle.app.access.plans import Meter
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of

router = APIRouter(prefix="/dashboard/usage", route_class=AccountRoute)


@router.get("")
def show_usage(request: Request) -> Response:
    service, account = service_of(request), account_of(request)
    readings = [service.meters.read(account, meter) for meter in Meter]
    days = {meter.value: service.meters.by_day(account, meter) for meter in Meter}
    plan = service.plans[account.plan]
    return page(request, "usage.html", readings=readings, days=days, plan=plan)
