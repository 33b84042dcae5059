"""A service with an owner, and jobs of it that have ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.options import JobOptions
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.uploads import Incoming
from fettle.app.work import attempts
from fettle.app.work.job_files import ARTIFACTS, BUNDLE, RESULT
from fettle.app.work.summaries import Finished

PART = b"ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n"

FinishedJob = Callable[..., str]


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    opened = open_service(settings)
    yield opened
    opened.close()


@pytest.fixture
def owner(service: Service) -> Account:
    return accounts.find_or_create(service.store, "owner@example.com")


@pytest.fixture
def queued_job(service: Service) -> FinishedJob:
    def submit(owner: Account, part: bytes = PART, key: str | None = None) -> str:
        with Incoming("part.step", 1000) as incoming:
            incoming.write(part)
            return service.jobs.submit(owner, incoming.finish(), JobOptions(), None, key).job_id

    return submit


@pytest.fixture
def finished_job(service: Service, queued_job: FinishedJob) -> FinishedJob:
    """Submits a part and ends its job with the files of an analysis."""

    def finish(owner: Account, part: bytes = PART, key: str | None = None) -> str:
        job_id = queued_job(owner, part, key)
        attempt = attempts.begin(service.store, service.settings, "w1", job_id, 1)
        assert attempt is not None
        folder = f"jobs/{attempt.token}/1"
        service.files.write_bundle(f"{folder}/{BUNDLE}", dict.fromkeys(ARTIFACTS.values(), b"map"))
        service.files.write(f"{folder}/{RESULT}", json.dumps({"features": {}}).encode())
        attempt.finish(Finished("0" * 64, "A cube.", (10.0, 10.0, 10.0), 1.0, (("CNC machining", "pass"),)))
        return job_id

    return finish
