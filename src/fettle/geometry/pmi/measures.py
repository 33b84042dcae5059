"""Numbers with units of a STEP file, in millimeters and degrees."""

from __future__ import annotations

import math

from fettle.geometry.pmi.part21 import Instance, Ref, StepFile, Typed, Unreadable, Value

_PREFIX = {
    "EXA": 1e18, "PETA": 1e15, "TERA": 1e12, "GIGA": 1e9, "MEGA": 1e6, "KILO": 1e3, "HECTO": 1e2, "DECA": 1e1,
    "DECI": 1e-1, "CENTI": 1e-2, "MILLI": 1e-3, "MICRO": 1e-6, "NANO": 1e-9, "PICO": 1e-12, "FEMTO": 1e-15,
    "ATTO": 1e-18,
}  # fmt: skip
_SI = {"METRE": (1000.0, False), "RADIAN": (math.degrees(1.0), True)}
_MEASURES = (
    "MEASURE_WITH_UNIT",
    "LENGTH_MEASURE_WITH_UNIT",
    "PLANE_ANGLE_MEASURE_WITH_UNIT",
    "MEASURE_REPRESENTATION_ITEM",
)
_MAX_CONVERSIONS = 8
"""A unit defined by a unit defined by a unit; files have one such step."""


def measure(file: StepFile, number: int) -> tuple[float, bool]:
    """Value of a measure in mm, or in degrees with True."""
    instance = file[number]
    value, unit = _value_and_unit(instance)
    scale, angular = _unit(file, unit, _MAX_CONVERSIONS)
    return _plain(value, instance) * scale, angular


def is_measure(instance: Instance) -> bool:
    """Whether the instance has a value with a unit."""
    return any(len(instance.parts.get(one, ())) >= 2 for one in _MEASURES)


def _value_and_unit(instance: Instance) -> tuple[Value, Value]:
    """The last two attributes: a name may stand before them, and parts of a complex instance may be empty."""
    values = next((instance.parts[one] for one in _MEASURES if len(instance.parts.get(one, ())) >= 2), None)
    if values is None:
        raise Unreadable(f"#{instance.number} ({instance.type}) is no value with a unit")
    return values[-2], values[-1]


def _plain(value: Value, instance: Instance) -> float:
    if isinstance(value, Typed) and len(value.values) == 1:
        value = value.values[0]
    if not isinstance(value, float) or not math.isfinite(value):
        raise Unreadable(f"#{instance.number} ({instance.type}) has no number for a value")
    return value


def _unit(file: StepFile, unit: Value, steps: int) -> tuple[float, bool]:
    """Millimeters or degrees per unit."""
    if not isinstance(unit, Ref):
        raise Unreadable("a measure has no unit")
    instance = file[int(unit)]
    if "CONVERSION_BASED_UNIT" in instance.parts:
        if not steps:
            raise Unreadable(f"#{unit} is a unit defined by itself")
        factor = instance.parts["CONVERSION_BASED_UNIT"][-1] if instance.parts["CONVERSION_BASED_UNIT"] else None
        if not isinstance(factor, Ref):
            raise Unreadable(f"#{unit} is a unit without a conversion factor")
        base = file[int(factor)]
        value, base_unit = _value_and_unit(base)
        scale, angular = _unit(file, base_unit, steps - 1)
        return _plain(value, base) * scale, angular
    prefix, name = [None, None, *instance.parts.get("SI_UNIT", ())][-2:]
    if name not in _SI or (prefix is not None and prefix not in _PREFIX):
        raise Unreadable(f"#{unit} is neither a length nor an angle")
    scale, angular = _SI[str(name)]
    return scale * _PREFIX.get(str(prefix), 1.0), angular
