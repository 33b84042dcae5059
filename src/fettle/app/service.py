"""Everything the API works with, opened once from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from fettle.app import account_packs, account_rates, calibrations
from fettle.app.access.accounts import Account
from fettle.app.access.meters import Meters
from fettle.app.access.plans import Plan, load_plans
from fettle.app.keeping.sweep import Removed, sweep
from fettle.app.pricing.parts import PriceablePart, part_of_json
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.app.settings import Settings
from fettle.app.shared_state import open_state
from fettle.app.state.files import Files
from fettle.app.state.store import Store, jobs, workers
from fettle.app.work.batches import Batches
from fettle.app.work.job_states import Status
from fettle.app.work.jobs import Jobs
from fettle.app.work.pipeline import read_analysis
from fettle.app.work.previews import Previews
from fettle.app.work.queue import JobQueue
from fettle.app.work.timings import HistogramReading, read_timings
from fettle.quote import Catalog, load_catalog


@dataclass(frozen=True, slots=True)
class Service:
    settings: Settings
    store: Store
    files: Files
    catalog: Catalog
    plans: dict[str, Plan]
    meters: Meters
    previews: Previews
    jobs: Jobs
    batches: Batches
    queue: JobQueue

    def count_jobs(self) -> dict[str, int]:
        """How many jobs are in each state."""
        query = sa.select(jobs.c.status, sa.func.count().label("number")).group_by(jobs.c.status)
        with self.store.read() as connection:
            counted = {row.status: row.number for row in connection.execute(query)}
        return {status.value: counted.get(status.value, 0) for status in Status}

    def queue_age_s(self) -> float:
        """How long the job that waits longest has waited; 0 where none does. Recomputes are left out: when they were
        asked for is not stored."""
        query = sa.select(sa.func.min(jobs.c.created_at)).where(jobs.c.status == Status.QUEUED, jobs.c.run == 1)
        with self.store.read() as connection:
            oldest = connection.execute(query).scalar_one()
        return (datetime.now(UTC) - oldest).total_seconds() if oldest is not None else 0.0

    def count_workers(self) -> int:
        """How many workers have a heartbeat."""
        with self.store.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(workers)).scalar_one()

    def timings(self) -> list[HistogramReading]:
        """How long jobs waited and took."""
        return read_timings(self.store)

    def analysis(self, account: Account, job_id: str) -> bytes:
        """The pickled analysis of a finished job."""
        return read_analysis(self.files, self.settings, self.jobs.finished_run(account, job_id))

    def terms(self, account: Account) -> PricingTerms:
        """What an account's prices are made with."""
        cards = {**rate_cards(self.settings.catalog_dir), **account_rates.read_all(self.store, account)}
        stand_ins = account_packs.find_stand_ins(self.store, account)
        return PricingTerms(self.catalog, cards, calibrations.read_all(self.store, account), stand_ins)

    def priceable(self, account: Account, job_id: str, process: str | None = None) -> PriceablePart:
        """What prices of a finished job rest on, by one process where one is named."""
        return part_of_json(job_id, self.jobs.pricing(account, job_id), process)

    def sweep(self, now: datetime | None = None, *, dry_run: bool = False) -> list[Removed]:
        """Remove what has been kept long enough, or only count it."""
        return sweep(self.settings, self.store, self.files, self.queue, now, dry_run=dry_run)

    def close(self) -> None:
        self.queue.close()
        self.store.close()


def open_service(settings: Settings) -> Service:
    """Open what is shared with the workers, and read the catalogs."""
    state = open_state(settings)
    store, files = state.store, state.files
    plans = load_plans(settings.catalog_dir)
    meters = Meters(store, plans)
    all_jobs = Jobs(settings, store, files, state.queue, meters)
    return Service(
        settings=settings,
        store=store,
        files=files,
        catalog=load_catalog(settings.catalog_dir),
        plans=plans,
        meters=meters,
        previews=Previews(settings, files),
        jobs=all_jobs,
        batches=Batches(store, files, meters, all_jobs),
        queue=state.queue,
    )
