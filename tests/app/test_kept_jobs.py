"""What is kept of analyses and for how long: units given back, retention, deletion with a way back, the list."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from fettle.app.access import accounts, preferences
from fettle.app.access.accounts import Account
from fettle.app.access.plans import Meter
from fettle.app.access.preferences import Preferences
from fettle.app.errors import NotFound, NotReady
from fettle.app.options import JobOptions
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.store import jobs
from fettle.app.state.uploads import Incoming
from fettle.app.work import attempts, deleted_jobs, listing, retention
from fettle.app.work.attempts import Attempt
from fettle.app.work.listing import Sort
from fettle.app.work.summaries import Finished, summarize
from fettle.errors import BadRequest

PART = b"ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n"


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    opened = open_service(settings)
    yield opened
    opened.close()


@pytest.fixture
def owner(service: Service) -> Account:
    return accounts.find_or_create(service.store, "owner@example.com")


def submit(service: Service, owner: Account, name: str = "part.step", *, metered: bool = True) -> str:
    with Incoming(name, 1000) as incoming:
        incoming.write(PART)
        return service.jobs.submit(owner, incoming.finish(), JobOptions(), metered=metered).job_id


def begin(service: Service, job_id: str) -> Attempt:
    attempt = attempts.begin(service.store, service.settings, "w1", job_id, 1)
    assert attempt is not None
    return attempt


def done(service: Service, owner: Account, name: str, side_mm: float = 10.0, word: str = "pass") -> str:
    """A finished analysis of a cube."""
    job_id = submit(service, owner, name)
    side = (side_mm, side_mm, side_mm)
    begin(service, job_id).finish(Finished("0" * 64, f"A cube of {side_mm:g} mm.", side, 1.0, (("CNC", word),)))
    return job_id


def used(service: Service, owner: Account) -> tuple[int, int]:
    """Units of the month, and the sum of its days."""
    days = service.meters.by_day(owner, Meter.ANALYZE)
    return service.meters.read(owner, Meter.ANALYZE).used, sum(day.used for day in days)


def test_a_failed_job_gives_its_unit_back_once(service: Service, owner: Account) -> None:
    done(service, owner, "good.step")
    bad = submit(service, owner)
    assert used(service, owner) == (2, 2)
    begin(service, bad).fail("no solid", "no_solid")
    assert used(service, owner) == (1, 1)


def test_a_job_whose_worker_dies_each_time_gives_its_unit_back(service: Service, owner: Account) -> None:
    job_id = submit(service, owner)
    for _ in range(service.settings.job_attempts):
        begin(service, job_id)
    assert attempts.begin(service.store, service.settings, "w2", job_id, 1) is None
    assert service.jobs.read(owner, job_id).status == "error"
    assert used(service, owner) == (0, 0)


def test_a_recompute_that_fails_gives_nothing_back(service: Service, owner: Account) -> None:
    job_id = done(service, owner, "part.step")
    service.jobs.recompute(owner, job_id, "0,0,1")
    attempt = attempts.begin(service.store, service.settings, "w1", job_id, 2)
    assert attempt is not None
    attempt.fail("no", "no")
    assert used(service, owner) == (1, 1)


def test_a_sample_is_not_counted_and_gives_nothing_back(service: Service, owner: Account) -> None:
    done(service, owner, "counted.step")
    begin(service, submit(service, owner, "sample.step", metered=False)).fail("no", "no")
    assert used(service, owner) == (1, 1)


def test_an_account_keeps_its_jobs_as_long_as_it_chose(service: Service, owner: Account) -> None:
    """Seven days are the operator's, thirty are chosen, and the operator allows ninety."""
    first = done(service, owner, "first.step")

    def kept(job_id: str) -> float:
        job = service.jobs.read(owner, job_id)
        assert job.expires_at is not None
        assert job.finished_at is not None
        return (job.expires_at - job.finished_at) / timedelta(days=1)

    assert kept(first) == 7
    preferences.keep(service.store, owner, Preferences(retention_days=30), service.settings.longest_job_days)
    with service.store.write() as connection:
        retention.renew(connection, owner.id, service.settings)
    assert (kept(first), kept(done(service, owner, "second.step"))) == (30, 30)
    for days in (0.5, 91, float("nan")):
        with pytest.raises(BadRequest, match="from 1 to 90 days"):
            preferences.keep(service.store, owner, Preferences(retention_days=days), 90)


def test_a_limit_lowered_by_the_operator_holds_for_choices_made_before(service: Service, owner: Account) -> None:
    preferences.keep(service.store, owner, Preferences(retention_days=80), 90)
    with service.store.read() as connection:
        lowered = service.settings.model_copy(update={"longest_job_days": 20.0})
        assert retention.kept_days(connection, owner.id, lowered) == 20


