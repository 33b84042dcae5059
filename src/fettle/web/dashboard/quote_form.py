"""The form of a new quote: what fits the part, the price as the choice changes, and the letter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.responses import RedirectResponse

from fettle.app import quote_letters, quotes
from fettle.app.access import preferences
from fettle.app.customer_price import without_margin
from fettle.app.pricing.choices import best_process, choose
from fettle.app.pricing.makers import Maker, find_maker
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.terms import PricingTerms
from fettle.app.quote_letters import VALID, LetterRequest, price_breaks, read_breaks
from fettle.app.wording import counted
from fettle.errors import BadRequest
from fettle.plan.rate_card import UnknownStockMaterial
from fettle.quote import Finish
from fettle.quote.catalog import UnknownMaterial
from fettle.quote.lines import LARGEST_QUANTITY, SMALLEST_QUANTITY
from fettle.results.process_choices import PricedProcess, ProcessChoices
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.price_figures import breakdown_bars, drawn_curve
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of

router = APIRouter(prefix="/dashboard/quotes", route_class=AccountRoute)
ROOT = "/dashboard/quotes"


@dataclass(frozen=True, slots=True)
class QuoteChoice:
    """What was chosen in the form; no process: the best; no material: the usual one. `breaks` as typed."""

    job_id: str
    process: str
    material: str
    quantity: int
    finish_ids: tuple[str, ...]
    breaks: str = ""


@router.get("/new")
def show_form(
    request: Request,
    job: str,
    finish: Annotated[list[str], Query(default_factory=list)],
    process: str = "",
    material: str = "",
    quantity: int = 10,
    breaks: str = "",
) -> Response:
    return _form(request, QuoteChoice(job, process, material, quantity, tuple(finish), breaks), LetterRequest())


@router.post("")
def keep(
    request: Request,
    job: Annotated[str, Form()],
    process: Annotated[str, Form()],
    material: Annotated[str, Form()],
    quantity: Annotated[int, Form()],
    finish: Annotated[list[str], Form(default_factory=list)],
    breaks: Annotated[str, Form()] = "",
    customer: Annotated[str, Form()] = "",
    reference: Annotated[str, Form()] = "",
    valid_until: Annotated[date | None, Form()] = None,
    notes: Annotated[str, Form()] = "",
) -> Response:
    service, account = service_of(request), account_of(request)
    choice = QuoteChoice(job, process, material, quantity, tuple(finish), breaks)
    letter = LetterRequest(customer, reference, valid_until, notes)
    order = OrderRequest(process, quantity, material or None, choice.finish_ids)
    asked = quotes.ProcessQuoteRequest(job, service.jobs.read(account, job).filename, order)
    part, terms = service.priceable(account, job), service.terms(account)
    try:
        quote_letters.check(letter)
        others = price_breaks(part, order, read_breaks(breaks), terms)
        kept = quotes.create_by_process(service.store, account, asked, part, terms)
    except BadRequest as fault:
        return _form(request, choice, letter, 422, str(fault))
    quote_letters.keep(service.store, kept.id, letter, preferences.read(service.store, account), others)
    return RedirectResponse(f"{ROOT}/{kept.id}", status_code=303)


def _form(request: Request, choice: QuoteChoice, letter: LetterRequest, status: int = 200, fault: str = "") -> Response:
    service, account = service_of(request), account_of(request)
    part, terms = service.priceable(account, choice.job_id), service.terms(account)
    shown: dict[str, Any] = {"order": None, "choices": None, "breaks": (), "process": choice.process, "left_out": ()}
    maker = None
    finish_ids = choice.finish_ids
    try:
        choices = choose(part, choice.quantity, terms)
        process = choice.process or best_process(choices)
        maker = _maker(process, terms, choice.material)
        suited = _suited(terms, process, maker)
        unfit = [one for one in choice.finish_ids if one not in {str(finish.id) for finish in suited}]
        finish_ids = tuple(one for one in choice.finish_ids if one not in unfit)
        shown |= {"choices": choices, "process": process, "left_out": [terms.catalog.finish(one).name for one in unfit]}
        order = OrderRequest(process, choice.quantity, maker.material_name, finish_ids)
        shown["order"] = price_part(part, order, terms)
        shown["breaks"] = price_breaks(part, order, read_breaks(choice.breaks), terms)
    except BadRequest as refused:
        fault, status = fault or str(refused), 422
    priced = shown["order"]
    if priced is not None and not preferences.read(service.store, account).shows_margin:
        priced = without_margin(priced)
    process = shown["process"]
    return page(
        request,
        "quote-new.html",
        status,
        file_name=service.jobs.read(account, choice.job_id).filename,
        geometry=part.geometry,
        choice=choice,
        letter=letter,
        valid_until=letter.valid_until or (datetime.now(UTC) + VALID).date(),
        finish_ids=finish_ids,
        process=process,
        smallest=SMALLEST_QUANTITY,
        largest=LARGEST_QUANTITY,
        offered=_offered(shown["choices"], process),
        sooner=_sooner(shown["choices"]),
        material=maker.material_name if maker else "",
        materials=sorted(maker.material_names) if maker else [],
        finishes=_suited(terms, process, maker) if maker else [],
        left_out=shown["left_out"],
        price=priced,
        breaks=shown["breaks"],
        bars=breakdown_bars(priced.breakdown, process) if priced else [],
        curve=drawn_curve(priced.curve) if priced else None,
        fault=fault,
    )


def _offered(choices: ProcessChoices | None, process: str) -> list[PricedProcess]:
    """Processes that make the part for a price; those that fail only where nothing else does, or the one chosen."""
    priced = [one for one in choices.processes if one.price is not None] if choices else []
    fitting = [one for one in priced if one.severity != "fail"] or priced
    return [one for one in priced if one in fitting or one.process == process]


def _sooner(choices: ProcessChoices | None) -> list[str]:
    """Where another process becomes cheaper, in words."""
    names = {one.process: one.name for one in choices.processes} if choices else {}
    return [
        f"{names[one.process]} is cheaper than {names[one.than]} from {counted(one.cheaper_from, 'piece')} on"
        for one in (choices.break_even if choices else ())
    ]


def _maker(process: str, terms: PricingTerms, material: str) -> Maker:
    """The process in a material, or in its usual one where it does not have that: the process was changed."""
    try:
        return find_maker(process, terms, material or None)
    except (UnknownStockMaterial, UnknownMaterial):
        return find_maker(process, terms)


def _suited(terms: PricingTerms, process: str, maker: Maker) -> list[Finish]:
    name = maker.material_name
    return [finish for finish in terms.catalog.finishes if finish.active and finish.suits(process, name)]
