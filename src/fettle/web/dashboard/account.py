"""Sign up, sign in, sign out, sign out everywhere."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app.access import accounts, sessions
from fettle.app.access.accounts import Account
from fettle.errors import BadRequest
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute, PageRoute
from fettle.web.dashboard.session import COOKIE, account_of, end_session, start_session

router = APIRouter(prefix="/dashboard", route_class=PageRoute)
front_door = APIRouter(route_class=PageRoute)
signed_in = APIRouter(route_class=AccountRoute)
HOME = "/dashboard/analyses"

Text = Annotated[str, Form(max_length=1000)]


@front_door.get("/")
def front() -> Response:
    """Redirect from the bare address of the service to the dashboard."""
    return RedirectResponse("/dashboard", status_code=303)


@router.get("")
def home(request: Request) -> Response:
    if request.state.account is not None:
        return RedirectResponse(HOME, status_code=303)
    first = not accounts.any_exists(service_of(request).store)
    return RedirectResponse("/dashboard/sign-up" if first else "/dashboard/sign-in", status_code=303)


@router.get("/sign-up")
def show_sign_up(request: Request) -> Response:
    return _sign_up_page(request, first=not accounts.any_exists(service_of(request).store))


def _sign_up_page(
    request: Request, status: int = 200, *, first: bool = False, email: str = "", fault: str = ""
) -> Response:
    included = service_of(request).plans[accounts.DEFAULT_PLAN].included
    return page(
        request,
        "sign-up.html",
        status,
        first=first,
        email=email,
        fault=fault,
        free=included,
        password_length=accounts.PASSWORD_LENGTH,
    )


@router.post("/sign-up")
def do_sign_up(request: Request, email: Text, password: Text) -> Response:
    service = service_of(request)
    sessions.count_attempt(service.store, f"sign-up {_address(request)}", service.settings.sign_in_attempts)
    try:
        account = accounts.sign_up(service.store, email, password)
    except BadRequest as fault:
        return _sign_up_page(request, 422, email=email, fault=str(fault))
    return _enter(request, account, HOME)


@router.get("/sign-in")
def show_sign_in(request: Request, next: str = HOME) -> Response:  # noqa: A002  the name users see in the address
    return page(request, "sign-in.html", email="", fault="", next=_local(next))


@router.post("/sign-in")
def do_sign_in(request: Request, email: Text, password: Text, next: Text = HOME) -> Response:  # noqa: A002  as above
    service = service_of(request)
    for who in (f"sign-in {_address(request)}", f"sign-in {email.strip().casefold()}"):
        sessions.count_attempt(service.store, who, service.settings.sign_in_attempts)
    try:
        account = accounts.sign_in(service.store, email, password)
    except BadRequest as fault:
        return page(request, "sign-in.html", 422, email=email, fault=str(fault), next=_local(next))
    sessions.forgive_attempts(service.store, f"sign-in {email.strip().casefold()}")
    return _enter(request, account, _local(next))


@signed_in.post("/sign-out")
def sign_out(request: Request) -> Response:
    sessions.close_session(service_of(request).store, request.cookies[COOKIE])
    return _leave(request)


@signed_in.post("/sign-out-everywhere")
def sign_out_everywhere(request: Request) -> Response:
    sessions.close_all(service_of(request).store, account_of(request))
    return _leave(request)


def _enter(request: Request, account: Account, where: str) -> Response:
    """Start a session with a new token; one that was there before is closed."""
    service = service_of(request)
    earlier = request.cookies.get(COOKIE)
    if earlier:
        sessions.close_session(service.store, earlier)
    response = RedirectResponse(where, status_code=303)
    start_session(request, response, sessions.open_session(service.store, account, service.settings.session_days))
    return response


def _leave(request: Request) -> Response:
    response = RedirectResponse("/dashboard/sign-in", status_code=303)
    end_session(request, response)
    return response


def _local(path: str) -> str:
    """A path of the dashboard; anything else, such as another site, becomes the first page."""
    return path if path.startswith("/dashboard/") and "\\" not in path else HOME


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"


router.include_router(signed_in)
