"""What prices are made with: the operator's catalog and rate cards, and what an account learned from its past jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from fettle.plan.processes import PLANNERS
from fettle.plan.rate_card import ProcessRates, load_rates
from fettle.quote import Catalog
from fettle.quote.calibrated import Calibrations


@dataclass(frozen=True, slots=True)
class PricingTerms:
    """`cards`: rate card of every process by its key; `learned`: calibrations of the account; `stand_ins`: key of the
    process by that of the account's own pack that judges it."""

    catalog: Catalog
    cards: Mapping[str, ProcessRates]
    learned: Calibrations = field(default_factory=dict)
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    def priced_as(self, process: str) -> str:
        """The process whose price model holds: "cnc:3-axis" for "my-cnc:3-axis"."""
        module, colon, configuration = process.partition(":")
        return f"{self.stand_ins.get(module, module)}{colon}{configuration}"


@cache
def rate_cards(folder: Path | None) -> Mapping[str, ProcessRates]:
    """The rate cards in force, read once: the operator's where the folder has one, else the shipped ones."""
    return {process: load_rates(process, folder) for process in PLANNERS}
