"""Every table of the database: whoever works on all of them takes the metadata from here, where all are known."""

from fettle.app.state import dashboard_tables, operation_tables
from fettle.app.state.store import metadata

__all__ = ["dashboard_tables", "metadata", "operation_tables"]
