"""The operator's folder of catalogs, read whole at the start: a fault stops the service before its first caller."""

from __future__ import annotations

from importlib import import_module

from fettle.app.settings import Settings


def check_catalog_folder(settings: Settings) -> None:
    """Read everything in the operator's folder; CatalogFault names the file that cannot be used, and why.

    Rules and prices take a second of CPU to load, which the process that only keeps the others does not spend where
    the operator has no such folder.
    """
    if settings.catalog_dir is not None:
        import_module("fettle.app.catalog_reading").read_catalogs(settings.catalog_dir)
