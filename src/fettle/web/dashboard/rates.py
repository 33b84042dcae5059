"""Rate cards for people: the operator's cards, and the account's own versions of them."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app import account_rates
from fettle.app.pricing.terms import rate_cards
from fettle.app.service import Service
from fettle.errors import BadRequest
from fettle.rules import modules_in_force
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of

router = APIRouter(prefix="/dashboard/rates", route_class=AccountRoute)
ROOT = "/dashboard/rates"


@router.get("")
def show_cards(request: Request) -> Response:
    service, account = service_of(request), account_of(request)
    own = account_rates.read_all(service.store, account)
    names = {module.key: module.name for module in modules_in_force()}
    currency = service.catalog.rates.currency
    cards = rate_cards(service.settings.catalog_dir)
    return page(request, "rates.html", cards=cards, own=own, names=names, currency=currency)


@router.get("/{process}")
def edit_card(request: Request, process: str) -> Response:
    return _editor(request, account_rates.check_process(process))


@router.post("/{process}")
def keep_card(request: Request, process: str, text: Annotated[str, Form()]) -> Response:
    service, account = service_of(request), account_of(request)
    account_rates.check_process(process)
    operator = rate_cards(service.settings.catalog_dir)[process]
    try:
        account_rates.keep(service.store, account, process, text, operator)
    except BadRequest as fault:
        return _editor(request, process, 422, text, str(fault))
    return RedirectResponse(ROOT, status_code=303)


@router.post("/{process}/reset")
def reset_card(request: Request, process: str) -> Response:
    service, account = service_of(request), account_of(request)
    account_rates.reset(service.store, account, account_rates.check_process(process))
    return RedirectResponse(ROOT, status_code=303)


def _editor(request: Request, process: str, status: int = 200, text: str | None = None, fault: str = "") -> Response:
    service, account = service_of(request), account_of(request)
    versions = account_rates.history(service.store, account, process)
    kept = versions[-1].text if versions else None
    shown = text if text is not None else kept or _operators_text(service, process)
    return page(request, "rate-card.html", status, process=process, text=shown, versions=versions, fault=fault)


def _operators_text(service: Service, process: str) -> str:
    """The card in force for every account, as it is written."""
    folder = service.settings.catalog_dir
    own = folder / "rates" / f"{process}.yaml" if folder else None
    source = own if own is not None and own.is_file() else files("fettle") / "data" / "rates" / f"{process}.yaml"
    return source.read_text(encoding="utf-8")
