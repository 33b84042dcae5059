"""API keys: made here, shown once, revoked here."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app.access import idempotency, keys, sessions
from fettle.errors import BadRequest
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of
from fettle.web.urls import base_url

router = APIRouter(prefix="/dashboard/api", route_class=AccountRoute)


@router.get("")
def show_keys(request: Request) -> Response:
    return _shown(request)


@router.post("")
def create_key(
    request: Request, name: Annotated[str, Form(max_length=1000)] = "", once: Annotated[str, Form(max_length=100)] = ""
) -> Response:
    """The whole key is in this answer and in no other; reloading neither brings it back nor makes another."""
    service, account = service_of(request), account_of(request)
    sent = idempotency.once("key", once or None, {"name": name})
    if sent is not None:
        with service.store.write() as connection:
            earlier = idempotency.claim(connection, account, sent)
        if earlier is not None:
            return _shown(request, note="This form was sent before: no other key was made. A key is shown only once.")
    sessions.count_attempt(service.store, f"key {account.id}", service.settings.sign_in_attempts)
    try:
        key = keys.create(service.store, account, name.strip() or "unnamed", service.settings.key_prefix)
    except BadRequest as fault:
        return _shown(request, 422, fault=str(fault))
    return _shown(request, new_key=key)


@router.get("/{key_id}/revoke")
def confirm_revoke(request: Request, key_id: str) -> Response:
    found = keys.find(service_of(request).store, account_of(request), key_id)
    return page(request, "revoke-key.html", key=found)


@router.post("/{key_id}/revoke")
def revoke_key(request: Request, key_id: str) -> Response:
    keys.revoke(service_of(request).store, account_of(request), key_id)
    return RedirectResponse("/dashboard/api", status_code=303)


def _shown(request: Request, status: int = 200, *, new_key: str = "", fault: str = "", note: str = "") -> Response:
    said: dict[str, Any] = {"new_key": new_key, "fault": fault, "note": note, "once": secrets.token_urlsafe(16)}
    mine = keys.all_keys(service_of(request).store, account_of(request))
    return page(request, "api-keys.html", status, keys=mine, base_url=base_url(request), **said)
