"""A plan and a rate card with the factors that a shop's past jobs put on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from fettle.plan.plan import ProcessPlan
from fettle.plan.rate_card import ProcessRates
from fettle.quote.calibration import COVERAGE, Calibration, CalibrationBasis
from fettle.results.record import rounded

Calibrations = Mapping[str, Calibration]
"""By process (`cnc:3-axis`) or by one of its machines (`cnc:3-axis/mill`)."""


def machine_key(process: str, machine: str) -> str:
    """Key under which the calibration of a machine is kept."""
    return f"{process}/{machine}"


def applied(process: str, plan: ProcessPlan, learned: Calibrations) -> tuple[Calibration, ...]:
    """The calibrations that a plan is priced with: the factor on prices of its process alone, else those on the times
    of its machines, and of the process for the machines that have none."""
    own = learned.get(process)
    if own is not None and own.basis is CalibrationBasis.PRICE:
        return (own,)
    machines = sorted({operation.machine for operation in plan.operations})
    found = {one.key: one for machine in machines if (one := _of_machine(process, machine, learned)) is not None}
    return tuple(found[key] for key in sorted(found))


def scaled(
    process: str, plan: ProcessPlan, rates: ProcessRates, learned: Calibrations, end: float = 0.0
) -> tuple[ProcessPlan, ProcessRates]:
    """The plan with calibrated times, or the card with calibrated rates; `end`: -1 at the low end of the bands, 1 at
    the high end, 0 in the middle."""
    if not learned:
        return plan, rates
    own = learned.get(process)
    if own is not None and own.basis is CalibrationBasis.PRICE:
        return plan, _scaled_rates(rates, Decimal(repr(rounded(_at(own, end)))))
    operations = []
    for operation in plan.operations:
        one = _of_machine(process, operation.machine, learned)
        factor = 1.0 if one is None else _at(one, end)
        setup_min, run_min = operation.setup_min * factor, operation.run_min * factor
        operations.append(replace(operation, setup_min=setup_min, run_min=run_min))
    return replace(plan, operations=tuple(operations)), rates


def describe(used: tuple[Calibration, ...]) -> str:
    """The reason of a band that past jobs earned."""
    said = [
        f"{one.key}: {one.jobs} jobs, {'prices' if one.basis is CalibrationBasis.PRICE else 'times'} "
        f"x {one.factor:.3g}, {100 * one.covered:.0f} % of held-back jobs inside"
        for one in used
    ]
    return f"Calibrated by past jobs to hold {100 * COVERAGE:.0f} % of new ones ({'; '.join(said)})."


def _of_machine(process: str, machine: str, learned: Calibrations) -> Calibration | None:
    own = learned.get(machine_key(process, machine), learned.get(process))
    return own if own is not None and own.basis is CalibrationBasis.MINUTES else None


def _at(one: Calibration, end: float) -> float:
    """The factor at an end of its band, or in the middle."""
    if end == 0.0:
        return one.factor
    return one.factor * (one.low if end < 0 else one.high)


def _scaled_rates(rates: ProcessRates, factor: Decimal) -> ProcessRates:
    """Every price of the card times a factor."""
    return replace(
        rates,
        machines={key: replace(one, rate_per_hour=one.rate_per_hour * factor) for key, one in rates.machines.items()},
        materials=tuple(replace(one, price_per_kg=one.price_per_kg * factor) for one in rates.materials),
        purchases={key: replace(one, price=one.price * factor) for key, one in rates.purchases.items()},
        markup=replace(rates.markup, minimum_order=rates.markup.minimum_order * factor),
    )
