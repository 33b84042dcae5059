"""Rate cards of the processes: machines, materials, purchases, markups and the figures that times are computed from.

`data/rates/<process>.yaml` is the card of a process; an operator's file of the same name replaces it. Every figure has
a source. What only one process needs stands under `process_data`, whose type the planner of that process declares.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest, CatalogFault

_STRICT = ConfigDict(extra="forbid", defer_build=True)
Money = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
PositiveNumber = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegativeNumber = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Data = TypeVar("Data")


class UnknownStockMaterial(BadRequest):
    code = "unknown_material"


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class MachineRate:
    """A machine with who runs it. `setup_min`: of one clamping, once for an order."""

    name: str
    rate_per_hour: Money
    setup_min: NotNegativeNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class StockMaterial:
    """A material as this process buys it; `family`: its row in the cutting or process data; `configurations`: those
    that work it, none for all."""

    name: str
    family: str
    density_kg_m3: PositiveNumber
    price_per_kg: Money
    source: str
    configurations: tuple[str, ...] = ()


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class PurchasePrice:
    """Price of one `unit` of something bought."""

    price: Money
    unit: str
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class OrderMarkup:
    """Markup on cost: `base` + `small_order` / (1 + quantity / `small_order_quantity`), at least `minimum_order`."""

    base: Money
    small_order: Money
    small_order_quantity: Annotated[Decimal, Field(gt=0)]
    minimum_order: Money
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class WorkingDays:
    """Working days from order to shipping: `order` (papers, material, inspection), and the machine hours of a day."""

    order: int = Field(ge=0)
    machine_hours_per_day: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class BandRate:
    """How far the true price may lie from the computed one, as factors of it."""

    low: Annotated[Decimal, Field(gt=0, le=1)]
    high: Annotated[Decimal, Field(ge=1)]
    reason: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class ProcessRates:
    """The rate card of a process. `process_data`: checked by the planner of the process (`typed_data`)."""

    process: str
    version: str
    currency: str
    default_material: str
    machines: dict[str, MachineRate]
    materials: tuple[StockMaterial, ...]
    purchases: dict[str, PurchasePrice]
    markup: OrderMarkup
    lead_time: WorkingDays
    band: BandRate
    assumptions: tuple[str, ...]
    process_data: dict[str, Any]

    def materials_of(self, configuration: str) -> tuple[StockMaterial, ...]:
        """Materials that a configuration works, the default one first."""
        offered = [one for one in self.materials if not one.configurations or configuration in one.configurations]
        return tuple(sorted(offered, key=lambda one: one.name != self.default_material))

    def default_of(self, configuration: str) -> StockMaterial:
        """The material that a configuration takes where none is named; raises BadRequest for one that the card does
        not know."""
        offered = self.materials_of(configuration)
        if not offered:
            known = dict.fromkeys(key for one in self.materials for key in one.configurations)
            raise BadRequest(
                f"{self.process} has no configuration {configuration!r}. Configurations: {', '.join(known)}."
            )
        return offered[0]

    def material(self, name: str, configuration: str | None = None) -> StockMaterial:
        """The material of that name, or the only one that has it as a part of its name, among those of the
        configuration; raises UnknownStockMaterial with the choices."""
        offered = self.materials if configuration is None else self.materials_of(configuration)
        wanted = name.strip().casefold()
        exact = [one for one in offered if one.name.casefold() == wanted]
        found = exact or [one for one in offered if wanted and wanted in one.name.casefold()]
        if len(found) != 1:
            what = "is the name of more than one material" if found else "is no material"
            names = ", ".join(one.name for one in found or offered)
            process = self.process if configuration is None else f"{self.process}:{configuration}"
            raise UnknownStockMaterial(f"{name!r} {what} of {process}. Choose one of: {names}.")
        return found[0]

    def machine(self, key: str) -> MachineRate:
        """The machine of that key; raises CatalogFault."""
        if key not in self.machines:
            raise CatalogFault(f"rates/{self.process}.yaml: the plan needs the machine {key!r}; add it to `machines`.")
        return self.machines[key]

    def purchase(self, key: str) -> PurchasePrice:
        """The price of that key; raises CatalogFault."""
        if key not in self.purchases:
            raise CatalogFault(f"rates/{self.process}.yaml: the plan needs the price {key!r}; add it to `purchases`.")
        return self.purchases[key]


def parse_rates(process: str, data: Any) -> ProcessRates:
    """A rate card from the data of its YAML; raises CatalogFault."""
    try:
        rates = TypeAdapter(ProcessRates).validate_python(data)
    except ValidationError as fault:
        raise CatalogFault(f"rates/{process}.yaml cannot be used: {fault}") from fault
    if rates.process != process:
        raise CatalogFault(f"rates/{process}.yaml is the card of {rates.process!r}; its `process` must be {process!r}.")
    rates.material(rates.default_material)
    return rates


def load_rates(process: str, folder: Path | None = None) -> ProcessRates:
    """The rate card of a process; `rates/<process>.yaml` in `folder` replaces the shipped one."""
    own = folder / "rates" / f"{process}.yaml" if folder else None
    if own is None or not own.is_file():
        return shipped_rates(process)
    return _read(process, own.read_text(encoding="utf-8"))


@cache
def shipped_rates(process: str) -> ProcessRates:
    """The rate card that Fettle ships for a process, cached."""
    return _read(process, (files("fettle") / "data" / "rates" / f"{process}.yaml").read_text(encoding="utf-8"))


def _read(process: str, text: str) -> ProcessRates:
    try:
        return parse_rates(process, yaml.load(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError as fault:
        raise CatalogFault(f"rates/{process}.yaml cannot be used: {fault}") from fault


def typed_data(rates: ProcessRates, kind: type[Data]) -> Data:
    """`process_data` as the type that the planner of the process declares; raises CatalogFault. Parsed once for a
    card."""
    key = (id(rates), kind)
    kept = _typed.get(key)
    if kept is None or kept[0] is not rates:
        try:
            kept = (rates, TypeAdapter(kind).validate_python(rates.process_data))
        except ValidationError as fault:
            raise CatalogFault(f"rates/{rates.process}.yaml cannot be used: {fault}") from fault
        if len(_typed) >= MOST_TYPED:
            _typed.clear()
        _typed[key] = kept
    data: Data = kept[1]
    return data


MOST_TYPED = 64
"""Parsed cards that are kept: those of the accounts that asked last."""
_typed: dict[tuple[int, type[Any]], tuple[ProcessRates, Any]] = {}