def test_a_deleted_analysis_is_hidden_comes_back_and_is_gone_in_the_end(service: Service, owner: Account) -> None:
    job_id = done(service, owner, "part.step")
    before = service.jobs.read(owner, job_id).expires_at
    away = deleted_jobs.put_away(service.store, service.settings, owner, job_id)
    assert away.gone_at - datetime.now(UTC) < timedelta(days=3, seconds=1)
    with pytest.raises(NotFound):
        service.jobs.read(owner, job_id)
    assert listing.read_page(service.store, owner) == ([], False)
    assert [one.job_id for one in deleted_jobs.read_all(service.store, owner)] == [job_id]
    deleted_jobs.bring_back(service.store, service.settings, owner, job_id)
    assert service.jobs.read(owner, job_id).expires_at == before

    deleted_jobs.put_away(service.store, service.settings, owner, job_id)
    service.sweep(datetime.now(UTC) + timedelta(days=3, minutes=1))
    with pytest.raises(NotFound):
        deleted_jobs.bring_back(service.store, service.settings, owner, job_id)
    with service.store.read() as connection:
        assert connection.execute(sa.select(jobs.c.id)).all() == []


def test_nobody_deletes_or_brings_back_what_is_not_theirs_or_still_runs(service: Service, owner: Account) -> None:
    other = accounts.find_or_create(service.store, "other@example.com")
    job_id = done(service, owner, "part.step")
    with pytest.raises(NotFound):
        deleted_jobs.put_away(service.store, service.settings, other, job_id)
    deleted_jobs.put_away(service.store, service.settings, owner, job_id)
    with pytest.raises(NotFound):
        deleted_jobs.bring_back(service.store, service.settings, other, job_id)
    with pytest.raises(NotReady):
        deleted_jobs.put_away(service.store, service.settings, owner, submit(service, owner))
    with pytest.raises(NotFound):
        listing.set_tags(service.store, other, job_id, "mine")


def names(service: Service, owner: Account, **asked: object) -> list[str]:
    found, _ = listing.read_page(service.store, owner, **asked)  # type: ignore[arg-type]
    return [one.filename for one in found]


def test_the_list_is_searched_sorted_and_divided_by_tags(service: Service, owner: Account) -> None:
    plate = done(service, owner, "Plate 100%.step", 30, "fail")
    done(service, owner, "axle.step", 10)
    done(service, owner, "Bracket.step", 20, "warning")
    listing.set_tags(service.store, owner, plate, " gearbox ,  rev  B, gearbox")
    assert names(service, owner) == ["Bracket.step", "axle.step", "Plate 100%.step"]
    assert names(service, owner, sort=Sort.NAME) == ["axle.step", "Bracket.step", "Plate 100%.step"]
    assert names(service, owner, sort=Sort.LARGEST) == ["Plate 100%.step", "Bracket.step", "axle.step"]
    assert names(service, owner, sort=Sort.WORST) == ["Plate 100%.step", "Bracket.step", "axle.step"]
    assert names(service, owner, search="bracket") == ["Bracket.step"]
    assert names(service, owner, search="cube 20") == ["Bracket.step"], "words of the headline"
    assert names(service, owner, search="100%") == ["Plate 100%.step"], "the sign is a letter here"
    assert names(service, owner, search="REV gear") == ["Plate 100%.step"]
    assert names(service, owner, tag="rev B") == ["Plate 100%.step"]
    assert listing.all_tags(service.store, owner) == ["gearbox", "rev B"]
    other = accounts.find_or_create(service.store, "other@example.com")
    assert (names(service, other), listing.all_tags(service.store, other)) == ([], [])


def test_pages_of_the_list_follow_each_other(service: Service, owner: Account) -> None:
    made = [done(service, owner, f"{number:02d}.step") for number in range(23)]
    first, more = listing.read_page(service.store, owner, sort=Sort.NAME)
    second, none = listing.read_page(service.store, owner, sort=Sort.NAME, page=2)
    assert [one.job_id for one in first + second] == made
    assert (len(first), more, none) == (20, True, False)


def test_a_summary_names_suited_processes_with_their_best_verdict() -> None:
    def ranked(name: str, fit: float | None, severity: str) -> dict[str, object]:
        return {"name": name, "fit": fit, "severity": severity}

    finished = summarize(
        {
            "result_sha256": "a",
            "headline": "A shaft.",
            "geometry": {"bounding_box_mm": {"x": 1.0, "y": 2.0, "z": 3.0}, "volume_cm3": None},
            "processes": [
                ranked("Turning: bar", 0.9, "warning"),
                ranked("CNC machining: 3-axis mill", None, "fail"),
                ranked("Turning: mill-turn", 0.9, "pass"),
                ranked("Sheet metal: steel", 0.0, "fail"),
            ],
        }
    )
    assert finished.verdicts == (("Turning", "pass"), ("CNC machining", "fail"))
    assert finished.size_mm == (1.0, 2.0, 3.0)
