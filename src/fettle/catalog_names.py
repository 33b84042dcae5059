"""Names of the operator's folder of catalogs: the variable that says where it is, and its folder of rule packs."""

from __future__ import annotations

CATALOG_DIR = "FETTLE_CATALOG_DIR"
PACKS = "packs"
