"""Quotes for people: choose process, material, quantity and finishing, see the price and its lines, save it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.responses import RedirectResponse

from fettle.app import quotes
from fettle.app.pricing.choices import best_process, choose
from fettle.app.pricing.makers import Maker, find_maker
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.terms import PricingTerms
from fettle.errors import BadRequest
from fettle.plan.rate_card import UnknownStockMaterial
from fettle.quote import Finish
from fettle.quote.catalog import UnknownMaterial
from fettle.quote.investment import PROCESS as INVESTMENT
from fettle.quote.lines import LARGEST_QUANTITY, SMALLEST_QUANTITY
from fettle.results import PriceBreakdown
from fettle.results.process_prices import QuantityPrice
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of

router = APIRouter(prefix="/dashboard/quotes", route_class=AccountRoute)
ROOT = "/dashboard/quotes"
LINES = (
    ("metal_cost", "Material"),
    ("shell_cost", "Tooling"),
    ("labor_cost", "Work"),
    ("post_processing_cost", "Finishing"),
    ("margin", "Margin"),
)
CASTING_LINES = (
    ("metal_cost", "Metal"),
    ("shell_cost", "Shell"),
    ("labor_cost", "Labor"),
    ("post_processing_cost", "Finishing"),
    ("margin", "Margin"),
)


@dataclass(frozen=True, slots=True)
class QuoteChoice:
    """What was chosen in the form; no process: the best; no material: the usual one."""

    job_id: str
    process: str
    material: str
    quantity: int
    finish_ids: tuple[str, ...]


@router.get("")
def show_quotes(request: Request, cursor: str | None = None) -> Response:
    service, account = service_of(request), account_of(request)
    found, following = quotes.read_all(service.store, account, cursor=cursor)
    names = {str(material.id): material.name for material in service.catalog.materials}
    return page(request, "quotes.html", quotes=found, names=names, cursor=following)


@router.get("/new")
def show_form(
    request: Request,
    job: str,
    finish: Annotated[list[str], Query(default_factory=list)],
    process: str = "",
    material: str = "",
    quantity: int = 10,
) -> Response:
    return _form(request, QuoteChoice(job, process, material, quantity, tuple(finish)))


@router.post("")
def keep(
    request: Request,
    job: Annotated[str, Form()],
    process: Annotated[str, Form()],
    material: Annotated[str, Form()],
    quantity: Annotated[int, Form()],
    finish: Annotated[list[str], Form(default_factory=list)],
) -> Response:
    service, account = service_of(request), account_of(request)
    choice = QuoteChoice(job, process, material, quantity, tuple(finish))
    order = OrderRequest(process, quantity, material or None, choice.finish_ids)
    asked = quotes.ProcessQuoteRequest(job, service.jobs.read(account, job).filename, order)
    part, terms = service.priceable(account, job), service.terms(account)
    try:
        kept = quotes.create_by_process(service.store, account, asked, part, terms)
    except BadRequest as fault:
        return _form(request, choice, 422, str(fault))
    return RedirectResponse(f"{ROOT}/{kept.id}", status_code=303)


@router.get("/{quote_id}")
def show_quote(request: Request, quote_id: str) -> Response:
    service = service_of(request)
    kept = quotes.read(service.store, account_of(request), quote_id)
    names = {str(material.id): material.name for material in service.catalog.materials}
    names |= {str(finish.id): finish.name for finish in service.catalog.finishes}
    lines = CASTING_LINES if kept.process == INVESTMENT else LINES
    bars = _bars(kept.breakdown, lines)
    return page(request, "quote.html", quote=kept, names=names, bars=bars)


def _form(request: Request, choice: QuoteChoice, status: int = 200, fault: str = "") -> Response:
    service, account = service_of(request), account_of(request)
    part, terms = service.priceable(account, choice.job_id), service.terms(account)
    order, choices, maker, process = None, None, None, choice.process
    try:
        choices = choose(part, choice.quantity, terms)
        process = choice.process or best_process(choices)
        maker = _maker(process, terms, choice.material)
        order = price_part(part, OrderRequest(process, choice.quantity, maker.material_name, choice.finish_ids), terms)
    except BadRequest as refused:
        fault, status = fault or str(refused), 422
    return page(
        request,
        "quote-new.html",
        status,
        file_name=service.jobs.read(account, choice.job_id).filename,
        geometry=part.geometry,
        choice=choice,
        process=process,
        smallest=SMALLEST_QUANTITY,
        largest=LARGEST_QUANTITY,
        choices=choices,
        material=maker.material_name if maker else "",
        materials=sorted(maker.material_names) if maker else [],
        finishes=_suited(terms, process, maker) if maker else [],
        price=order,
        bars=_bars(order.breakdown, CASTING_LINES if process == INVESTMENT else LINES) if order else [],
        curve=_drawn(order.curve) if order else None,
        fault=fault,
    )


def _maker(process: str, terms: PricingTerms, material: str) -> Maker:
    """The process in a material, or in its usual one where it does not have that: the process was changed."""
    try:
        return find_maker(process, terms, material or None)
    except (UnknownStockMaterial, UnknownMaterial):
        return find_maker(process, terms)


def _suited(terms: PricingTerms, process: str, maker: Maker) -> list[Finish]:
    name = maker.material_name
    return [finish for finish in terms.catalog.finishes if finish.active and finish.suits(process, name)]


def _bars(breakdown: PriceBreakdown, lines: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """The breakdown as shares of a bar 100 wide."""
    costs = {key: getattr(breakdown, key) for key, _ in lines}
    total = sum(costs.values()) or Decimal(1)
    bars, at = [], 0.0
    for key, name in lines:
        width = max(float(100 * costs[key] / total), 0.0)
        bars.append({"key": key, "name": name, "cost": costs[key], "x": at, "width": width})
        at += width
    return bars


def _drawn(curve: Sequence[QuantityPrice]) -> dict[str, Any]:
    """Unit price against quantity on a sheet of 300 x 110, both scales logarithmic."""
    low, high = float(curve[-1].unit_price.ln()), float(curve[0].unit_price.ln())
    most = math.log(max(curve[-1].quantity, 2))
    points = [
        {
            "x": round(300 * math.log(one.quantity) / most, 1),
            "y": round(110 - 95 * (float(one.unit_price.ln()) - low) / max(high - low, 1e-9), 1),
            "quantity": one.quantity,
            "price": one.unit_price,
            "labeled": str(one.quantity).strip("0") == "1",
        }
        for one in curve
    ]
    return {"points": points, "line": " ".join(f"{point['x']},{point['y']}" for point in points)}
