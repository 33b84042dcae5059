"""The findings of a result, flat and ranked: what a list of problems is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

SEVERITIES = ("pass", "warning", "fail")
"""From harmless to worst."""

SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
UNITLESS = ("", "count", "ratio")


@dataclass(frozen=True, slots=True)
class Finding:
    """A warning or failure. `configurations`: all of the module that say exactly this; `fids`: every face concerned."""

    module: str
    configurations: tuple[str, ...]
    rule: str
    rule_name: str
    severity: str
    fids: tuple[str, ...]
    message: str
    value: float | None
    threshold: float | None
    op: str | None
    unit: str
    position_mm: tuple[float, float, float] | None
    borderline: bool
    key: tuple[object, ...] = field(repr=False, compare=False, default=())

    @property
    def place(self) -> str:
        return f"face {self.fids[0]}" if self.fids else "part"

    @property
    def comparison(self) -> str:
        """Value against limit, for example `0.62 mm < 1 mm`."""
        if self.value is None:
            return ""
        unit = "" if self.unit in UNITLESS else f" {self.unit}"
        shown = f"{self.value + 0.0:.6g}{unit}"
        if self.threshold is None or self.op is None:
            return shown
        return f"{shown} {SIGNS[self.op]} {self.threshold:.6g}{unit}"


def findings(result: Mapping[str, Any]) -> list[Finding]:
    """Warnings and failures of a result, worst first, then in the order of modules and rules."""
    merged: dict[tuple[object, ...], Finding] = {}
    for found in _each(result):
        earlier = merged.get(found.key)
        if earlier is None:
            merged[found.key] = found
        else:
            merged[found.key] = replace(earlier, configurations=earlier.configurations + found.configurations)
    return sorted(merged.values(), key=lambda one: -SEVERITIES.index(one.severity))


def verdicts(result: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Overall severity by module and configuration."""
    return {
        module["module_key"]: {
            one["configuration_key"]: one["result"]["overall_severity"] for one in module["configurations"]
        }
        for module in result["modules"]["modules"]
    }


def unchecked(result: Mapping[str, Any]) -> int:
    """Rules that had nothing to inspect or could not measure something, over all configurations."""
    return sum(
        1
        for module in result["modules"]["modules"]
        for one in module["configurations"]
        for rule in one["result"]["rules"]
        if rule["n_not_measured"] > 0
    )


def at_least(severity: str, limit: str) -> bool:
    """`limit`: fail or warning; never holds for `never`."""
    return limit in SEVERITIES and SEVERITIES.index(severity) >= SEVERITIES.index(limit)


def _each(result: Mapping[str, Any]) -> Iterator[Finding]:
    for module in result["modules"]["modules"]:
        for one in module["configurations"]:
            for rule in one["result"]["rules"]:
                for entry in rule["findings"]:
                    if entry["severity"] != "pass":
                        yield _finding(module["module_key"], one["configuration_key"], rule, entry)


def _finding(module: str, configuration: str, rule: Mapping[str, Any], entry: Mapping[str, Any]) -> Finding:
    place = entry["position"]
    fids = tuple(entry["related_fids"])
    return Finding(
        module=module,
        configurations=(configuration,),
        rule=rule["key"],
        rule_name=rule["name"],
        severity=entry["severity"],
        fids=fids,
        message=entry["message"],
        value=entry["value"],
        threshold=entry["threshold"],
        op=entry["op"],
        unit=rule["unit"] if entry["metric"] == rule["metric"] else "",
        position_mm=None if place is None else (place[0], place[1], place[2]),
        borderline=entry["borderline"],
        key=(module, rule["key"], entry["severity"], fids, entry["message"], entry["value"], entry["threshold"]),
    )
