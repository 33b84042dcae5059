"""Everything a front door works with, opened once from the settings."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.app.meters import Meters
from fettle.app.migrations import upgrade
from fettle.app.plans import Plan, load_plans
from fettle.app.settings import Settings
from fettle.app.store import Store
from fettle.quote import Catalog, load_catalog


@dataclass(frozen=True, slots=True)
class Service:
    settings: Settings
    store: Store
    catalog: Catalog
    plans: dict[str, Plan]
    meters: Meters

    def close(self) -> None:
        self.store.close()


def open_service(settings: Settings) -> Service:
    """Open the database, bring it to the newest step, and read the catalogues."""
    store = Store(settings.database)
    upgrade(store)
    plans = load_plans(settings.catalog_dir)
    return Service(
        settings=settings,
        store=store,
        catalog=load_catalog(settings.catalog_dir),
        plans=plans,
        meters=Meters(store, plans),
    )
