"""The metrics, one module for each source of values. Importing this package fills the registry."""

from fettle.rules.metrics import (
    dimensions,
    flat,
    measured,
    milling,
    molding,
    part,
    relations,
    sheet,
    support,
    tolerances,
    turning,
)

__all__ = [
    "dimensions",
    "flat",
    "measured",
    "milling",
    "molding",
    "part",
    "relations",
    "sheet",
    "support",
    "tolerances",
    "turning",
]
