"""The session cookie, and the checks that a form came from one of our pages.

The session is a random token in a cookie that scripts cannot read and other sites do not send; the table holds only its
hash. A form must come from our own origin (the browser says so itself) and, once somebody is signed in, carry a token
made from the session, so that neither a foreign page nor a planted cookie can act for its owner.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import urlsplit

from fastapi import Request, Response

from fettle.app.access.accounts import Account
from fettle.app.errors import ForeignForm
from fettle.web.auth import service_of

COOKIE = "fettle_session"
CSRF_FIELD = "csrf"
CSRF_HEADER = "X-CSRF-Token"


def csrf_token(request: Request) -> str:
    """The token every form of a signed-in page carries; empty when nobody is signed in."""
    token = request.cookies.get(COOKIE)
    return hmac.new(token.encode(), b"form", hashlib.sha256).hexdigest() if token else ""


def start_session(request: Request, response: Response, token: str) -> None:
    """Set the cookie of a new session, replacing whatever was there."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(service_of(request).settings.session_days * 86400),
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
        path="/",
    )


def end_session(request: Request, response: Response) -> None:
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=is_secure(request))


def is_secure(request: Request) -> bool:
    """Whether people reach us by https, as the public address says where there is one."""
    public = service_of(request).settings.public_url
    return (urlsplit(public).scheme if public else request.url.scheme) == "https"


def account_of(request: Request) -> Account:
    """Who is signed in; the route made sure that somebody is."""
    account: Account = request.state.account
    return account


def check_origin(request: Request) -> None:
    """Browsers name the origin of every form; one that names another, or none at all, is refused."""
    origin = request.headers.get("origin")
    if origin is None:
        if request.headers.get("sec-fetch-site") != "same-origin":
            raise ForeignForm
        return
    ours = {request.headers.get("host", ""), urlsplit(service_of(request).settings.public_url).netloc}
    if urlsplit(origin).netloc not in ours - {""}:
        raise ForeignForm


async def check_token(request: Request) -> None:
    """From the header where a script sends one, else from the form."""
    form = {} if CSRF_HEADER in request.headers else await request.form()
    check_field(request, {CSRF_FIELD: str(form.get(CSRF_FIELD, ""))})


def check_field(request: Request, fields: Mapping[str, str]) -> None:
    """Check the token of a form that was already read."""
    given = request.headers.get(CSRF_HEADER) or fields.get(CSRF_FIELD, "")
    if not hmac.compare_digest(given.encode(), csrf_token(request).encode()):
        raise ForeignForm
