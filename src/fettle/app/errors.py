"""The service's own branch of the error tree: what state, quota and access say no to.

FettleError
├── KeyRefused              the API key is missing, malformed, unknown or revoked
│   ├── MissingKey
│   ├── MalformedKey
│   ├── UnknownKey
│   └── RevokedKey
├── QuotaExceeded           the plan's included units are used up; carries where to upgrade
├── NotFound                no such thing for this caller: unknown, expired, or somebody else's
├── NotReady                the job has not come to its end, or ended without a result
├── TooLarge                the body or the file is above its limit
├── RateExceeded            more requests of a key or an address than a minute allows; carries when to come back
├── TooManyAttempts         sign-ins, sign-ups or new keys in a row; carries when to come back
├── ForeignForm             a form that did not come from a page of ours
├── QueueFull               too many jobs wait; carries when to come back
├── Unavailable             database or store is away or full; carries when to come back
├── BackupRefused           an archive cannot be restored: damaged, of a later version, or the database is not empty
└── BadRequest
    ├── BadField            a field of a form is wrong; carries which
    ├── BadUpload           the file field is missing, empty, or of a name we do not read
    ├── BatchRefused        none of several files can be taken; carries why, for each
    ├── BlobRefused         the address given for the file cannot be used; one text, whatever the reason
    ├── WebhookRefused      the address of a webhook cannot be called; one text, whatever the reason
    └── KeyReused           an Idempotency-Key came back with another body
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.errors import BadRequest, FettleError


class KeyRefused(FettleError):
    code = "key_refused"


class MissingKey(KeyRefused):
    code = "key_missing"

    def __init__(self) -> None:
        super().__init__("Missing X-API-Key header.")


class MalformedKey(KeyRefused):
    code = "key_malformed"

    def __init__(self) -> None:
        super().__init__("Invalid API key format.")


class UnknownKey(KeyRefused):
    code = "key_unknown"

    def __init__(self) -> None:
        super().__init__("Invalid API key.")


class RevokedKey(KeyRefused):
    code = "key_revoked"

    def __init__(self) -> None:
        super().__init__("API key has been revoked.")


class QuotaExceeded(FettleError):
    code = "quota_exceeded"

    def __init__(self) -> None:
        super().__init__("API quota exceeded for this billing period.")


class NotFound(FettleError):
    code = "not_found"


class NotReady(FettleError):
    code = "not_ready"


class TooLarge(FettleError):
    code = "too_large"


class TooManyAttempts(FettleError):
    code = "too_many_attempts"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"Too many attempts. Try again in {retry_after_s} seconds.")
        self.retry_after_s = retry_after_s


class RateExceeded(FettleError):
    code = "rate_exceeded"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(
            f"Too many requests in a short time. Try again in {retry_after_s} seconds; nothing was counted."
        )
        self.retry_after_s = retry_after_s


class ForeignForm(FettleError):
    code = "foreign_form"

    def __init__(self) -> None:
        super().__init__(
            "This form did not come from a page of this service, or that page is old. Reload and try again."
        )


class QueueFull(FettleError):
    code = "queue_full"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"Too many analyses are waiting. Try again in {retry_after_s} seconds; nothing was counted.")
        self.retry_after_s = retry_after_s


class Unavailable(FettleError):
    code = "unavailable"

    def __init__(self, reason: str, retry_after_s: int = 30) -> None:
        super().__init__(f"{reason} Nothing was changed or counted. Try again in {retry_after_s} seconds.")
        self.retry_after_s = retry_after_s


class BackupRefused(FettleError):
    code = "backup_refused"


class BadField(BadRequest):
    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field

    def __reduce__(self) -> tuple[type[BadField], tuple[str, str]]:
        return BadField, (self.field, str(self))


class BadUpload(BadRequest):
    code = "bad_upload"
    field = "file"


class BatchRefused(BadRequest):
    code = "batch_refused"

    def __init__(self, reasons: Sequence[tuple[str, str]]) -> None:
        """`reasons`: name of each file, and why it was refused."""
        name, first = reasons[0]
        super().__init__(f"None of the {len(reasons)} files was accepted; details say why. The first, {name}: {first}")
        self.reasons = tuple(reasons)


class BlobRefused(BadRequest):
    code = "blob_refused"

    def __init__(self) -> None:
        super().__init__(
            "blob_url cannot be fetched. It must be a public http or https address that answers 200 with the file "
            "within the time limit."
        )


class WebhookRefused(BadRequest):
    code = "webhook_refused"

    def __init__(self, text: str = "") -> None:
        super().__init__(text or "url cannot be called. It must be a public http or https address, without a password.")


class KeyReused(BadRequest):
    code = "idempotency_key_reused"
