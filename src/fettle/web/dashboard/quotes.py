"""Quotes for people: choose material, quantity and finishing, see the price and its curve, save it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.responses import RedirectResponse

from fettle.app import quotes
from fettle.app.access.accounts import Account
from fettle.app.service import Service
from fettle.errors import BadRequest
from fettle.quote import Geometry, Price, price
from fettle.quote.catalog import QuantityRange
from fettle.results import PartGeometry
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of

router = APIRouter(prefix="/dashboard/quotes", route_class=AccountRoute)
ROOT = "/dashboard/quotes"
LINES = (
    ("metal_cost", "Metal"),
    ("shell_cost", "Shell"),
    ("labor_cost", "Labor"),
    ("post_processing_cost", "Finishing"),
    ("margin", "Margin"),
)


@dataclass(frozen=True, slots=True)
class QuoteChoice:
    """What was chosen in the form."""

    job_id: str
    material_id: str
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
    material: str = "",
    quantity: int = 10,
) -> Response:
    service = service_of(request)
    material_id = material or str(service.catalog.materials[0].id)
    return _form(request, QuoteChoice(job, material_id, quantity, tuple(finish)))


@router.post("")
def keep(
    request: Request,
    job: Annotated[str, Form()],
    material: Annotated[str, Form()],
    quantity: Annotated[int, Form()],
    finish: Annotated[list[str], Form(default_factory=list)],
) -> Response:
    service, account = service_of(request), account_of(request)
    choice = QuoteChoice(job, material, quantity, tuple(finish))
    name, sizes = _part(service, account, job)
    asked = quotes.QuoteRequest(
        name, sizes["volume"], sizes["area"], sizes["box"], material, quantity, choice.finish_ids
    )
    try:
        kept = quotes.create(service.store, service.catalog, account, asked)
    except BadRequest as fault:
        return _form(request, choice, 422, str(fault))
    return RedirectResponse(f"{ROOT}/{kept.id}", status_code=303)


@router.get("/{quote_id}")
def show_quote(request: Request, quote_id: str) -> Response:
    service = service_of(request)
    kept = quotes.read(service.store, account_of(request), quote_id)
    names = {str(material.id): material.name for material in service.catalog.materials}
    names |= {str(finish.id): finish.name for finish in service.catalog.finishes}
    bars = _bars({key: getattr(kept.breakdown, key) for key, _ in LINES})
    return page(request, "quote.html", quote=kept, names=names, bars=bars)


def _form(request: Request, choice: QuoteChoice, status: int = 200, fault: str = "") -> Response:
    service, account = service_of(request), account_of(request)
    name, sizes = _part(service, account, choice.job_id)
    box = tuple(Decimal(repr(side)) for side in sizes["box"])
    geometry = Geometry(Decimal(repr(sizes["volume"])), Decimal(repr(sizes["area"])), (box[0], box[1], box[2]))
    priced, curve, rates = None, [], service.catalog.rates
    try:
        material = service.catalog.material(choice.material_id)
        finishes = [service.catalog.finish(option) for option in choice.finish_ids]
        priced = price(geometry, material, choice.quantity, finishes, rates)
        curve = [(q, price(geometry, material, q, finishes, rates)) for q in curve_quantities(rates.quantity)]
    except BadRequest as refused:
        fault, status = fault or str(refused), 422
    return page(
        request,
        "quote-new.html",
        status,
        file_name=name,
        sizes=sizes,
        choice=choice,
        quantities=rates.quantity,
        materials=[material for material in service.catalog.materials if material.active],
        finishes=[finish for finish in service.catalog.finishes if finish.active],
        price=priced,
        bars=_bars({key: getattr(priced, key) for key, _ in LINES}) if priced else [],
        curve=_drawn(curve) if curve else None,
        fault=fault,
    )


def curve_quantities(quantities: QuantityRange) -> list[int]:
    """1, 2, 5, 10, 20, 50... as far as may be ordered, the ends included."""
    steps = [step * 10**power for power in range(len(str(quantities.maximum))) for step in (1, 2, 5)]
    within = {step for step in steps if quantities.minimum <= step <= quantities.maximum}
    return sorted(within | {quantities.minimum, quantities.maximum})


def _is_power_of_ten(quantity: int) -> bool:
    return str(quantity).strip("0") == "1"


def _part(service: Service, account: Account, job_id: str) -> tuple[str, dict[str, Any]]:
    """Name and geometry of an analyzed part of this account."""
    job = service.jobs.read(account, job_id)
    geometry = PartGeometry.from_dict(json.loads(service.jobs.result(account, job_id).body)["geometry"])
    sizes = {"volume": geometry.volume_cm3, "area": geometry.surface_area_cm2, "box": geometry.size_mm}
    return job.filename, sizes


def _bars(costs: dict[str, Decimal]) -> list[dict[str, Any]]:
    """The breakdown as shares of a bar 100 wide."""
    total = sum(costs.values()) or Decimal(1)
    bars, at = [], 0.0
    for key, name in LINES:
        width = float(100 * costs[key] / total)
        bars.append({"key": key, "name": name, "cost": costs[key], "x": at, "width": max(width, 0.0)})
        at += width
    return bars


def _drawn(curve: list[tuple[int, Price]]) -> dict[str, Any]:
    """Unit price against quantity on a sheet of 300 x 110, both scales logarithmic."""
    low, high = float(curve[-1][1].unit_price.ln()), float(curve[0][1].unit_price.ln())
    most = float(Decimal(curve[-1][0]).ln())
    points = [
        {
            "x": round(300 * float(Decimal(quantity).ln()) / most, 1),
            "y": round(110 - 95 * (float(priced.unit_price.ln()) - low) / max(high - low, 1e-9), 1),
            "quantity": quantity,
            "price": priced.unit_price,
            "labeled": _is_power_of_ten(quantity),
        }
        for quantity, priced in curve
    ]
    return {"points": points, "line": " ".join(f"{point['x']},{point['y']}" for point in points)}
