"""Webhooks over HTTP: make, list and delete them, and see the calls that were made."""

from __future__ import annotations

from fastapi.responses import JSONResponse, Response

from fettle.app.webhooks import subscriptions
from fettle.results import WebhookCall, WebhookCallList, WebhookCreated, WebhookEntry, WebhookList
from fettle.web import schemas
from fettle.web.auth import Caller, ServiceDep
from fettle.web.endpoints import Api
from fettle.web.responses import send

api = Api("/api/v1/webhooks", "Webhooks")


@api.endpoint("POST", "", WebhookCreated, 422, status=201)
def create_webhook(body: schemas.WebhookBody, service: ServiceDep, caller: Caller) -> JSONResponse:
    """Tell an address about every job of yours that ends. Calls are signed with the secret, which is shown this once,
    as the Standard Webhooks specification says (webhook-id, webhook-timestamp, webhook-signature)."""
    made = subscriptions.create(service.store, caller, body.url, service.settings.webhook_allowed_origins)
    return send(WebhookCreated(made.id, made.url, made.created_at, made.secret), 201)


@api.endpoint("GET", "", WebhookList)
def list_webhooks(service: ServiceDep, caller: Caller) -> JSONResponse:
    """Your webhooks."""
    found = subscriptions.read_all(service.store, caller)
    return send(WebhookList(tuple(WebhookEntry(one.id, one.url, one.created_at) for one in found)))


@api.endpoint("DELETE", "/{webhook_id}", None, 404, status=204)
def delete_webhook(webhook_id: str, service: ServiceDep, caller: Caller) -> Response:
    """Delete a webhook, and the calls that were still to be made."""
    subscriptions.delete(service.store, caller, webhook_id)
    return Response(status_code=204)


@api.endpoint("GET", "/{webhook_id}/calls", WebhookCallList, 404)
def list_webhook_calls(webhook_id: str, service: ServiceDep, caller: Caller) -> JSONResponse:
    """The newest calls of a webhook, and how they ended."""
    found = subscriptions.read_deliveries(service.store, caller, webhook_id)
    calls = (
        WebhookCall(
            id=one.id,
            event=one.event,
            created_at=one.created_at,
            attempts=one.attempts,
            outcome=one.outcome,
            delivered_at=one.delivered_at,
            next_at=one.next_at,
        )
        for one in found
    )
    return send(WebhookCallList(tuple(calls)))
