"""Webhooks of an account, and the calls made to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fettle.results.record import Format, Record


@dataclass(frozen=True, slots=True)
class WebhookEntry(Record):
    """An address that is told when a job has ended."""

    id: Annotated[str, "Id of the webhook.", Format("uuid")]
    url: Annotated[str, "Address that is called."]
    created_at: Annotated[datetime, "When it was made."]


@dataclass(frozen=True, slots=True)
class WebhookCreated(Record):
    """A new webhook with its secret, which is shown this once."""

    id: Annotated[str, "Id of the webhook.", Format("uuid")]
    url: Annotated[str, "Address that is called."]
    created_at: Annotated[datetime, "When it was made."]
    secret: Annotated[str, "Key of the signatures: `whsec_` and 32 bytes in base64."]


@dataclass(frozen=True, slots=True)
class WebhookList(Record):
    """Webhooks of an account, oldest first."""

    webhooks: Annotated[tuple[WebhookEntry, ...], "Every webhook."]


@dataclass(frozen=True, slots=True)
class WebhookCall(Record):
    """A call to a webhook: made, to be made again, or given up."""

    id: Annotated[str, "Id of the call, the header webhook-id of every attempt at it.", Format("uuid")]
    event: Annotated[Literal["job.done", "job.failed"], "What it tells."]
    created_at: Annotated[datetime, "When the job ended."]
    attempts: Annotated[int, "Attempts so far."]
    outcome: Annotated[str | None, "How the last attempt ended: a status, or why there was none."]
    delivered_at: Annotated[datetime | None, "When it was answered with a 2xx."]
    next_at: Annotated[datetime | None, "When it is tried next; null where it is not."]


@dataclass(frozen=True, slots=True)
class WebhookCallList(Record):
    """The newest calls of a webhook."""

    calls: Annotated[tuple[WebhookCall, ...], "At most 50, newest first."]
