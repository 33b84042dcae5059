"""Several files in one order: each becomes a job of its own or is refused with its reason.

Jobs, meters, queue entries and the remembered answer commit in one transaction: whoever gets no answer repeats the
request under its Idempotency-Key, and either all of it was taken or nothing. A batch is nothing but its jobs, and is
gone with the last of them.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from fettle.app import quotes
from fettle.app.access import idempotency
from fettle.app.access.accounts import Account
from fettle.app.access.meters import Meters, Reading
from fettle.app.access.plans import Meter
from fettle.app.errors import BatchRefused, NotFound, QueueFull, QuotaExceeded
from fettle.app.options import JobOptions
from fettle.app.state.files import Files, new_token
from fettle.app.state.store import Store, jobs
from fettle.app.state.uploads import RefusedFile, Upload
from fettle.app.work.job_files import UPLOAD
from fettle.app.work.job_states import UNFINISHED, Status
from fettle.app.work.jobs import BatchPlace, Jobs, alive
from fettle.results import Batch, BatchFile, BatchJob

ROUTE = "batches"


@dataclass(frozen=True, slots=True)
class SubmittedBatch:
    """`files`: in the order in which they were sent."""

    batch_id: str
    files: tuple[BatchFile, ...]
    meter: Reading


class Batches:
    """The batches of every account in one store."""

    def __init__(self, store: Store, files: Files, meters: Meters, jobs_of_all: Jobs) -> None:
        self._store = store
        self._files = files
        self._meters = meters
        self._jobs = jobs_of_all

    def submit(
        self,
        account: Account,
        sent: Sequence[Upload | RefusedFile],
        options: JobOptions,
        quote_id: str | None = None,
        key: str | None = None,
    ) -> SubmittedBatch:
        """Take every file that can be taken, in one transaction. Where none can: BatchRefused, or QuotaExceeded or
        QueueFull if that is why."""
        _refuse_if_none(sent)
        hashes = [(one.filename, one.sha256 if isinstance(one, Upload) else one.error.code) for one in sent]
        once = idempotency.once(ROUTE, key, {"files": hashes, "quote_id": quote_id, **asdict(options)})
        tokens = [new_token() for _ in sent]
        try:
            for token, one in zip(tokens, sent, strict=True):
                if isinstance(one, Upload):
                    self._files.write(f"jobs/{token}/{UPLOAD}", one.path)
            submitted, unused = self._take(account, sent, tokens, options, quote_id, once)
        except Exception:
            self._remove(tokens)
            raise
        self._remove(unused)
        return submitted

    def _take(
        self,
        account: Account,
        sent: Sequence[Upload | RefusedFile],
        tokens: Sequence[str],
        options: JobOptions,
        quote_id: str | None,
        once: idempotency.Once | None,
    ) -> tuple[SubmittedBatch, list[str]]:
        """The answer, and the folders of files that no job has."""
        batch_id, unused, taken = f"batch_{secrets.token_urlsafe(16)}", list(tokens), []
        meter = self._meters.read(account, Meter.ANALYZE)
        refusal: QuotaExceeded | QueueFull | None = None
        with self._store.write() as connection:
            if once is not None:
                earlier = idempotency.claim(connection, account, once)
                if earlier is not None:
                    known = tuple(BatchFile(**one) for one in earlier["files"])
                    return SubmittedBatch(earlier["batch_id"], known, meter), unused
            if quote_id is not None:
                quotes.check_owner(connection, account, quote_id)
            for number, (token, one) in enumerate(zip(tokens, sent, strict=True)):
                if isinstance(one, RefusedFile):
                    taken.append(BatchFile(one.filename, None, str(one.error), one.error.code))
                    continue
                try:
                    place = BatchPlace(batch_id, number)
                    job_id, meter = self._jobs.take_of_batch(connection, account, one, token, options, quote_id, place)
                except (QuotaExceeded, QueueFull) as error:
                    refusal = error
                    taken.append(BatchFile(one.filename, None, str(error), error.code))
                    continue
                unused.remove(token)
                taken.append(BatchFile(one.filename, job_id, None, None))
            if refusal is not None and not any(one.job_id for one in taken):
                raise refusal
            if once is not None:
                answer = {"batch_id": batch_id, "files": [asdict(one) for one in taken]}
                idempotency.remember(connection, account, once, answer)
        return SubmittedBatch(batch_id, tuple(taken), meter), unused

    def _remove(self, tokens: Sequence[str]) -> None:
        for token in tokens:
            self._files.remove_all(f"jobs/{token}")

    def read(self, account: Account, batch_id: str) -> Batch:
        """How the jobs of a batch stand; NotFound where none is left."""
        query = (
            sa.select(jobs.c.id, jobs.c.filename, jobs.c.status, jobs.c.error)
            .where(jobs.c.batch_id == batch_id, jobs.c.account_id == account.id, alive())
            .order_by(jobs.c.batch_number)
        )
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        if not rows:
            raise NotFound("No such batch: it is unknown, or its jobs have expired.")
        counts = Counter(row.status for row in rows)
        return Batch(
            batch_id=batch_id,
            finished=not any(counts[status] for status in UNFINISHED),
            counts={status.value: counts[status] for status in Status},
            jobs=tuple(BatchJob(row.id, row.filename, row.status, row.error) for row in rows),
        )


def _refuse_if_none(sent: Sequence[Upload | RefusedFile]) -> None:
    refused = [one for one in sent if isinstance(one, RefusedFile)]
    if len(refused) == len(sent):
        raise BatchRefused([(one.filename, str(one.error)) for one in refused])
