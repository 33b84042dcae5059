"""The plan of a part: what every process answers, whatever it does.

A plan is pure data. Time becomes money by the rate of the machine, a purchase by its price; both stand in the rate
card of the process, under the keys that the plan names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from fettle.plan.rate_card import ProcessRates, StockMaterial
from fettle.results.making import MakingFacts


@dataclass(frozen=True, slots=True)
class RawStock:
    """The piece of material that one part is made from, at the price of the plan's material. `form`: bar, plate, sheet,
    billet, granulate, powder, melt; `size_mm`: of the piece; `mass_kg`: charged for one part, scrap included."""

    form: str
    size_mm: tuple[float, ...]
    mass_kg: float


@dataclass(frozen=True, slots=True)
class Operation:
    """A step of work on a machine.

    `machine`: its key in the rate card; `setup_min`: once for an order; `run_min`: for each part; `fids`: the faces
    that name the features that caused it, none where the part as a whole did; `setup`: number of the clamping it is
    done in, from 1; `tool`: in words; `figures`: what the time was computed from, each named with its unit.
    """

    name: str
    machine: str
    setup_min: float
    run_min: float
    fids: tuple[str, ...] = ()
    setup: int = 1
    tool: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something bought: `amount` times the price under `key` in the rate card. `per_order`: once for an order (a mold,
    a pattern), else for each part (hardware, gas); `fids` as in `Operation`."""

    name: str
    key: str
    amount: float
    unit: str
    per_order: bool
    fids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """How `quantity` parts of a material are made by a configuration of a process (as in the rule packs).

    `assumptions`: in words, what the plan took for granted and what it does not know. `further_days`: working days
    beside those of the machines: for a mold or pattern before them, for a furnace after them.
    """

    process: str
    configuration: str
    material: str
    quantity: int
    stock: RawStock
    operations: tuple[Operation, ...]
    purchases: tuple[Purchase, ...]
    assumptions: tuple[str, ...]
    further_days: int = 0


class Planner(Protocol):
    """A process: the plan of a body from a material of its rate card, or `BadRequest` that says why it cannot be
    planned. Times and masses come from the card as well; its rates and prices only where the cheaper of two ways
    depends on them, as the number of a mold's cavities does."""

    def __call__(
        self, facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
    ) -> ProcessPlan: ...
