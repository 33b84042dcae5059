"""Reading an operator's folder of catalogs whole, as a check."""

from __future__ import annotations

from pathlib import Path

from fettle.app.access.plans import load_plans
from fettle.app.pricing.terms import rate_cards
from fettle.catalog_names import CATALOG_DIR
from fettle.errors import CatalogFault
from fettle.quote import load_catalog
from fettle.rules import load_modules


def read_catalogs(folder: Path) -> None:
    """Read everything in `folder`; CatalogFault names the file that cannot be used, and why."""
    if not folder.is_dir():
        raise CatalogFault(f"{CATALOG_DIR} is {folder}, and there is no such folder.")
    load_catalog(folder)
    load_plans(folder)
    load_modules(folder)
    rate_cards(folder)
