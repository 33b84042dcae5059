"""The page of the account: password, sessions, how long analyses are kept, what quotes say."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app.access import accounts, preferences, sessions
from fettle.app.access.preferences import Preferences
from fettle.app.work import retention
from fettle.errors import BadRequest
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of, start_session

router = APIRouter(prefix="/dashboard/account", route_class=AccountRoute)
CHANGED = "/dashboard/account?changed=password"
KEPT = "/dashboard/account?changed=preferences"

Text = Annotated[str, Form(max_length=1000)]


@router.get("")
def show_profile(request: Request, changed: str = "") -> Response:
    return _shown(request, changed=changed)


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


@router.post("/preferences")
def keep_preferences(
    request: Request,
    retention_days: Text = "",
    shows_margin: Annotated[bool, Form()] = False,
    quote_name: Text = "",
    quote_terms: Annotated[str, Form()] = "",
) -> Response:
    """How long analyses are kept, and what quotes say; analyses that are there get their new date at once."""
    service, account = service_of(request), account_of(request)
    try:
        chosen = Preferences(
            _days(retention_days), shows_margin, quote_name.strip(), quote_terms.replace("\r\n", "\n").strip()
        )
        preferences.keep(service.store, account, chosen, service.settings.longest_job_days)
    except BadRequest as fault:
        return _shown(request, 422, fault=str(fault))
    with service.store.write() as connection:
        retention.renew(connection, account.id, service.settings)
    return RedirectResponse(KEPT, status_code=303)


def _days(text: str) -> float | None:
    """A number of days; None for nothing, the operator's period."""
    if not text.strip():
        return None
    try:
        return float(text)
    except ValueError:
        raise BadRequest(f"{text[:20]!r} is no number of days.") from None


def _shown(request: Request, status: int = 200, *, fault: str = "", changed: str = "") -> Response:
    return page(
        request,
        "account.html",
        status,
        fault=fault,
        changed=changed,
        password_length=accounts.PASSWORD_LENGTH,
        chosen=preferences.read(service_of(request).store, account_of(request)),
        longest=(preferences.LONGEST_NAME, preferences.LONGEST_TERMS),
    )
