"""The operator's folder of catalogs, read whole at the start: a fault stops the service before its first caller."""

from __future__ import annotations

from fettle.app.access.plans import load_plans
from fettle.app.pricing.terms import rate_cards
from fettle.app.settings import Settings
from fettle.errors import CatalogFault
from fettle.quote import load_catalog
from fettle.rules import load_modules
from fettle.rules.packs import CATALOG_DIR


def check_catalog_folder(settings: Settings) -> None:
    """Read everything in the operator's folder; CatalogFault names the file that cannot be used, and why."""
    folder = settings.catalog_dir
    if folder is not None and not folder.is_dir():
        raise CatalogFault(f"{CATALOG_DIR} is {folder}, and there is no such folder.")
    load_catalog(folder)
    load_plans(folder)
    load_modules(folder)
    rate_cards(folder)
