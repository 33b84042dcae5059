"""The page of the account: password, sessions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app.access import accounts, sessions
from fettle.errors import BadRequest
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of, start_session

router = APIRouter(prefix="/dashboard/account", route_class=AccountRoute)
CHANGED = "/dashboard/account?changed=1"

Text = Annotated[str, Form(max_length=1000)]


@router.get("")
def show_profile(request: Request, changed: str = "") -> Response:
    return _shown(request, changed=bool(changed))


@router.post("/password")
def change_password(request: Request, present: Text = "", new: Text = "") -> Response:
    """Replace the password; every other session ends, and this one goes on with another token."""
    service, account = service_of(request), account_of(request)
    sessions.count_attempt(service.store, f"password {account.id}", service.settings.sign_in_attempts)
    try:
        accounts.sign_in(service.store, account.email, present)
        accounts.set_password(service.store, account, new)
    except accounts.SignInRefused:
        return _shown(request, 422, fault="The present password is wrong.")
    except BadRequest as fault:
        return _shown(request, 422, fault=str(fault))
    sessions.close_all(service.store, account)
    response = RedirectResponse(CHANGED, status_code=303)
    start_session(request, response, sessions.open_session(service.store, account, service.settings.session_days))
    return response


def _shown(request: Request, status: int = 200, *, fault: str = "", changed: bool = False) -> Response:
    return page(
        request,
        "account.html",
        status,
        fault=fault,
        changed=changed,
        password_length=accounts.PASSWORD_LENGTH,
    )
