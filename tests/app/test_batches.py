"""A batch commits whole: its jobs, meters, queue entries and files, or none of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.access.plans import Meter
from fettle.app.errors import BadField, NotFound, QueueFull
from fettle.app.options import JobOptions
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.store import jobs
from fettle.app.state.uploads import Incoming
from fettle.app.work.batches import SubmittedBatch

PART = b"ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n"


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    opened = open_service(settings.model_copy(update={"queue_limit": 2}))
    yield opened
    opened.close()


@pytest.fixture
def owner(service: Service) -> Account:
    return accounts.find_or_create(service.store, "owner@example.com")


def submit(service: Service, owner: Account, *names: str, quote_id: str | None = None) -> SubmittedBatch:
    with ExitStack() as stack:
        uploads = []
        for name in names:
            incoming = stack.enter_context(Incoming(name, 1000))
            incoming.write(PART)
            uploads.append(incoming.finish())
        return service.batches.submit(owner, uploads, JobOptions(), quote_id, "key")


def kept(service: Service) -> tuple[int, int, int]:
    """Jobs, entries of the queue, and files."""
    with service.store.read() as connection:
        rows = connection.execute(sa.select(sa.func.count()).select_from(jobs)).scalar_one()
    return rows, len(service.queue.unfinished()), len(service.files.entries("jobs"))


def test_a_queue_that_fills_up_takes_what_it_has_room_for(service: Service, owner: Account) -> None:
    taken = submit(service, owner, "a.step", "b.step", "c.step")
    assert [one.code for one in taken.files] == [None, None, "queue_full"]
    assert (taken.meter.used, kept(service)) == (2, (2, 2, 2))
    again = submit(service, owner, "a.step", "b.step", "c.step")
    assert again.files == taken.files
    assert (again.meter.used, kept(service)) == (2, (2, 2, 2))
    assert service.batches.read(owner, taken.batch_id).counts["queued"] == 2


def test_a_full_queue_leaves_nothing_behind(service: Service, owner: Account) -> None:
    submit(service, owner, "a.step", "b.step")
    stranger = accounts.find_or_create(service.store, "other@example.com")
    with pytest.raises(QueueFull):
        submit(service, stranger, "c.step", "d.step")
    assert service.meters.read(stranger, Meter.ANALYZE).used == 0
    assert kept(service) == (2, 2, 2)


def test_somebody_else_s_quote_leaves_nothing_behind(service: Service, owner: Account) -> None:
    with pytest.raises(BadField, match="names no quote"):
        submit(service, owner, "a.step", quote_id="00000000-0000-4000-8000-000000000000")
    assert kept(service) == (0, 0, 0)


def test_an_unknown_batch(service: Service, owner: Account) -> None:
    with pytest.raises(NotFound):
        service.batches.read(owner, "batch_x")
