"""The metrics, one module for each source of values. Importing this package fills the registry."""

from fettle.rules.metrics import dimensions, measured, milling, molding, part, relations, sheet, support

__all__ = ["dimensions", "measured", "milling", "molding", "part", "relations", "sheet", "support"]
