"""Processes that a part can be made by, ranked with their prices, and the quantities at which another is cheaper."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from fettle.results.process_prices import PriceBand
from fettle.results.record import Record
from fettle.results.verdicts import Cause, Severity


@dataclass(frozen=True, slots=True)
class PricedProcess(Record):
    """One configuration of one module with its verdict and its price at the quantity asked for."""

    process: Annotated[str, "Process as module:configuration, to quote with."]
    module_key: Annotated[str, "Key of the module."]
    configuration_key: Annotated[str, "Key of the configuration in its module."]
    name: Annotated[str, "Name of the process and of the configuration."]
    severity: Annotated[Severity, "Worst severity of its rules."]
    fit: Annotated[float | None, "How well the part suits the process, 0 to 1; null where it was not measured."]
    fit_reason: Annotated[str | None, "The measured reason of the fit, or why it is null."]
    causes: Annotated[tuple[Cause, ...], "What is wrong, failures first."]
    price: Annotated[float | None, "Price of one piece; null where the process has none for the part."]
    total_price: Annotated[Decimal | None, "Price of the order."]
    band: Annotated[PriceBand | None, "Low and high unit price with the reason."]
    lead_time_days: Annotated[int | None, "Working days from order to shipping."]
    material: Annotated[str | None, "Material that it was priced in."]
    materials: Annotated[tuple[str, ...], "Materials to choose from, the one priced first."]
    refusal: Annotated[str | None, "Why there is no price; null where there is one."]


@dataclass(frozen=True, slots=True)
class BreakEven(Record):
    """A quantity at which two processes cost the same."""

    process: Annotated[str, "The process that is cheaper above it."]
    than: Annotated[str, "The process that is cheaper below it."]
    quantity: Annotated[float, "Where the two price curves cross."]
    cheaper_from: Annotated[int, "First whole quantity above it."]


@dataclass(frozen=True, slots=True)
class ProcessChoices(Record):
    """Processes by verdict, then by unit price at the quantity."""

    quantity: Annotated[int, "Number of parts."]
    currency: Annotated[str, "Currency of every amount."]
    processes: Annotated[tuple[PricedProcess, ...], "Every process that was judged; the first is the one to choose."]
    break_even: Annotated[tuple[BreakEven, ...], "Between the first three that have a price and do not fail."]
