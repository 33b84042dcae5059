"""The planner of every process, by its key in the rule packs."""

from __future__ import annotations

from fettle.errors import BadRequest
from fettle.plan.casting.sand import plan_sand
from fettle.plan.milling.planner import plan_milling
from fettle.plan.molding.planner import plan_molding
from fettle.plan.plan import Planner
from fettle.plan.printing.planner import plan_printing
from fettle.plan.sheet.planner import plan_sheet
from fettle.plan.turning.planner import plan_turning

PLANNERS: dict[str, Planner] = {
    "cnc": plan_milling,
    "turning": plan_turning,
    "sheet-metal": plan_sheet,
    "injection": plan_molding,
    "casting": plan_sand,
    "additive": plan_printing,
}
"""One row for each process; its rate card is `data/rates/<key>.yaml`."""
SAME_AT_ANY_QUANTITY = frozenset(("cnc", "turning"))
"""Processes whose plan is that of one piece: nothing is nested, packed or made in cavities."""


def planner(process: str) -> Planner:
    """The planner of a process; raises BadRequest with the keys that there are."""
    if process not in PLANNERS:
        raise BadRequest(f"{process!r} has no price model. Processes with one: {', '.join(PLANNERS)}.")
    return PLANNERS[process]
