"""How a part would be made: stock, operations with times, and what is bought. Knows no money."""

from fettle.plan.plan import Operation, Planner, ProcessPlan, Purchase, RawStock

__all__ = ["Operation", "Planner", "ProcessPlan", "Purchase", "RawStock"]
